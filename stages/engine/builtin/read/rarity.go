package read

import (
	"errors"
	"math"

	"hopstream/index/lang"
)

// rarityBits is the number of bits of a word's place in the table.
const rarityBits = 17

// perStep is how many steps of the table a factor of e has.
const perStep = 16

// Rarity tells how rare a word is in texts at large: by a table of how many
// texts have it, on a logarithmic scale of a byte each. Words that share a place
// count as the more frequent one.
type Rarity struct {
	table []byte  // perStep times the logarithm of the number of texts and one
	texts float64 // logarithm of the number of all texts
}

// CountRarity returns the table of texts, which calls its argument with each.
func CountRarity(texts func(yield func(string) bool)) *Rarity {
	count := make([]int32, 1<<rarityBits)
	last := make([]int32, 1<<rarityBits)
	n := int32(0)
	var toks []lang.Token
	texts(func(s string) bool {
		n++
		toks = lang.AppendTokens(toks[:0], s)
		for i := range toks {
			if at := rarityPlace(toks[i].Hash); last[at] != n {
				last[at] = n
				count[at]++
			}
		}
		return true
	})
	r := &Rarity{table: make([]byte, 1<<rarityBits), texts: math.Log1p(float64(n))}
	for i, c := range count {
		r.table[i] = byte(min(255, math.Round(perStep*math.Log1p(float64(c)))))
	}
	return r
}

func rarityPlace(hash uint64) uint64 {
	hash ^= hash >> 32
	return (hash * 0x9e3779b97f4a7c15) >> (64 - rarityBits)
}

// Bytes returns the table as a file has it: the size of the texts first.
func (r *Rarity) Bytes() []byte {
	return append([]byte{byte(math.Round(perStep * r.texts))}, r.table...)
}

// ReadRarity returns the table of a file.
func ReadRarity(data []byte) (*Rarity, error) {
	if len(data) != 1+1<<rarityBits {
		return nil, errors.New("read: not a table of words' rarity")
	}
	return &Rarity{table: data[1:], texts: float64(data[0]) / perStep}, nil
}

// Of returns the inverse document frequency of a word, by its hash: the
// logarithm of how many texts there are for each that has it.
func (r *Rarity) Of(hash uint64) float32 {
	return float32(max(0, r.texts-float64(r.table[rarityPlace(hash)])/perStep))
}
