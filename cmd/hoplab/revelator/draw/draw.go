// Package draw decides by hashes of the material and a seed what a random draw
// would: the same input gives the same draw, whatever order it comes in.
//
//	draw.go  Number, Part, Shuffle
package draw

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// Number is an even 64-bit number that depends on the seed and the words only.
func Number(seed uint64, words ...string) uint64 {
	h := sha256.New()
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], seed)
	h.Write(n[:])
	for _, w := range words {
		binary.BigEndian.PutUint64(n[:], uint64(len(w)))
		h.Write(n[:])
		h.Write([]byte(w))
	}
	return binary.BigEndian.Uint64(h.Sum(nil))
}

// Part is Number as a number from 0 to below 1.
func Part(seed uint64, words ...string) float64 {
	return float64(Number(seed, words...)>>11) / (1 << 53)
}

// Shuffle brings items into an order that depends on the seed and their keys,
// not on the order they came in.
func Shuffle[T any](seed uint64, items []T, key func(T) string) {
	type drawn struct {
		n    uint64
		key  string
		item T
	}
	all := make([]drawn, len(items))
	for i, it := range items {
		k := key(it)
		all[i] = drawn{Number(seed, "order", k), k, it}
	}
	slices.SortStableFunc(all, func(a, b drawn) int {
		return cmp.Or(cmp.Compare(a.n, b.n), cmp.Compare(a.key, b.key))
	})
	for i := range all {
		items[i] = all[i].item
	}
}
