package links

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"hopstream/index"
	"hopstream/messages/fault"
)

// fileFormat is the version of the file's layout, and of how passages are cut
// into words (index/lang). A file of another version is discarded and filled
// again.
const fileFormat = 3

// file is the index on disk, one bbolt file. Its pages are mapped into memory, so
// that only what is used is read; and a batch is written wholly or not at all,
// also after a crash.
//
//	about     "format", "position"
//	words     number of the first word → a stretch of the vocabulary
//	blocks    number of the first passage → a block (block.go)
//	passages  number → a record (record.go)
//	removed   number → nothing
type file struct {
	db    *bbolt.DB
	path  string
	words int // of the vocabulary that are written
}

var (
	bucketAbout    = []byte("about")
	bucketWords    = []byte("words")
	bucketBlocks   = []byte("blocks")
	bucketPassages = []byte("passages")
	bucketRemoved  = []byte("removed")

	keyFormat   = []byte("format")
	keyPosition = []byte("position")
)

// fileName is that of the index in its folder.
const fileName = "links.db"

// lockWait is how long opening waits for another process to let go.
const lockWait = 500 * time.Millisecond

// errDamaged says that a file is damaged.
var errDamaged = errors.New("the file is damaged")

// openFile opens or creates the file at path. It fails with errDamaged if the
// file there cannot be used.
func openFile(path string) (f *file, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("links index: %w: choose another data folder", err)
	}
	var db *bbolt.DB
	err = guard(func() (err error) {
		db, err = bbolt.Open(path, 0o644, &bbolt.Options{Timeout: lockWait, FreelistType: bbolt.FreelistMapType})
		return err
	})
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return nil, fault.Permanentf("index %s is in use by another process: stop that one, or give this one its own data directory", path)
	case errors.Is(err, os.ErrPermission):
		return nil, fault.Permanentf("links index: %w: choose another data folder", err)
	case errors.Is(err, errDamaged), errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrVersionMismatch), errors.Is(err, berrors.ErrChecksum):
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	case err != nil:
		return nil, fmt.Errorf("links index %s: %w", path, err)
	}
	f = &file{db: db, path: path}
	err = guard(func() error {
		return db.Update(func(tx *bbolt.Tx) error {
			if err := f.whole(tx); err != nil {
				return err
			}
			for _, name := range [][]byte{bucketAbout, bucketWords, bucketBlocks, bucketPassages, bucketRemoved} {
				if _, err := tx.CreateBucketIfNotExists(name); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// whole fails if the file is shorter than its pages: reading a mapped page that
// is missing would end the process.
func (f *file) whole(tx *bbolt.Tx) error {
	info, err := os.Stat(f.path)
	if err != nil {
		return err
	}
	if info.Size() < tx.Size() {
		return fmt.Errorf("%w: it has %d of %d bytes", errDamaged, info.Size(), tx.Size())
	}
	return nil
}

// guard calls fn and returns errDamaged if it panics: on a damaged file the
// library may panic, or an access to a mapped page may fault.
func guard(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errDamaged, p)
		}
	}()
	return fn()
}

// about returns the format, empty in a new file, and the position.
func (f *file) about() (format string, position index.Position, err error) {
	err = guard(func() error {
		return f.db.View(func(tx *bbolt.Tx) error {
			b := tx.Bucket(bucketAbout)
			format = string(b.Get(keyFormat))
			if p := b.Get(keyPosition); p != nil {
				if err := json.Unmarshal(p, &position); err != nil {
					return fmt.Errorf("%w: its position: %w", errDamaged, err)
				}
			}
			return nil
		})
	})
	return format, position, err
}

// setFormat stores the settings that the passages depend on.
func (f *file) setFormat(format string) error {
	return f.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket(bucketAbout).Put(keyFormat, []byte(format)) })
}

// update is what one batch changes.
type update struct {
	first    int32 // number of the first passage
	passages []*passage
	digests  []digest
	removed  []int32
	position *index.Position // nil: as it was
}

// write writes u, and the words of v that are not written yet, in one step.
func (f *file) write(v *vocabulary, u *update) error {
	err := guard(func() error { return f.db.Update(func(tx *bbolt.Tx) error { return f.put(tx, v, u) }) })
	if err != nil {
		return fmt.Errorf("write links index %s: %w", f.path, err)
	}
	f.words = len(v.norms)
	return nil
}

func (f *file) put(tx *bbolt.Tx, v *vocabulary, u *update) error {
	if f.words < len(v.norms) {
		if err := tail(tx, bucketWords).Put(order(f.words), appendWords(nil, f.words, v.norms[f.words:])); err != nil {
			return err
		}
	}
	if len(u.passages) > 0 {
		if err := tail(tx, bucketBlocks).Put(order(int(u.first)), appendBlock(nil, u.first, u.digests)); err != nil {
			return err
		}
	}
	passages := tail(tx, bucketPassages)
	for i, p := range u.passages {
		num := u.first + int32(i)
		if err := passages.Put(order(int(num)), appendRecord(nil, num, p)); err != nil {
			return err
		}
	}
	removed := tx.Bucket(bucketRemoved)
	for _, num := range u.removed {
		if err := removed.Put(order(int(num)), nil); err != nil {
			return err
		}
	}
	if u.position == nil {
		return nil
	}
	p, err := json.Marshal(u.position)
	if err != nil {
		return err
	}
	return tx.Bucket(bucketAbout).Put(keyPosition, p)
}

// tail returns a bucket whose keys are written in ascending order, so that its
// pages can be filled completely.
func tail(tx *bbolt.Tx, name []byte) *bbolt.Bucket {
	b := tx.Bucket(name)
	b.FillPercent = 0.95
	return b
}

// order is a number as a key: keys are in the order of the numbers.
func order(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }

// appendWords appends a stretch of the vocabulary that begins after first words.
func appendWords(dst []byte, first int, norms []string) []byte {
	at := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	for _, w := range norms {
		dst = binary.AppendUvarint(dst, uint64(len(w)))
		dst = append(dst, w...)
	}
	seal(uint32(first), dst[at:])
	return dst
}

func (f *file) close() error { return f.db.Close() }

// discard removes what is at path.
func discard(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("links index: %w", err)
	}
	return nil
}
