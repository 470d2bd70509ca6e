package links

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"
	"golang.org/x/sync/errgroup"
)

// load reads the file's corpus: the vocabulary and the blocks, not the passages.
// It fails with errDamaged if the file is damaged.
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

// block is a stored block, and where the lists begin in it.
type block struct {
	first, passages int32
	data, lists     []byte
	holes           bool // some of its passages are removed
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
		b.passages, b.lists = int32(n), d.b
		l.blocks = append(l.blocks, b)
		l.passages += n
	}
	l.removed = make([]bool, l.passages)
	removed := l.tx.Bucket(bucketRemoved).Cursor()
	for k, _ := removed.First(); k != nil; k, _ = removed.Next() {
		if len(k) != 4 || int(binary.BigEndian.Uint32(k)) >= l.passages {
			return fmt.Errorf("a passage was removed that never was")
		}
		num := int32(binary.BigEndian.Uint32(k))
		l.removed[num] = true
		i, _ := slices.BinarySearchFunc(l.blocks, num+1, func(b block, n int32) int { return cmp.Compare(b.first, n) })
		l.blocks[i-1].holes = true
	}
	return nil
}

// names reads the vocabulary, and of each passage its ID, length and keys.
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

// lists reads the postings of every stem, without removed passages. It goes over
// the blocks twice: once to count, so that all postings are allocated together,
// and once to read.
func (l *loader) lists(c *corpus) error {
	counts := make([]int32, l.words) // there are no more stems than words
	total := 0
	err := l.each(func(b *block, d *decoder) error {
		return d.lists(func(stem int32, list []byte) error {
			if int(stem) >= len(counts) {
				return errBlock
			}
			counts[stem] += int32(len(list) / 4)
			total += len(list) / 4
			return nil
		})
	})
	if err != nil {
		return err
	}
	room := make([]posting, total)
	c.postings, c.df = make([][]posting, len(counts)), make([]int32, len(counts))
	for stem, n := range counts {
		c.postings[stem], room = room[:0:n], room[n:]
	}
	err = l.each(func(b *block, d *decoder) error {
		err := d.lists(func(stem int32, list []byte) (err error) {
			c.postings[stem], err = b.read(c.postings[stem], list, l.removed)
			return err
		})
		if err != nil {
			return err
		}
		return d.often(func(at place, freq uint16) error {
			if at.num >= b.passages {
				return errBlock
			}
			c.often[place{at.stem, b.first + at.num}] = freq
			return nil
		})
	})
	if err != nil {
		return err
	}
	stems := 0
	for stem, list := range c.postings {
		if c.df[stem] = int32(len(list)); counts[stem] > 0 {
			stems = stem + 1
		}
	}
	c.postings, c.df = c.postings[:stems], c.df[:stems]
	return nil
}

// read appends the postings of list, but those of removed passages, to dst,
// which has room for them.
func (b *block) read(dst []posting, list []byte, removed []bool) ([]posting, error) {
	n := len(dst)
	dst = dst[:n+len(list)/4]
	first, end := posting(b.first)<<freqBits, posting(b.passages)<<freqBits
	for i := n; i < len(dst); i++ {
		p := posting(binary.LittleEndian.Uint32(list))
		if p >= end {
			return nil, errBlock
		}
		dst[i] = p + first
		list = list[4:]
	}
	if !b.holes {
		return dst, nil
	}
	kept := dst[:n]
	for _, p := range dst[n:] {
		if !removed[p.num()] {
			kept = append(kept, p)
		}
	}
	return kept, nil
}

// each calls fn with the lists of every block.
func (l *loader) each(fn func(b *block, d *decoder) error) error {
	for i := range l.blocks {
		b := &l.blocks[i]
		if err := fn(b, &decoder{b: b.lists}); err != nil {
			return err
		}
	}
	return nil
}
