package builtin

import (
	"testing"

	"hopstream/index/lang"
)

// TestHeldIn holds that what sentences say that is new is told by its sort, and
// that the question's own numbers and names are not new.
func TestHeldIn(t *testing.T) {
	t.Parallel()
	const question = "How many days does Samba 4 keep them?"
	for text, want := range map[string]uint64{
		"They are kept by Samba 4.":                        0,
		"They are kept for 30 days.":                       holdsNumber,
		"It came out in March 2011.":                       holdsDate,
		"They are kept by the daemon that Winbind starts.": holdsName,
		"Say `keep` to set it.":                            holdsCode,
		"Start it with --keep 30.":                         holdsCode | holdsNumber,
	} {
		if got := heldIn(text, lang.Tokens(question)); got&want != want || want == 0 && got != 0 {
			t.Errorf("%q: %04b, want %04b", text, got, want)
		}
	}
}
