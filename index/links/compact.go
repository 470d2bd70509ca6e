package links

import (
	"errors"
	"os"

	"hopstream/index"
)

// compactBatch is how many passages are copied at once.
const compactBatch = 1000

// compact copies the index without the removed passages, nor the words and
// titles that only they had. Searches go on in the old one meanwhile. The
// caller holds writer.
func (x *Index) compact(position *index.Position) error {
	next := newIndex(newCorpus(), nil)
	if x.file != nil {
		path := x.file.path + ".new"
		if err := discard(path); err != nil {
			return err
		}
		f, err := openFile(path)
		if err != nil {
			return err
		}
		next.file = f
	}
	if err := x.copyTo(next, position); err != nil {
		if next.file != nil {
			err = errors.Join(err, next.close(), discard(next.file.path))
		}
		return err
	}
	return x.become(next)
}

// copyTo adds all passages of x to next.
func (x *Index) copyTo(next *Index, position *index.Position) error {
	if x.file != nil {
		format, stored, err := x.file.about()
		if err == nil {
			err = next.file.setFormat(format)
		}
		if err != nil {
			return err
		}
		if position == nil {
			position = &stored
		}
	}
	r := x.reader()
	defer r.close()
	numbers := make([]uint32, len(x.now.norms))
	u := update{position: position}
	flush := func() error {
		next.now.grow()
		for _, p := range u.passages {
			u.digests = append(u.digests, p.digest(&x.buf))
		}
		if next.file != nil {
			if err := next.file.write(&next.now.vocabulary, &u); err != nil {
				return err
			}
		}
		next.add(next.now, &u)
		u = update{first: int32(len(next.now.ids)), position: position}
		return nil
	}
	for num, length := range x.now.lengths {
		if length < 0 {
			continue
		}
		p, err := r.get(int32(num))
		if err != nil {
			return err
		}
		u.passages = append(u.passages, next.now.reworded(p, &x.now.vocabulary, numbers))
		if len(u.passages) == compactBatch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// become replaces the index's content by next's. The new file is renamed to the
// old one's name, so that a crash leaves either of the two.
func (x *Index) become(next *Index) error {
	x.mu.Lock() // the last search in the old file has ended
	defer x.mu.Unlock()
	if x.file == nil {
		x.now = next.now
		return nil
	}
	path := x.file.path
	if err := os.Rename(next.file.path, path); err != nil {
		return errors.Join(err, next.close(), discard(next.file.path))
	}
	err := x.file.close()
	next.file.path = path
	x.now, x.file, x.cache = next.now, next.file, newCache()
	return err
}
