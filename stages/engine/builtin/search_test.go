package builtin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"hopstream/messages"
	"hopstream/stages/engine/builtin/plan"
)

var shelf = []messages.Passage{
	{ID: "lamp", Title: "Lumen", Text: "The lumen is a unit of light. A lamp of one watt gives many lumens."},
	{ID: "bulb", Title: "Light bulb", Text: "The light of a lamp is measured in lumens."},
	{ID: "bridge", Title: "Lumen Bridge", Text: "The plans of the Lumen Bridge were drawn by Orla Venn. She designed the bridge in Tarn."},
}

func TestKeywords(t *testing.T) {
	t.Parallel()
	e := New(Options{})
	for query, want := range map[string]string{
		"Who designed the Lumen Bridge?":                  "Lumen Bridge|designed",
		"What is John Mayne's occupation?":                "John Mayne|occupation",
		"who designed the lumen bridge":                   "lumen|bridge|designed",
		"In what year did \"The Long Way\" win 2 prizes?": "The Long Way|2|prizes|year|win",
		"Bridge or bridge?":                               "Bridge",
		"Who is he?":                                      "",
		"":                                                "",
		" ?!":                                             "",
	} {
		got, err := e.Keywords(t.Context(), query)
		if err != nil || strings.Join(got, "|") != want {
			t.Errorf("Keywords(%q) = %q, %v; want %q", query, got, err, want)
		}
	}
}

func TestOperators(t *testing.T) {
	t.Parallel()
	e := New(Options{})
	const q = "Who designed the Lumen Bridge?"
	keywords := []string{"Lumen Bridge", "designed"}
	for name, c := range map[string]struct {
		ask      func(context.Context, string, []string, []messages.Passage) (string, error)
		keywords []string
		found    []messages.Passage
		want     string
	}{
		"a name that is missing":      {e.Extend, keywords, shelf, "Lumen Bridge"},
		"a name nearby":               {e.Extend, keywords, shelf[2:], "Orla Venn"},
		"a name nearby, the next":     {e.Extend, []string{"designed", `"Orla Venn"`}, shelf[2:], "Tarn"},
		"nothing found":               {e.Extend, keywords, nil, ""},
		"what is missing":             {e.Emphasise, keywords, shelf[:2], "Lumen Bridge"},
		"nothing is missing":          {e.Emphasise, keywords, shelf[2:], ""},
		"a name in quotes":            {e.Emphasise, []string{`"Lumen Bridge"`}, shelf, `"Lumen Bridge"`},
		"what others have":            {e.Exclude, keywords, shelf, "light"},
		"others of one kind":          {e.Exclude, keywords, shelf[2:], ""},
		"nothing found to be unlike":  {e.Exclude, keywords, nil, ""},
		"a keyword is never unwanted": {e.Exclude, append(keywords, "light", "unit", "lamp"), shelf, ""},
	} {
		if got, err := c.ask(t.Context(), q, c.keywords, c.found); err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	e := New(Options{})
	var library2 []messages.Passage
	for _, w := range library {
		library2 = append(library2, messages.Passage{ID: w.Passage, Title: w.Title, Text: w.Text})
	}
	for _, c := range []struct {
		query string
		found []messages.Passage
		want  bool
	}{
		{"Who designed the Lumen Bridge?", shelf, true},
		{"Who designed the Lumen Bridge?", shelf[:2], false},
		{"Who designed the Harl Bridge?", shelf, false},
		{"Who designed the Lumen Bridge?", nil, false},
		{"", shelf, false},
		{"When was Ada Lovelace born?", library2, true},
		{"When was Ada Lovelace born?", library2[1:], false},
		{"Who was born first, Ada Lovelace or Alan Turing?", library2, true},
		{"Who was born first, Ada Lovelace or Alan Turing?", library2[:1], false},
	} {
		if got, err := e.Verify(t.Context(), c.query, c.found); err != nil || got != c.want {
			t.Errorf("Verify(%q, %d passages) = %v, %v", c.query, len(c.found), got, err)
		}
	}
}

func TestStatement(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"In which town was Orla Venn born?":        "Orla Venn was born in town.",
		"Who designed the Lumen Bridge?":           "Designed the Lumen Bridge.",
		"When did Orla Venn die?":                  "Orla Venn die.",
		"What is the capital of France?":           "The capital of France.",
		"What is John Mayne's occupation?":         "John Mayne's occupation.",
		"Which river flows through Tarn?":          "River flows through Tarn.",
		"In what year was the Lumen Bridge built?": "The Lumen Bridge was built.",
		"How many people live in Tarn?":            "Live in Tarn.",
		"Was Orla Venn born in Tarn?":              "Orla Venn was born in Tarn.",
		"":                                         "",
		"Who?":                                     "",
		"orla venn bridge":                         "Orla venn bridge.",
	} {
		if got := plan.Statement(question); got != want {
			t.Errorf("Statement(%q) = %q, want %q", question, got, want)
		}
	}
}

func TestPseudoDocument(t *testing.T) {
	t.Parallel()
	e := New(Options{})
	got, err := e.PseudoDocument(t.Context(), "Who designed the Lumen Bridge?", shelf)
	if err != nil || !strings.HasPrefix(got, "Designed the Lumen Bridge. The plans of the Lumen Bridge were drawn by Orla Venn.") || len(got) > maxPseudo {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := e.PseudoDocument(t.Context(), "Who designed the Lumen Bridge?", nil); err != nil || got != "Designed the Lumen Bridge." {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := e.PseudoDocument(t.Context(), "", nil); err != nil || got != "" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestStatements holds that answers of several sentences become a statement each,
// which is said once.
func TestStatements(t *testing.T) {
	e := New(Options{})
	got, err := e.Statements(t.Context(), "q", []string{"Orla Venn designed the bridge. It is 310 metres long.", "Orla Venn designed the bridge.", " "})
	if want := []string{"Orla Venn designed the bridge.", "It is 310 metres long."}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := e.Statements(t.Context(), "q", []string{strings.Join(numbered(messages.MaxQueries+4), " ")}); err != nil || len(got) != messages.MaxQueries {
		t.Errorf("%d statements, %v", len(got), err)
	}
}

// numbered are n sentences, each another.
func numbered(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("The town has number %d in the list.", i)
	}
	return out
}

func TestHypothesise(t *testing.T) {
	t.Parallel()
	e := New(Options{})
	got, err := e.Hypothesise(t.Context(), "Who designed the Lumen Bridge, and when was Orla Venn born?")
	if want := []string{"Designed the Lumen Bridge.", "Orla Venn was born."}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if got, err := e.Hypothesise(t.Context(), " "); err != nil || len(got) != 0 {
		t.Errorf("%q, %v", got, err)
	}
}

func TestSearchRolesStop(t *testing.T) {
	t.Parallel()
	e := New(Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for i, ask := range []func() error{
		func() error { _, err := e.Keywords(ctx, "q"); return err },
		func() error { _, err := e.Extend(ctx, "q", nil, shelf); return err },
		func() error { _, err := e.Emphasise(ctx, "q", nil, shelf); return err },
		func() error { _, err := e.Exclude(ctx, "q", nil, shelf); return err },
		func() error { _, err := e.Verify(ctx, "q", shelf); return err },
		func() error { _, err := e.PseudoDocument(ctx, "q", shelf); return err },
		func() error { _, err := e.Hypothesise(ctx, "q"); return err },
	} {
		if err := ask(); !errors.Is(err, context.Canceled) {
			t.Error(i, err)
		}
	}
}

// FuzzSearchRoles gives the roles any texts: none fails or comes back changed
// the second time, and what they return is text.
func FuzzSearchRoles(f *testing.F) {
	f.Add("Who designed the Lumen Bridge?", "Lumen Bridge", "The plans of the Lumen Bridge were drawn by Orla Venn.", `"Lumen Bridge"`)
	f.Add("In which", "(", "?! \"", `"`)
	f.Add("\xff who or what, and \x00 when", "\xff", "\xff. \xfe Orla.", "\xff")
	f.Fuzz(func(t *testing.T, query, title, text, keyword string) {
		e := New(Options{})
		ctx := context.Background()
		found := append([]messages.Passage{{ID: "x", Title: title, Text: text}, {ID: "y", Text: title}}, shelf...)
		all := func() string {
			keywords, err0 := e.Keywords(ctx, query)
			used := append(slices.Clone(keywords), keyword)
			extend, err1 := e.Extend(ctx, query, used, found)
			emphasise, err2 := e.Emphasise(ctx, query, used, found)
			exclude, err3 := e.Exclude(ctx, query, used, found)
			yes, err4 := e.Verify(ctx, query, found)
			pseudo, err5 := e.PseudoDocument(ctx, query, found)
			facts, err6 := e.Hypothesise(ctx, query)
			if err := errors.Join(err0, err1, err2, err3, err4, err5, err6); err != nil {
				t.Fatal(err)
			}
			if emphasise != "" && !slices.Contains(used, emphasise) {
				t.Errorf("%q is none of %q", emphasise, used)
			}
			return fmt.Sprint(keywords, extend, emphasise, exclude, yes, pseudo, facts)
		}
		got := all()
		if again := all(); got != again {
			t.Errorf("%s, then %s", got, again)
		}
		if utf8.ValidString(query+title+text+keyword) && !utf8.ValidString(got) {
			t.Errorf("no text: %q", got)
		}
	})
}

func BenchmarkSearchRoles(b *testing.B) {
	e := New(Options{})
	ctx := context.Background()
	const q = "Who designed the Lumen Bridge?"
	b.ReportAllocs()
	for b.Loop() {
		keywords, _ := e.Keywords(ctx, q)
		_, _ = e.Verify(ctx, q, shelf)
		_, _ = e.Extend(ctx, q, keywords, shelf)
		_, _ = e.Emphasise(ctx, q, keywords, shelf)
		_, _ = e.Exclude(ctx, q, keywords, shelf)
	}
}
