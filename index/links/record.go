package links

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// A record is a passage on disk, read by the searches that rank it: where its
// title ends, its keys, its words, its place and its text. A word takes four bytes: 28 bits
// for its normal form, from which the stem follows, and these flags.
const (
	packedCapital = 1 << iota
	packedNumber
	packedNamed
	packedFirst // first of a sentence but the first
	packedBits  = iota
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal writes a checksum of the rest of b into its first four bytes. The checksum
// includes the number under which b is stored, so that it also fails on a record
// that is found in another one's place.
func seal(num uint32, b []byte) []byte {
	binary.LittleEndian.PutUint32(b, checksum(num, b[4:]))
	return b
}

// sealed returns b without its checksum, and whether the checksum is right.
func sealed(num uint32, b []byte) ([]byte, bool) {
	if len(b) < 4 || binary.LittleEndian.Uint32(b) != checksum(num, b[4:]) {
		return nil, false
	}
	return b[4:], true
}

func checksum(num uint32, b []byte) uint32 {
	return crc32.Update(num^0x5bd1e995, castagnoli, b)
}

// appendRecord appends the record of p, which is stored under num, to dst.
func appendRecord(dst []byte, num int32, p *passage) []byte {
	at := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	for _, n := range [...]int32{p.title, p.core, p.first, p.length, int32(len(p.keys))} {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	for _, k := range p.keys {
		dst = binary.AppendUvarint(dst, uint64(k.from))
		dst = binary.AppendUvarint(dst, uint64(k.to)<<1|bit(k.weak))
	}
	dst = binary.AppendUvarint(dst, uint64(len(p.toks)))
	sent := uint16(0)
	for i, t := range p.toks {
		if i == int(p.title) {
			sent = 0
		}
		v := t.norm << packedBits
		v |= uint32(bit(t.flags&capital != 0)) * packedCapital
		v |= uint32(bit(t.flags&number != 0)) * packedNumber
		v |= uint32(bit(t.flags&named != 0)) * packedNamed
		v |= uint32(bit(t.sent != sent)) * packedFirst
		sent = t.sent
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	dst = binary.AppendUvarint(dst, uint64(len(p.name)))
	dst = binary.AppendUvarint(dst, uint64(len(p.place)))
	dst = append(append(append(dst, p.name...), p.place...), p.text...)
	seal(uint32(num), dst[at:])
	return dst
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// errRecord says that a record's checksum or content is wrong.
var errRecord = errors.New("a stored passage is damaged")

// readRecord reads the passage id, which is stored as b under num. It keeps
// nothing of b.
func readRecord(v *vocabulary, id string, num int32, b []byte) (*passage, error) {
	b, ok := sealed(uint32(num), b)
	if !ok {
		return nil, errRecord
	}
	d := decoder{b: b}
	p := &passage{id: id, title: d.int32(), core: d.int32(), first: d.int32(), length: d.int32()}
	if n := d.count(2); n > 0 {
		p.keys = make([]span, n)
		for i := range p.keys {
			from, to := d.int32(), d.uvarint()
			p.keys[i] = span{from, int32(to >> 1), to&1 != 0}
		}
	}
	p.toks = make([]token, d.count(4))
	packed := d.bytes(4 * len(p.toks))
	if d.bad {
		return nil, errRecord
	}
	sent := uint16(0)
	for i := range p.toks {
		if i == int(p.title) {
			sent = 0
		}
		w := binary.LittleEndian.Uint32(packed[4*i:])
		norm := w >> packedBits
		if norm == 0 || norm > uint32(len(v.stemOf)) {
			return nil, errRecord
		}
		if w&packedFirst != 0 {
			sent++
		}
		t := token{norm: norm, stem: v.stemOf[norm-1], sent: sent}
		if w&packedCapital != 0 {
			t.flags |= capital
		}
		if w&packedNumber != 0 {
			t.flags |= number
		}
		if w&packedNamed != 0 {
			t.flags |= named
		}
		p.toks[i] = t
	}
	name, place := d.count(1), d.count(1)
	text := string(d.b) // one copy for all
	if d.bad || name+place > len(text) || !p.sound() {
		return nil, errRecord
	}
	p.name, p.place, p.text = text[:name], text[name:name+place], text[name+place:]
	for _, k := range p.keys {
		if !k.weak {
			p.called = keyOf(p.toks[k.from:k.to])
		}
	}
	return p, nil
}

// sound reports whether the positions in p lie within p.
func (p *passage) sound() bool {
	n := int32(len(p.toks))
	if p.title < 0 || p.title > n || p.core < 0 || p.core > p.title || p.first < p.title || p.first > n {
		return false
	}
	for _, k := range p.keys {
		if k.from < 0 || k.from >= k.to || k.to > n {
			return false
		}
	}
	return true
}

// decoder reads what was written by encoding/binary. Once something is
// missing, bad is set and what follows is zero.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) uvarint() uint64 {
	if len(d.b) > 0 && d.b[0] < 0x80 { // most are small
		v := d.b[0]
		d.b = d.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.b, d.bad = nil, true
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) int32() int32 {
	v := d.uvarint()
	if v > 1<<31-1 {
		d.bad = true
		return 0
	}
	return int32(v)
}

// count reads how many things of at least so many bytes each follow.
func (d *decoder) count(size int) int {
	v := d.uvarint()
	if v > uint64(len(d.b)/size) {
		d.b, d.bad = nil, true
		return 0
	}
	return int(v)
}

// bytes reads n bytes.
func (d *decoder) bytes(n int) []byte {
	if n > len(d.b) {
		d.b, d.bad = nil, true
		return nil
	}
	out := d.b[:n]
	d.b = d.b[n:]
	return out
}
