package draw_test

import (
	"slices"
	"testing"

	"hopstream/cmd/hoplab/revelator/draw"
)

// A draw depends on the seed and the words, their borders included, and nothing
// else; its numbers are spread evenly.
func TestDraw(t *testing.T) {
	t.Parallel()
	drawn := draw.Number(1, "a", "b")
	if again := draw.Number(1, "a", "b"); again != drawn || drawn == draw.Number(2, "a", "b") || drawn == draw.Number(1, "ab") {
		t.Error("the same for other words, or another for the same")
	}
	words, low := []string{}, 0
	for i := range 1000 {
		words = append(words, string(rune('a'+i)))
		if p := draw.Part(3, words[i]); p < 0 || p >= 1 {
			t.Fatal(p)
		} else if p < 0.25 {
			low++
		}
	}
	if low < 200 || low > 300 {
		t.Errorf("%d of 1000 are in the first quarter", low)
	}
	first, again := slices.Clone(words), slices.Clone(words)
	slices.Reverse(again)
	key := func(s string) string { return s }
	draw.Shuffle(7, first, key)
	draw.Shuffle(7, again, key)
	if !slices.Equal(first, again) || slices.Equal(first, words) {
		t.Error("the order they came in matters, or all that does")
	}
}
