package subquestion

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReferences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, question string
		want           []int
	}{
		{"When was $1 born?", "", []int{1}},
		{"$2's and $1's and $2's father", "", []int{2, 1}},
		{"$1, $2.", "", []int{1, 2}},
		{"Who paid $2.50 or $2,000 or $20k or $123?", "", nil},
		{"Who won $5 in $1?", "Who won $5?", []int{1}},
		{"$", "", nil},
		{"$$3", "", []int{3}},
		{"$1$12", "", []int{1, 12}},
	} {
		if got := References(c.text, c.question); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.text, got, c.want)
		}
	}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	got := Replace("Who won $5 in $1, $2?", "Who won $5?", func(n int) string { return strings.Repeat("x", n) })
	if want := "Who won $5 in x, xx?"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Who is Ada?", "Who is Ada?", true},
		{"Who is Ada?", " who is\tada ? ", true},
		{"Who is Ada?!", "Who is Ada.", true},
		{"Élan?", "élan", true},
		{"Who is Ada?", "Who is Eda?", false},
		{"Who is \"Ada\"?", "Who is Ada?", false},
		{"", "?", true},
	} {
		if got := Same(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

func TestFirstLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{" Ada \nLovelace", "Ada "}, {"one two three", "one two"}, {"unbreakable", "unbreaka"}, {"ééééé", "éééé"}, {"", ""},
	} {
		got := FirstLine(c.in, 8)
		if got != c.want || !utf8.ValidString(got) {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

// FuzzReplace holds that putting the placeholders back changes nothing.
func FuzzReplace(f *testing.F) {
	f.Add("When was $1 born in $2?", "$2")
	f.Add("$00 $$1 $1.5 é$12", "")
	f.Fuzz(func(t *testing.T, text, question string) {
		if len(References(text, question)) == 0 && Replace(text, question, func(int) string { return "" }) != text {
			t.Errorf("%q without references was changed", text)
		}
		if !Same(text, text+" ?") || !Same(question, "\n"+question) {
			t.Errorf("%q or %q is not itself", text, question)
		}
	})
}
