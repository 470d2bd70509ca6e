package lang

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"O'Brien's U.S. tour cost $1,250.50.", "o'brien 's u.s tour cost dollar 1250.50"},
		{"Władysław Sławny, mid-1990s", "wladyslaw slawny mid 1990s"},
		{"It's 3.6% of J. K. Rowling’s", "it 's 3.6 percent of j k rowling 's"},
		{"``Run'' in the 24–10 game", "run in the 24 10 game"},
		{"", ""},
	} {
		var got []string
		for _, tok := range Tokens(c.in) {
			got = append(got, tok.Norm)
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("Tokens(%q) = %q, want %q", c.in, g, c.want)
		}
	}
}

func TestStem(t *testing.T) {
	for in, want := range map[string]string{
		"relational": "relat", "director": "direct", "directed": "direct", "wrote": "write", "writers": "writer",
		"caresses": "caress", "ponies": "poni", "running": "run", "hopping": "hop", "cities": "citi", "born": "born", "birth": "born",
		"a": "a", "sky": "ski", "generalization": "gener", "located": "locat", "location": "locat",
	} {
		if got := Stem(in); got != want {
			t.Errorf("Stem(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	for in, want := range map[string]int{
		"Mr. Smith went to the U.S. in c. 1900. He paid 3.5 dollars.":        2,
		"J. R. R. Tolkien wrote it. It sold well!":                           2,
		"He lived in the U.S. He died in Washington, D.C., in 1990 . Then .": 3,
		"One\n\nTwo": 2,
		"":           0,
		"The company Apple Inc. makes phones. Nobody knows why.": 2,
	} {
		if got := Sentences(in); len(got) != want {
			t.Errorf("Sentences(%q) = %d %v, want %d", in, len(got), got, want)
		}
	}
}

func texts(sp []Span) string {
	var out []string
	for _, s := range sp {
		out = append(out, s.Text)
	}
	return strings.Join(out, "|")
}

func TestValues(t *testing.T) {
	for in, want := range map[string]string{
		"He was born on 12 March 1923 and died April 5, 1980.":                    "12 March 1923|April 5, 1980",
		"In 1995–96, about 3.5 million people paid $5 million, or 12%.":           "1995–96|3.5 million|$5 million|12%",
		"It lasted three years and two hundred fifty days in the 19th century.":   "three years|two hundred fifty days|19th century",
		"The river is 1,200 km long; 44 BC; March 2001; the 1920s; the first one": "1,200 km|44 BC|March 2001|1920s|first|one",
	} {
		if got := texts(Values(nil, in, Tokens(in))); got != want {
			t.Errorf("Values(%q)\n got %s\nwant %s", in, got, want)
		}
	}
	v := Values(nil, "7 May 1824", Tokens("7 May 1824"))
	if len(v) != 1 || v[0].Value != 18240507 {
		t.Errorf("value of a date: %v", v)
	}
}

func TestEntities(t *testing.T) {
	for in, want := range map[string]string{
		"The University of Oxford and Jean-Paul Sartre met in Paris.":                "University of Oxford|Jean-Paul Sartre|Paris",
		"He directed \"The Lord of the Rings\" with J. R. R. Tolkien in March 2001.": "The Lord of the Rings|J. R. R. Tolkien",
		"Although Super Bowl 50 was in California, Vincent van Gogh won.":            "Super Bowl 50|California|Vincent van Gogh",
	} {
		if got := texts(Entities(in, Tokens(in))); got != want {
			t.Errorf("Entities(%q)\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestFocus(t *testing.T) {
	for _, c := range []struct {
		in   string
		typ  AnswerType
		head string
		opts string
	}{
		{"who got the first nobel prize in physics", PersonType, "", ""},
		{"The county seat of X is what city?", PlaceType, "city", ""},
		{"What river flows through Vienna?", PlaceType, "river", ""},
		{"What city hosted the 1936 Olympics?", PlaceType, "city", ""},
		{"In what year was the museum founded?", YearType, "year", ""},
		{"how many seats are in the senate", NumberType, "seats", ""},
		{"What is the name of the author of Emma?", PersonType, "author", ""},
		{"what is nginx", Description, "", ""},
		{"Who was Ada Lovelace?", Description, "", ""},
		{"Who was the first president?", PersonType, "", ""},
		{"Are both A and B American?", YesNo, "", ""},
		{"Which film was released earlier, Charuulata 2011 or Abc Africa?", Choice, "film", "Charuulata 2011|Abc Africa"},
		{"Who was born first, Ada Lovelace or Alan Turing?", Choice, "", "Ada Lovelace|Alan Turing"},
		{"Who was born first Ada Lovelace or Alan Turing?", Choice, "", "Ada Lovelace|Alan Turing"},
		{"Is Paris or London larger?", Choice, "", "Paris|London"},
		{"Between Paris and London, which is larger?", Choice, "", "Paris|London"},
		{"For shell scripts, should I call apt or apt-get?", Choice, "", "apt|apt-get"},
		{"Is post-update or post-receive the hook for me?", Choice, "", "post-update|post-receive"},
		{"While folding commits: does squash or fixup leave out the message?", Choice, "", "squash|fixup"},
		{"A lot would be lost. git clean -x or git clean -X?", Choice, "", "git clean -x|git clean -X"},
		{"In a merge, is reset --keep the mode or reset --merge?", Choice, "", "reset --keep|reset --merge"},
		{"stash pop or stash apply, which of them keeps the entry?", Choice, "", "stash pop|stash apply"},
		{"Which backend sees renames, apply or merge?", Choice, "", "apply|merge"},
		{"Can I copy or move a file?", YesNo, "", ""},
		{"Is the red car or the bike faster?", Choice, "", "car|bike"},
		{"What is Edward Gunasekara's occupation?", EntityType, "", ""},
		{"What percentage of people vote?", PercentType, "percentage", ""},
		{"how long did the war last", DurationType, "", ""},
		{"The film starring X was directed by who?", PersonType, "", ""},
		{"The man who directed Grey Harbour passed away when exactly?", DateType, "", ""},
		{"Grey Harbour, who directed it I forget, but where did that director die?", PlaceType, "", ""},
		{"Ulla Brandt and Jens Holm, are they of one nationality?", YesNo, "", ""},
		{"May Morris's father was a native of what city?", PlaceType, "city", ""},
		{"Grey Harbour: death date of its director?", DateType, "date", ""},
		{"She sang in Oslo. Her date of birth?", DateType, "date", ""},
		{"I'd like the year that man was born.", YearType, "year", ""},
		{"Where was the man who wrote Emma born?", PlaceType, "", ""},
		{"why is the sky blue", Description, "", ""},
		{"", Unknown, "", ""},
	} {
		q := Focus(c.in)
		if q.Type != c.typ || c.head != "" && q.Head != c.head || texts(q.Options) != c.opts {
			t.Errorf("Focus(%q) = %v head %q options %q", c.in, q.Type, q.Head, texts(q.Options))
		}
	}
}

func FuzzLang(f *testing.F) {
	for _, s := range []string{"", "Who was born first, A or B?", "U.S. J. K. “x” 1,2,3 $5 % 12 March 1999 or or", "\xff\xfe'’s", "a or", "between A and B more"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		toks := Tokens(s)
		at := 0
		for i, tok := range toks {
			if tok.Start < at || tok.End <= tok.Start || tok.End > len(s) || s[tok.Start:tok.End] != tok.Text {
				t.Fatalf("token %d of %q: %+v", i, s, tok)
			}
			at = tok.End
		}
		check := func(what string, spans []Span, tokens bool) {
			at := 0
			for _, sp := range spans {
				if sp.Start < at && what != "options" || sp.End <= sp.Start || sp.End > len(s) || s[sp.Start:sp.End] != sp.Text {
					t.Fatalf("%s of %q: %+v", what, s, sp)
				}
				if tokens && (sp.From < 0 || sp.To <= sp.From || sp.To > len(toks)) {
					t.Fatalf("%s of %q: %+v", what, s, sp)
				}
				at = sp.End
			}
		}
		check("sentences", Sentences(s), false)
		check("values", Values(nil, s, toks), true)
		check("entities", Entities(s, toks), true)
		q := Focus(s)
		check("options", q.Options, true)
		if q.HeadFrom > q.HeadTo || q.HeadTo > len(toks) && q.Head != "" || q.WhAt >= len(toks) {
			t.Fatalf("focus of %q: %+v", s, q)
		}
		if utf8.ValidString(s) != utf8.ValidString(Norm(s)) && utf8.ValidString(s) {
			t.Fatalf("norm of %q is not valid", s)
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	s := strings.Repeat("The University of Oxford was founded in 1096 by nobody in particular, said Mr. Smith. ", 30)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	dst := make([]Token, 0, 1000)
	for b.Loop() {
		dst = AppendTokens(dst[:0], s)
	}
}

func BenchmarkFocus(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Focus("Which film was released earlier, Charuulata 2011 or Abc Africa?")
	}
}

func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	for _, unit := range []string{"y", "A ", "A.", "or ", "\"A ", "of The ", "1,000 ", "hundred ", ". ", "’s", "March 1 ", "a, B or ", "what is ", "\x80", "(((("} {
		s := strings.Repeat(unit, 64<<10/len(unit))
		start := time.Now()
		toks := Tokens(s)
		Sentences(s)
		Values(nil, s, toks)
		Entities(s, toks)
		Focus(s)
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("64 KiB of %q took %v", unit, d)
		} else {
			t.Logf("%q %v", unit, d)
		}
	}
}
