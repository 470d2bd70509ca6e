package lang

import (
	"slices"
	"strings"
	"testing"
)

func TestMisspelt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		norm, right string
		want        bool
	}{
		{"direcor", "director", true}, {"diretcor", "director", true}, {"diirector", "director", true}, {"derector", "director", true},
		{"directo", "director", true}, {"directorr", "director", true}, {"gros", "groß", true},
		{"director", "director", false}, {"derecto", "director", false}, {"rector", "director", false}, {"lirector", "director", false},
		{"the", "then", false}, {"form", "from", true}, {"abcd", "adcb", false}, {"", "", false}, {"", "a", false}, {"abcd", "", false},
	} {
		if got := Misspelt(c.norm, c.right); got != c.want {
			t.Errorf("%q for %q: %v", c.norm, c.right, got)
		}
	}
}

func TestSpellable(t *testing.T) {
	t.Parallel()
	for _, w := range []string{"direcor", "olwn", "jetstream", "größe"} {
		if !Spellable(w) {
			t.Errorf("%q", w)
		}
	}
	for _, w := range []string{"", "own", "which", "house", "houses", "palace", "rider", "b2bx", "1984", "nats-top", strings.Repeat("ba", 1000)} {
		if Spellable(w) {
			t.Errorf("%q may be misspelt", w)
		}
	}
}

// TestRespellings holds that they are just the words that Misspelt says, of those
// with a letter put in or replaced those from a to z.
func TestRespellings(t *testing.T) {
	t.Parallel()
	for _, right := range []string{"director", "moon", "größe", "abcd"} {
		seen := slices.Collect(Respellings(right))
		for _, w := range seen {
			if w != right && !Misspelt(right, w) {
				t.Errorf("%q has %q", right, w)
			}
		}
		for norm := range Respellings(right) { // a slip is undone by one
			if norm != right && right != "größe" && len(norm) >= minSpelt && !slices.Contains(slices.Collect(Respellings(norm)), right) {
				t.Errorf("%q does not lead back to %q", norm, right)
			}
		}
	}
	n := 0
	for range Respellings("director") {
		if n++; n == 3 {
			break
		}
	}
}

func FuzzMisspelt(f *testing.F) {
	f.Add("direcor", "director")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 64 {
			t.Skip()
		}
		Spellable(a)
		if got, back := Misspelt(a, b), Misspelt(b, a); got != back && min(len([]rune(a)), len([]rune(b))) >= minSpelt {
			t.Errorf("%q and %q: %v, the other way round %v", a, b, got, back)
		}
		for range Respellings(a) {
		}
	})
}

// TestMeant holds that a misspelt noun that says what is asked for is read as it is
// meant, and that no other word is taken for one.
func TestMeant(t *testing.T) {
	t.Parallel()
	for norm, want := range map[string]string{
		"direcor": "director", "ocupation": "occupation", "capitla": "capital", "faather": "father", "perfromer": "performer",
		"director": "director", "rider": "rider", "prince": "prince", "palace": "palace", "winter": "winter", "systemd": "systemd", "server": "server",
		"goroutine": "goroutine", "film": "film", "": "", "größe": "größe",
	} {
		if got := Meant(norm); got != want {
			t.Errorf("%q became %q, want %q", norm, got, want)
		}
	}
}
