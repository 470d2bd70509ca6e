package words

import (
	"slices"
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, norms, stems string }{
		{"", "", ""},
		{"The directors' films, 1,200 of them.", "the directors films 1200 of them", ""},
		{"Zoë's café in Łódź", "zoe 's cafe in lodz", ""},
		{"e\u0301tude naïve", "etude naive", ""},
		{"Smith’s U.S. army & 50%", "smith 's u.s army and 50 percent", ""},
		{"東京 שלום", "東京 שלום", ""},
		{"wrote written writer", "", "write write write"},
		{"directed director directing", "", "direct direct direct"},
		{"cities founded died", "", "citi foundat die"},
	} {
		var norms, stems []string
		for _, tok := range Tokens(test.text) {
			norms, stems = append(norms, tok.Norm), append(stems, tok.Stem)
			if test.text[tok.Start:tok.End] != tok.Text {
				t.Errorf("%q: %+v is not there", test.text, tok)
			}
		}
		if got := strings.Join(norms, " "); test.stems == "" && got != test.norms {
			t.Errorf("%q is %q, want %q", test.text, got, test.norms)
		}
		if got := strings.Join(stems, " "); test.stems != "" && got != test.stems {
			t.Errorf("%q stems to %q, want %q", test.text, got, test.stems)
		}
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()
	var first []string
	for _, tok := range Tokens("Dr. A. Smith (b. 1900) lived here. He left. \"Why?\" no one knows, e.g. me.\n\nA heading") {
		if tok.First {
			first = append(first, tok.Text)
		}
	}
	if want := []string{"Dr", "He", "Why", "no", "A"}; !slices.Equal(first, want) {
		t.Errorf("sentences begin with %q, want %q", first, want)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"The Lord of the Rings was read by Anna van Dyck in May 1990.": "Lord of the Rings|Anna van Dyck",
		`He sang "Blue as a stone" and Many people left.`:              "Blue as a stone",
		"nothing here": "",
	} {
		toks := Tokens(text)
		var got []string
		for _, s := range Names(toks) {
			got = append(got, text[toks[s.From].Start:toks[s.To-1].End])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q has the names %q, want %q", text, got, want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("Dr. O’Neil's \xff “quoted 1,000.5% 東京")
	f.Fuzz(func(t *testing.T, s string) {
		toks := Tokens(s)
		end := 0
		for _, tok := range toks {
			if tok.Start < end || tok.End <= tok.Start || tok.End > len(s) {
				t.Fatalf("%q: %+v", s, tok)
			}
			end = tok.End
		}
		end = 0
		for _, n := range Names(toks) {
			if n.From < end || n.To <= n.From || n.To > len(toks) {
				t.Fatalf("%q: %+v", s, n)
			}
			end = n.To
		}
	})
}
