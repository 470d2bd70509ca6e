package links

import (
	"encoding/binary"
	"fmt"

	"go.etcd.io/bbolt"
	"golang.org/x/sync/errgroup"
)

// load reads the file's corpus: the vocabulary and the blocks, not the
// passages. It fails with errDamaged.
func (f *file) load() (c *corpus, err error) {
	err = guard(func() error {
		return f.db.View(func(tx *bbolt.Tx) error {
			l := loader{tx: tx}
			if err := l.survey(); err != nil {
				return err
			}
			c = sizedCorpus(l.words, l.passages, l.keys)
			var both errgroup.Group
			both.Go(func() error { return guard(func() error { return l.names(c) }) })
			both.Go(func() error { return guard(func() error { return l.lists(c) }) })
			return both.Wait()
		})
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	f.words = len(c.norms)
	return c, nil
}

// loader reads one state of a file.
type loader struct {
	tx                    *bbolt.Tx
	blocks                []block
	removed               []bool // by passage
	words, passages, keys int
}

// block is one that is stored, and where in it the lists begin.
type block struct {
	first int32
	data  []byte
	lists []byte
}

// survey finds the blocks, checks them, and counts.
func (l *loader) survey() error {
	words := l.tx.Bucket(bucketWords).Cursor()
	for k, v := words.First(); k != nil; k, v = words.Next() {
		if len(k) != 4 || int(binary.BigEndian.Uint32(k)) != l.words {
			return fmt.Errorf("words after %d are missing", l.words)
		}
		b, ok := sealed(uint32(l.words), v)
		if !ok {
			return fmt.Errorf("words after %d are damaged", l.words)
		}
		for d := (decoder{b: b}); len(d.b) > 0; l.words++ {
			if d.bytes(d.count(1)); d.bad {
				return fmt.Errorf("words after %d are damaged", l.words)
			}
		}
	}
	blocks := l.tx.Bucket(bucketBlocks).Cursor()
	for k, v := blocks.First(); k != nil; k, v = blocks.Next() {
		if len(k) != 4 || int(binary.BigEndian.Uint32(k)) != l.passages {
			return fmt.Errorf("passages after %d are missing", l.passages)
		}
		b := block{first: int32(l.passages), data: v}
		d, err := openBlock(b.first, v)
		if err != nil {
			return fmt.Errorf("passages after %d: %w", l.passages, err)
		}
		n, err := d.passages(func(_ int, p *digest) { l.keys += len(p.keys) })
		if err != nil || l.passages+n > maxPassages {
			return fmt.Errorf("passages after %d: %w", l.passages, errBlock)
		}
		b.lists = d.b
		l.blocks = append(l.blocks, b)
		l.passages += n
	}
	l.removed = make([]bool, l.passages)
	removed := l.tx.Bucket(bucketRemoved).Cursor()
	for k, _ := removed.First(); k != nil; k, _ = removed.Next() {
		if len(k) != 4 || int(binary.BigEndian.Uint32(k)) >= l.passages {
			return fmt.Errorf("a passage was removed that never was")
		}
		l.removed[binary.BigEndian.Uint32(k)] = true
	}
	return nil
}

// names reads the vocabulary, and what belongs to each passage.
func (l *loader) names(c *corpus) error {
	words := l.tx.Bucket(bucketWords).Cursor()
	for k, v := words.First(); k != nil; k, v = words.Next() {
		all := string(v[4:])
		for d := (decoder{b: v[4:]}); len(d.b) > 0; {
			n := d.count(1)
			at := len(all) - len(d.b)
			d.bytes(n)
			c.restore(all[at : at+n])
		}
	}
	if len(c.norms) != len(c.numbers) {
		return fmt.Errorf("a word stands twice in the vocabulary")
	}
	for _, b := range l.blocks {
		d := decoder{b: b.data[4:]}
		_, err := d.passages(func(i int, p *digest) {
			if l.removed[int(b.first)+i] {
				c.skip()
				return
			}
			c.enter(p)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lists reads which passages have a stem: once to see how many, so that all
// fit into one piece of memory, and once to read them. Removed ones are left out.
func (l *loader) lists(c *corpus) error {
	var counts []int
	total := 0
	err := l.each(func(_ *block, stem int32, n int, _ []byte) error {
		if int(stem) >= l.words {
			return errBlock
		}
		for int(stem) >= len(counts) {
			counts = append(counts, 0)
		}
		counts[stem] += n
		total += n
		return nil
	})
	if err != nil {
		return err
	}
	room := make([]posting, total)
	c.postings, c.df = make([][]posting, len(counts)), make([]int32, len(counts))
	for stem, n := range counts {
		c.postings[stem], room = room[:0:n], room[n:]
	}
	err = l.each(func(b *block, stem int32, n int, list []byte) error {
		d := decoder{b: list}
		to, num := c.postings[stem], int(b.first)
		for range n {
			num += int(d.uvarint())
			freq := uint16(d.uvarint())
			if d.bad || num >= l.passages {
				return errBlock
			}
			if l.removed[num] {
				continue
			}
			to = append(to, newPosting(int32(num), freq))
			if freq >= many {
				c.often[place{stem, int32(num)}] = freq
			}
		}
		c.postings[stem] = to
		return nil
	})
	if err != nil {
		return err
	}
	for stem, list := range c.postings {
		c.df[stem] = int32(len(list))
	}
	return nil
}

// each calls fn for every list of every block.
func (l *loader) each(fn func(b *block, stem int32, n int, list []byte) error) error {
	for i := range l.blocks {
		b := &l.blocks[i]
		d := decoder{b: b.lists}
		if err := d.lists(func(stem int32, n int, list []byte) error { return fn(b, stem, n, list) }); err != nil {
			return err
		}
	}
	return nil
}
