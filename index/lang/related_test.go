package lang

import (
	"slices"
	"testing"
)

func TestRelated(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"delete", "erase", true}, {"erase", "deleting", true}, {"buy", "purchase", true},
		{"delete", "harbour", false}, {"delete", "delete", false}, {"zorblat", "erase", false},
	} {
		if got := slices.Contains(Related(Hash(Stem(c.a))), Hash(Stem(c.b))); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}
