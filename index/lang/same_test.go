package lang

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/index/testkit/publictest"
)

// TestTokensAreThePlainOnes compares AppendTokens, and Scanner, with the plain
// implementation on all public corpora and questions.
func TestTokensAreThePlainOnes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads all question sets")
	}
	files, err := filepath.Glob(filepath.Join(publictest.Dir(t), "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	n := 0
	var dst, plain []Token
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			// The JSON around the texts is text as well, and an odd one.
			dst, plain = AppendTokens(dst[:0], line), oldAppendTokens(plain[:0], line)
			compareTokens(t, line, dst, plain)
			n += len(plain)
		}
	}
	t.Logf("%d tokens of %d files", n, len(files))
}

// TestOddTokensAreThePlainOnes does so on texts made of what is rare in text.
func TestOddTokensAreThePlainOnes(t *testing.T) {
	t.Parallel()
	parts := strings.Split("a|b|S|s|US|U.S.|U.S|u.s|e.g.|I|.|,|'|’|''|``|'s|’s|'S| | |\n|\n\n|1|12|1,000|1,00|.5|1st|90s|%|$|&|€|°|é|É|ß|Œ|ǅ|x́|́|世界|Ⱥs|ⱥs|–|—|-|/|(|)|[|]|\"|“|:|;|!|?|"+
		"\x00|\x80|\xe2|\xff|one's|don't|themselves|Themselves|THEMSELVESS|countries|Countriez|birthplace|Birthplac|dying|ponies|sky|eing|aed|oing|happily|agreed|RUNNING|hopping|filled|iz|ized|mid-1990s|٣|"+
		strings.Repeat("long", 11)+"ing|"+strings.Repeat("é", 30)+"|"+strings.Repeat("ab", 20)+"ed", "|")
	rng := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		var b strings.Builder
		for range 1 + rng.IntN(8) {
			b.WriteString(parts[rng.IntN(len(parts))])
		}
		compareTokens(t, b.String(), Tokens(b.String()), oldAppendTokens(nil, b.String()))
	}
}

func FuzzTokensAreThePlainOnes(f *testing.F) {
	f.Add("O'Brien's U.S. tour cost $1,250.50, the Countries’ dying ÉLITE said.")
	f.Fuzz(func(t *testing.T, s string) { compareTokens(t, s, Tokens(s), oldAppendTokens(nil, s)) })
}

func compareTokens(t *testing.T, s string, got, want []Token) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%q: %d tokens, want %d", s, len(got), len(want))
	}
	// Half of the stems are looked for: the rest may go unread.
	var wanted Wanted
	looked := func(h uint64) bool { return h>>7&1 == 0 }
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%q:\n got %+v\nwant %+v", s, got[i], want[i])
		}
		if looked(want[i].Hash) {
			wanted.Add(want[i].Stem)
		}
	}
	sc := Scan(s)
	for i := range want {
		w := &want[i]
		if !sc.Next() || sc.Start != w.Start || sc.End != w.End || sc.Sep != w.Sep || sc.Cap() != w.Cap {
			t.Fatalf("%q: scanned %+v, want %+v", s, sc, w)
		}
		if h := sc.Hash(&wanted); h != w.Hash && (h != 0 || looked(w.Hash)) {
			t.Fatalf("%q: %q has hash %x, want %x", s, w.Text, h, w.Hash)
		}
	}
	if sc.Next() {
		t.Fatalf("%q: one more token at %d", s, sc.Start)
	}
}

// TestStemsAreThePlainOnes compares Stem with the plain implementation on
// made-up words of all endings.
func TestStemsAreThePlainOnes(t *testing.T) {
	t.Parallel()
	var ends []string
	for _, rules := range [][]suffix{step2, step3, step4} {
		for _, r := range rules {
			ends = append(ends, r.from)
		}
	}
	ends = append(ends, "s", "sses", "ies", "ss", "us", "eed", "ed", "ing", "y", "e", "ll", "at", "bl", "iz", "ly")
	const letters = "aeiouybcdfglmnrstvwxz"
	rng := rand.New(rand.NewPCG(2, 2))
	for range 500_000 {
		var b []byte
		for range rng.IntN(6) {
			b = append(b, letters[rng.IntN(len(letters))])
		}
		for range rng.IntN(4) {
			b = append(b, ends[rng.IntN(len(ends))]...)
		}
		w := string(b)
		want := w
		if !oldIsStop(w) {
			var tmp [maxStem + 8]byte
			stem, _ := oldStemBytes(tmp[:0], b)
			want = string(stem)
		}
		if got := Stem(w); got != want || IsStop(w) != oldIsStop(w) {
			t.Fatalf("%q has the stem %q, want %q", w, got, want)
		}
	}
}

// TestKnownWords: the everyday words may be left out of the table, the others
// may not.
func TestKnownWords(t *testing.T) {
	t.Parallel()
	words := strings.Fields(stopWords)
	for _, row := range strings.Split(irregularForms, "|") {
		_, forms, _ := strings.Cut(row, ":")
		words = append(words, strings.Fields(forms)...)
	}
	for i, w := range words {
		e := lookUp(w)
		if e == nil || e.norm != w || e.stop != (i < len(strings.Fields(stopWords))) || lookUp([]byte(w)) != e || lookUp(w+"\x00") != nil {
			t.Errorf("%q: %+v", w, e)
		}
	}
	t.Logf("%d words", len(knownWords.words))
}

// TestValuesBeginAsTheyDo compares Values with trying every token.
func TestValuesBeginAsTheyDo(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads a question set")
	}
	n := 0
	for _, d := range publictest.Documents(t, "hotpotqa") {
		toks := Tokens(d.Text)
		got := Values(nil, d.Text, toks)
		for i := 0; i < len(toks); i++ {
			sp, ok := valueAt(toks, i)
			if !ok {
				continue
			}
			if len(got) == 0 || got[0].From != sp.From || got[0].To != sp.To || got[0].Kind != sp.Kind || got[0].Value != sp.Value {
				t.Fatalf("%q: %+v at %+v is not found", d.Text, sp, toks[i])
			}
			got, i, n = got[1:], sp.To-1, n+1
		}
		if len(got) > 0 {
			t.Fatalf("%q: %+v is one too many", d.Text, got[0])
		}
	}
	t.Logf("%d values", n)
}
