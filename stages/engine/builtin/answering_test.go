package builtin

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"hopstream/messages"
)

func win(passage, title, text string) messages.Window {
	return messages.Window{Passage: passage, Title: title, Text: text, Scale: 250, Score: 0.5}
}

var library = []messages.Window{
	win("ada", "Ada Lovelace", "Ada Lovelace (10 December 1815 – 27 November 1852) was an English mathematician and writer, chiefly known for her work on the Analytical Engine. She was born in London."),
	win("alan", "Alan Turing", "Alan Mathison Turing (23 June 1912 – 7 June 1954) was an English mathematician and computer scientist. He was born in Maida Vale, London."),
	win("curie", "Marie Curie", "Marie Curie (7 November 1867 – 4 July 1934) was a Polish and naturalised-French physicist who won two Nobel Prizes. She married Pierre Curie in 1895."),
	win("dune", "Dune (novel)", "Dune is a 1965 epic science fiction novel by American author Frank Herbert. It is 412 pages long."),
	win("everest", "Mount Everest", "Mount Everest is Earth's highest mountain above sea level. Its elevation of 8,849 m was established in 2020 by China and Nepal."),
}

func TestAnswer(t *testing.T) {
	e := New(Options{})
	for _, c := range []struct{ question, want, source string }{
		{"When was Ada Lovelace born?", "10 December 1815", "ada"},
		{"When did Alan Turing die?", "7 June 1954", "alan"},
		{"Who wrote the novel Dune?", "Frank Herbert", "dune"},
		{"who was marie curie married to", "Pierre Curie", "curie"},
		{"In what year was the novel Dune published?", "1965", "dune"},
		{"Who was born first, Ada Lovelace or Alan Turing?", "Ada Lovelace", "ada"},
		{"Were Ada Lovelace and Alan Turing of the same nationality?", "yes", "ada"},
		{"Were both Ada Lovelace and Alan Turing mathematicians?", "yes", "ada"},
	} {
		f, err := e.Answer(context.Background(), c.question, library)
		if err != nil || f.Text != c.want {
			t.Errorf("Answer(%q) = %q, %v; want %q", c.question, f.Text, err, c.want)
			continue
		}
		if len(f.Sources) == 0 || f.Sources[0].ID != c.source {
			t.Errorf("Answer(%q) cites %v, want %s first", c.question, f.Sources, c.source)
		}
		if f.Confidence <= 0 || f.Confidence >= 1 {
			t.Errorf("Answer(%q) has confidence %v", c.question, f.Confidence)
		}
	}
}

func TestAnswerBehindThePreposition(t *testing.T) {
	t.Parallel()
	windows := []messages.Window{win("p", "Polonium", "Polonium is named after Poland, the homeland of Marie Curie. Marie Curie named it after the discovery.")}
	for question, want := range map[string]string{
		"What is polonium named after?":          "Poland",
		"Which country is polonium named after?": "Poland",
		"Who is Poland the homeland of?":         "Marie Curie",
		"Who named polonium?":                    "Marie Curie",
	} {
		if f, err := New(Options{}).Answer(t.Context(), question, windows); err != nil || f.Text != want {
			t.Errorf("%s: %q (%v), want %q", question, f.Text, err, want)
		}
	}
}

// TestNothingOfThatName holds that a question about what no passage names is
// not answered, and that one name of several is enough.
func TestNothingOfThatName(t *testing.T) {
	t.Parallel()
	for question, answered := range map[string]bool{
		"Who discovered penicillin?":                    false,
		"When was Grace Hopper born?":                   false,
		"When was Grace Hopper, or Ada Lovelace, born?": true,
		"When was the mathematician born?":              true,
	} {
		if f, err := New(Options{}).Answer(t.Context(), question, library); err != nil || (f.Text != "") != answered {
			t.Errorf("%s: %q, %v", question, f.Text, err)
		}
	}
}

func TestAnswerHonest(t *testing.T) {
	e := New(Options{})
	for _, w := range [][]messages.Window{nil, {}, {win("x", "", "")}, {win("x", "", "...")}} {
		if f, err := e.Answer(context.Background(), "Who wrote Dune?", w); err != nil || f.Text != "" || len(f.Sources) != 0 {
			t.Errorf("Answer over %v = %+v, %v; want nothing", w, f, err)
		}
	}
	if f, _ := e.Answer(context.Background(), "  ", library); f.Text != "" {
		t.Errorf("an empty question got %q", f.Text)
	}
}

func TestRelevant(t *testing.T) {
	e := New(Options{})
	var ps []messages.Passage
	for i := range 7 {
		ps = append(ps, messages.Passage{ID: fmt.Sprint(i), Title: fmt.Sprintf("Village %d", i), Text: "A village with a church and a mill.", Rank: i + 1})
	}
	ps = append(ps, messages.Passage{ID: "ada", Title: "Ada Lovelace", Text: library[0].Text, Rank: 8})
	got, err := e.Relevant(context.Background(), "When was Ada Lovelace born?", ps)
	if err != nil || len(got) != len(ps) || !got[7] {
		t.Fatalf("Relevant = %v, %v; want the last to be relevant", got, err)
	}
	n := 0
	for _, ok := range got {
		if ok {
			n++
		}
	}
	if n > 3 {
		t.Errorf("%d passages are relevant, want at most 3", n)
	}
	got, _ = e.Relevant(context.Background(), "zzz", ps)
	if !reflect.DeepEqual(got[0], true) {
		t.Errorf("with nothing in common the best must stay: %v", got)
	}
}

func TestEmbed(t *testing.T) {
	e := New(Options{})
	v, err := e.Embed(context.Background(), []string{"Where was Ada Lovelace born?", library[0].Text, library[4].Text, ""})
	if err != nil || len(v) != 4 {
		t.Fatalf("%d vectors, %v", len(v), err)
	}
	cos := func(a, b []float32) (s float64) {
		for i := range a {
			s += float64(a[i]) * float64(b[i])
		}
		return s
	}
	for i := range 3 {
		if n := cos(v[i], v[i]); len(v[i]) != dims || math.Abs(n-1) > 1e-4 {
			t.Errorf("vector %d has %d dims, length %v", i, len(v[i]), n)
		}
	}
	if cos(v[0], v[1]) <= cos(v[0], v[2]) {
		t.Error("the question is not nearest to its own text")
	}
	if cos(v[3], v[3]) != 0 {
		t.Error("a text without words has a direction")
	}
}

// TestFuseClaims holds that a list, as a model finds one, keeps its items.
func TestFuseClaims(t *testing.T) {
	t.Parallel()
	claims := []messages.Claim{{Text: "Aune"}, {Text: "Holm"}}
	f, err := New(Options{}).Fuse(t.Context(), "q", []messages.Finding{
		{Text: "Tarnby", Confidence: 0.2}, {Text: "Aune; Holm", Confidence: 0.6, Claims: claims}}, nil)
	if err != nil || f.Text != "Aune; Holm" || len(f.Claims) != 2 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestFuse(t *testing.T) {
	e := New(Options{})
	src := func(id string) []messages.Source { return []messages.Source{{ID: id}} }
	f, err := e.Fuse(context.Background(), "q", []messages.Finding{
		{Text: "Berlin", Confidence: 0.6, Sources: src("b")},
		{Text: "The Danube", Confidence: 0.4, Sources: src("a")},
		{},
		{Text: "Danube", Confidence: 0.4, Sources: src("c")},
	}, nil)
	if err != nil || f.Text != "The Danube" || len(f.Sources) != 2 {
		t.Errorf("Fuse = %+v, %v", f, err)
	}
	if f, _ := e.Fuse(context.Background(), "q", nil, nil); f.Text != "" {
		t.Errorf("nothing fused to %+v", f)
	}
}

func pair(q, a string) messages.Pair {
	return messages.Pair{Question: q, Answer: a, Confidence: 0.8, Sources: []messages.Source{{ID: q}}}
}

func TestSynthesize(t *testing.T) {
	e := New(Options{})
	for _, c := range []struct {
		question string
		class    messages.Class
		pairs    []messages.Pair
		want     string
	}{
		{"What is the capital of France and when was the tower built?", messages.Compound,
			[]messages.Pair{pair("What is the capital of France?", "Paris"), {Failed: true}, pair("When was the tower built?", "1889")}, "Paris; 1889"},
		{"Where was the author of Dune born?", messages.Complex,
			[]messages.Pair{pair("Who wrote Dune?", "Frank Herbert"), pair("Where was Frank Herbert born?", "Tacoma")}, "Tacoma"},
		{"Which film has the director who was born earlier, Alpha or Beta?", messages.Complex,
			[]messages.Pair{pair("Who directed Alpha?", "Ada Lovelace"), pair("Who directed Beta?", "Alan Turing"),
				pair("When was Ada Lovelace born?", "1815"), pair("When was Alan Turing born?", "23 June 1912")}, "Alpha"},
		{"Who is younger, Ada Lovelace or Alan Turing?", messages.Complex,
			[]messages.Pair{pair("When was Ada Lovelace born?", "1815"), pair("When was Alan Turing born?", "1912")}, "Alan Turing"},
		{"Do the films Alpha and Beta have directors from the same country?", messages.Complex,
			[]messages.Pair{pair("Who directed Alpha?", "Ada Lovelace"), pair("What country is Ada Lovelace from?", "England"),
				pair("Who directed Beta?", "Alan Turing"), pair("What country is Alan Turing from?", "British")}, "yes"},
		{"Which is longer, the Rhine or the Danube?", messages.Complex,
			[]messages.Pair{pair("How long is the Rhine?", "1,230 km"), pair("How long is the Danube?", "2,850 km")}, "the Danube"},
		{"Who?", messages.Complex, []messages.Pair{{Failed: true}}, ""},
		{"Who?", messages.Complex, nil, ""},
	} {
		f, err := e.Synthesize(context.Background(), c.question, c.class, c.pairs)
		if err != nil || f.Text != c.want {
			t.Errorf("Synthesize(%q) = %q, %v; want %q", c.question, f.Text, err, c.want)
		}
		if f.Text != "" && len(f.Sources) == 0 {
			t.Errorf("Synthesize(%q) cites nothing", c.question)
		}
	}
}

func TestConcurrentAndRepeatable(t *testing.T) {
	e := New(Options{})
	want, _ := e.Answer(context.Background(), "Who wrote the novel Dune?", library)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if got, _ := e.Answer(context.Background(), "Who wrote the novel Dune?", library); !reflect.DeepEqual(got, want) {
					t.Errorf("%+v, then %+v", want, got)
				}
				e.Embed(context.Background(), []string{"a text"})
				e.Relevant(context.Background(), "Dune", []messages.Passage{{Title: "Dune", Text: "Dune"}})
			}
		})
	}
	wg.Wait()
}

func TestAnswerLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	e := New(Options{})
	for _, unit := range []string{"y", "A ", "a.", "Who or ", "1 ", "A, B and ", "(1900–", "“A", "of The "} {
		s := strings.Repeat(unit, 8<<10/len(unit))
		var w []messages.Window
		for i := range 8 {
			w = append(w, win(fmt.Sprint(i), s[:100], s))
		}
		start := time.Now()
		e.Answer(context.Background(), s, w)
		e.Answer(context.Background(), "What did A do?", w)
		if d := time.Since(start); d > 3*time.Second {
			t.Errorf("64 KiB of %q took %v", unit, d)
		}
	}
}

func FuzzAnswering(f *testing.F) {
	f.Add("Who was born first, Ada or Alan?", "Ada (1815–1852) was English. Alan, born 1912, was too.", "Ada")
	f.Add("are A and B the same", "A is 5 km. B isn't.", "A (b")
	f.Add("", "\xff(1900 – \"x", "")
	f.Add("why", "because", "x")
	e := New(Options{})
	f.Fuzz(func(t *testing.T, q, text, title string) {
		ctx := context.Background()
		w := []messages.Window{win("1", title, text), win("2", "", text), win("1", title, text+q)}
		got, err := e.Answer(ctx, q, w)
		if err != nil || got.Confidence < 0 || got.Confidence > 1 || math.IsNaN(got.Confidence) || got.Text != "" && len(got.Sources) == 0 {
			t.Fatalf("Answer: %+v, %v", got, err)
		}
		ok, err := e.Relevant(ctx, q, []messages.Passage{{Title: title, Text: text}, {Text: q}})
		if err != nil || len(ok) != 2 || !ok[0] && !ok[1] {
			t.Fatalf("Relevant: %v, %v", ok, err)
		}
		v, err := e.Embed(ctx, []string{q, text})
		if err != nil || len(v) != 2 || math.IsNaN(float64(v[1][0])) {
			t.Fatalf("Embed: %v", err)
		}
		for _, class := range messages.Classes() {
			fs, err := e.Synthesize(ctx, q, class, []messages.Pair{pair(text, title), pair(title, text), pair(q, "1900")})
			if err != nil || fs.Confidence < 0 || fs.Confidence > 1 {
				t.Fatalf("Synthesize: %+v, %v", fs, err)
			}
		}
		if fs, err := e.Fuse(ctx, q, []messages.Finding{got, {Text: text, Confidence: 0.3}}, nil); err != nil || fs.Confidence < 0 || fs.Confidence > 1 {
			t.Fatalf("Fuse: %+v, %v", fs, err)
		}
	})
}
