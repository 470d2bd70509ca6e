package linear

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The file: magic, the scale of the weights as a float32, then for each weight
// that is not zero the distance from the place before as a varint, and the
// weight as a signed 16-bit number of scale units; little-endian.
const magic = "HOPW\x01"

// step is the least part of the largest weight that a file keeps.
const step = 1 << 11

// Bytes returns the model as a file has it. What is less than a 2,048th of the
// largest weight is left out.
func (m *Model) Bytes() []byte {
	top := float32(0)
	for _, x := range m.weights {
		top = max(top, x, -x)
	}
	scale := top / math.MaxInt16
	out := binary.LittleEndian.AppendUint32([]byte(magic), math.Float32bits(scale))
	last := 0
	for at, x := range m.weights {
		if n := int16(x / max(scale, math.SmallestNonzeroFloat32)); n > math.MaxInt16/step || -n > math.MaxInt16/step {
			out = binary.AppendUvarint(out, uint64(at-last))
			out = binary.LittleEndian.AppendUint16(out, uint16(n))
			last = at
		}
	}
	return out
}

// Read returns the model of a file.
func Read(data []byte) (*Model, error) {
	if len(data) < len(magic)+4 || string(data[:len(magic)]) != magic {
		return nil, errors.New("linear: not a file of weights")
	}
	scale := math.Float32frombits(binary.LittleEndian.Uint32(data[len(magic):]))
	m := New()
	at := uint64(0)
	for rest := data[len(magic)+4:]; len(rest) > 0; {
		d, n := binary.Uvarint(rest)
		at += d
		if n <= 0 || len(rest) < n+2 || d > 1<<Bits || at >= 1<<Bits {
			return nil, fmt.Errorf("linear: the file of weights is damaged behind place %d", at)
		}
		m.weights[at] = float32(int16(binary.LittleEndian.Uint16(rest[n:]))) * scale
		rest = rest[n+2:]
	}
	return m, nil
}
