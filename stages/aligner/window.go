package aligner

import (
	"math"
	"unicode"
	"unicode/utf8"
)

// Windows cuts text into sliding windows of about size characters (runes),
// each starting half a window after the one before, cut at word boundaries,
// and returns where they begin and end, in bytes. A text no longer than a
// window is one window; together the windows cover the text. A word longer than
// a window is cut inside.
func Windows(text string, size int) [][2]int {
	if size <= 0 || utf8.RuneCountInString(text) <= size {
		if text == "" {
			return nil
		}
		return [][2]int{{0, len(text)}}
	}
	var out [][2]int
	for start := 0; start < len(text); {
		end := boundary(text, start, size)
		out = append(out, [2]int{start, start + len(trim(text[start:end]))})
		if end == len(text) {
			break
		}
		next := boundary(text, start, size/2)
		if next <= start || next >= end {
			next = end
		}
		start = next
	}
	return out
}

// boundary returns the offset of the last word start no more than n runes
// after start; where there is none, the offset n runes after it.
func boundary(text string, start, n int) int {
	pos, last, runes := start, -1, 0
	for pos < len(text) {
		if runes == max(1, n) {
			break
		}
		r, w := utf8.DecodeRuneInString(text[pos:])
		pos += w
		runes++
		if unicode.IsSpace(r) {
			last = pos
		}
	}
	if pos == len(text) || last <= start {
		return pos
	}
	return last
}

func trim(s string) string {
	for len(s) > 0 {
		r, w := utf8.DecodeLastRuneInString(s)
		if !unicode.IsSpace(r) || w == len(s) {
			break
		}
		s = s[:len(s)-w]
	}
	return s
}

// cosine is 0 for vectors of unlike length, without length, or not finite: a
// score must be a number to be stored.
func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var dot, aa, bb float32
	for i, x := range a {
		y := b[i]
		dot += x * y
		aa += x * x
		bb += y * y
	}
	c := float64(dot) / math.Sqrt(float64(aa)*float64(bb))
	if math.IsNaN(c) || math.IsInf(c, 0) {
		return 0
	}
	return c
}
