package bleve

import "testing"

// TestSearchMisspelt holds that a word with a slip of the pen finds what it is meant
// for, and that a number, an everyday word and another word find nothing.
func TestSearchMisspelt(t *testing.T) {
	t.Parallel()
	b := openTest(t, "", Options{})
	apply(t, b, 1,
		doc("a", "", "The directors of the film were all English."), doc("b", "", "Olwen Brogan dug in Algeria."),
		doc("c", "", "JetStream acknowledges in 1984."), doc("d", "", "Directions to the horses."))
	for _, c := range []struct{ query, want string }{
		{"direcor", "a"}, {"diretcor", "a"}, {"diirector", "a"}, {"Olwn", "b"}, {"brgan", "b"}, {"jetstraem", "c"},
		{"acknolwedges", "c"}, {"algeia", "b"},
		{"1985", ""}, {"house", ""}, {"lirector", ""}, {"jt", ""}, {"drctr", ""},
	} {
		for range 2 { // the second from the cache
			found, err := b.Search(t.Context(), c.query, 1)
			got := ""
			if len(found) > 0 {
				got = found[0].ID
			}
			if err != nil || got != c.want {
				t.Errorf("%q finds %q, %v: want %q", c.query, got, err, c.want)
			}
		}
	}
}
