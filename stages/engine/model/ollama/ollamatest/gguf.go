package ollamatest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// A GGUF file, version 3, all little-endian:
//
//	"GGUF" version u32 · number of tensors u64 · number of settings u64
//	settings:  key string · type u32 · value
//	tensors:   name string · dimensions u32 · each u64 · type u32 · offset u64
//	padding to 32
//	data:      each tensor padded to 32; offsets count from here
//
// A string is its length as u64 and its bytes; an array is its elements' type
// as u32, their number as u64, and the elements.
const (
	ggufUint32  = 4
	ggufInt32   = 5
	ggufFloat32 = 6
	ggufBool    = 7
	ggufString  = 8
	ggufArray   = 9

	ggufAlign = 32
	tensorF32 = 0
)

// setting is a key and its value: uint32, float32, bool, string, or a slice of
// string, float32 or int32.
type setting struct {
	key   string
	value any
}

// tensor is a matrix of numbers; shape names the fastest index first.
type tensor struct {
	name  string
	shape []int
	data  []float32
}

type ggufWriter struct{ bytes.Buffer }

func (w *ggufWriter) u32(v uint32) { w.Write(binary.LittleEndian.AppendUint32(nil, v)) }
func (w *ggufWriter) u64(v uint64) { w.Write(binary.LittleEndian.AppendUint64(nil, v)) }

func (w *ggufWriter) str(s string) {
	w.u64(uint64(len(s)))
	w.WriteString(s)
}

func (w *ggufWriter) align() {
	for w.Len()%ggufAlign != 0 {
		w.WriteByte(0)
	}
}

func (w *ggufWriter) array(kind uint32, n int) {
	w.u32(ggufArray)
	w.u32(kind)
	w.u64(uint64(n))
}

func (w *ggufWriter) value(v any) {
	switch v := v.(type) {
	case uint32:
		w.u32(ggufUint32)
		w.u32(v)
	case float32:
		w.u32(ggufFloat32)
		w.u32(math.Float32bits(v))
	case bool:
		w.u32(ggufBool)
		b := byte(0)
		if v {
			b = 1
		}
		w.WriteByte(b)
	case string:
		w.u32(ggufString)
		w.str(v)
	case []string:
		w.array(ggufString, len(v))
		for _, s := range v {
			w.str(s)
		}
	case []float32:
		w.array(ggufFloat32, len(v))
		for _, x := range v {
			w.u32(math.Float32bits(x))
		}
	case []int32:
		w.array(ggufInt32, len(v))
		for _, x := range v {
			w.u32(uint32(x))
		}
	default:
		panic(fmt.Sprintf("no GGUF type for a %T", v))
	}
}

// writeGGUF returns the file of a model.
func writeGGUF(settings []setting, tensors []tensor) []byte {
	w := &ggufWriter{}
	w.WriteString("GGUF")
	w.u32(3)
	w.u64(uint64(len(tensors)))
	w.u64(uint64(len(settings)))
	for _, s := range settings {
		w.str(s.key)
		w.value(s.value)
	}
	offset := 0
	for _, t := range tensors {
		w.str(t.name)
		w.u32(uint32(len(t.shape)))
		for _, n := range t.shape {
			w.u64(uint64(n))
		}
		w.u32(tensorF32)
		w.u64(uint64(offset))
		offset += (4*len(t.data) + ggufAlign - 1) / ggufAlign * ggufAlign
	}
	w.align()
	for _, t := range tensors {
		for _, x := range t.data {
			w.u32(math.Float32bits(x))
		}
		w.align()
	}
	return w.Bytes()
}
