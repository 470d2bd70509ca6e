package links

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// A block holds the digests of the passages of one batch, arranged as an inverted
// index, so that a corpus is loaded quickly: first the passages, then for each
// stem the passages that have it. Loading an index reads the blocks only, not
// the passages' records.
//
//	checksum
//	n, then for each passage: ID, terms, and its keys (hash, first word, tokens and weak)
//	m, then for each stem, ascending: its distance from the one before, how many
//	   passages have it, and for each passage a posting of four bytes, with the
//	   place in this block for the number, so that they can be copied as they are
//	for each frequency that does not fit into a posting: stem, place, and frequency

// appendBlock appends the block of digests, of which the first is stored under
// the number first, to dst.
func appendBlock(dst []byte, first int32, digests []digest) []byte {
	at := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	dst = binary.AppendUvarint(dst, uint64(len(digests)))
	terms := 0
	for i := range digests {
		d := &digests[i]
		terms += len(d.terms)
		dst = binary.AppendUvarint(dst, uint64(len(d.id)))
		dst = append(dst, d.id...)
		dst = binary.AppendUvarint(dst, uint64(d.length))
		dst = binary.AppendUvarint(dst, uint64(len(d.keys)))
		for _, k := range d.keys {
			dst = binary.LittleEndian.AppendUint64(dst, k.hash)
			dst = binary.AppendUvarint(dst, uint64(k.first))
			dst = binary.AppendUvarint(dst, uint64(k.toks)<<1|bit(k.weak))
		}
	}
	type turned struct {
		stem, local int32
		freq        uint16
	}
	all := make([]turned, 0, terms)
	for i := range digests {
		for _, t := range digests[i].terms {
			all = append(all, turned{t.stem, int32(i), t.freq})
		}
	}
	slices.SortFunc(all, func(a, b turned) int {
		if a.stem != b.stem {
			return int(a.stem - b.stem)
		}
		return int(a.local - b.local)
	})
	stems := 0
	for i := range all {
		if i == 0 || all[i].stem != all[i-1].stem {
			stems++
		}
	}
	dst = binary.AppendUvarint(dst, uint64(stems))
	before := int32(0)
	for rest := all; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].stem == rest[0].stem {
			n++
		}
		dst = binary.AppendUvarint(dst, uint64(rest[0].stem-before))
		dst = binary.AppendUvarint(dst, uint64(n))
		for _, t := range rest[:n] {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(newPosting(t.local, t.freq)))
		}
		before, rest = rest[0].stem, rest[n:]
	}
	for _, t := range all {
		if t.freq >= many {
			dst = binary.AppendUvarint(dst, uint64(t.stem))
			dst = binary.AppendUvarint(dst, uint64(t.local))
			dst = binary.AppendUvarint(dst, uint64(t.freq))
		}
	}
	seal(uint32(first), dst[at:])
	return dst
}

// errBlock says that a block's checksum does not match.
var errBlock = errors.New("a block of the index is damaged")

// openBlock returns what follows the checksum of the block stored under first.
func openBlock(first int32, b []byte) (*decoder, error) {
	b, ok := sealed(uint32(first), b)
	if !ok {
		return nil, errBlock
	}
	return &decoder{b: b}, nil
}

// passages reads the first part of a block. Of the digests only what this part
// holds is set; fn must not keep them, but may keep their IDs.
func (d *decoder) passages(fn func(i int, p *digest)) (n int, err error) {
	n = d.count(3)
	var p digest
	for i := range n {
		p.id = string(d.bytes(d.count(1)))
		p.length = d.int32()
		p.keys = p.keys[:0]
		for range d.count(10) {
			b := d.bytes(8)
			if d.bad {
				return 0, errBlock
			}
			k := key{hash: binary.LittleEndian.Uint64(b), first: uint32(d.uvarint())}
			v := d.uvarint()
			k.toks, k.weak = uint8(v>>1), v&1 != 0
			p.keys = append(p.keys, k)
		}
		if d.bad {
			return 0, errBlock
		}
		fn(i, &p)
	}
	if d.bad {
		return 0, errBlock
	}
	return n, nil
}

// lists reads the second part: fn is given each stem and its postings.
func (d *decoder) lists(fn func(stem int32, list []byte) error) error {
	stem := int32(0)
	for range d.count(6) {
		stem += d.int32()
		list := d.bytes(4 * d.count(4))
		if d.bad || stem < 0 {
			return errBlock
		}
		if err := fn(stem, list); err != nil {
			return err
		}
	}
	if d.bad {
		return errBlock
	}
	return nil
}

// often reads the last part: frequencies that do not fit into a posting.
func (d *decoder) often(fn func(at place, freq uint16) error) error {
	for len(d.b) > 0 {
		at := place{d.int32(), d.int32()}
		freq := d.uvarint()
		if d.bad || freq < many || freq > math.MaxUint16 {
			return errBlock
		}
		if err := fn(at, uint16(freq)); err != nil {
			return err
		}
	}
	return nil
}
