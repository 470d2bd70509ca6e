package messages

import (
	"math/rand/v2"
	"testing"
)

// TestWordsAreTheirBytes compares the looks at eight bytes with eight looks.
func TestWordsAreTheirBytes(t *testing.T) {
	t.Parallel()
	check := func(b []byte) {
		plain, safe := true, true
		for _, c := range b {
			plain, safe = plain && plainByte[c], safe && safeByte[c]
		}
		if w := load8(string(b)); plainWord(w) != plain || (safePrefix(string(b)) == 8) != safe {
			t.Fatalf("%q: plain %v, safe %v, want %v, %v", b, plainWord(w), safePrefix(string(b)) == 8, plain, safe)
		}
	}
	for a := range 256 { // every pair of bytes, side by side at every place
		for b := range 256 {
			for at := range 7 {
				text := []byte("aaaaaaaa")
				text[at], text[at+1] = byte(a), byte(b)
				check(text)
			}
		}
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for range 200_000 {
		text := make([]byte, 8)
		for i := range text {
			text[i] = byte(rng.Uint32())
		}
		check(text)
	}
}
