package render

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/messages"
)

// quoted is an answer with one quote.
func quoted(e messages.Evidence) *messages.Answer {
	return &messages.Answer{ID: "q", Status: messages.Answered, Answer: "Mina Quist", Class: messages.Single, Evidence: []messages.Evidence{e}}
}

// printed is what a view prints of an answer.
func printed(t *testing.T, v View, a *messages.Answer) string {
	t.Helper()
	var b bytes.Buffer
	if err := v.Answer(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestQuotesAndPlaces(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]messages.Evidence{
		"Mina Quist\n  “Written by Mina Quist.”\n    — handbook/safety.md#3, Approval › Dates, lines 41–44\n": {
			ID: "handbook/safety.md#3", Title: "Safety", Heading: "Approval › Dates", Lines: [2]int{41, 44}, Quote: "Written\n   by Mina Quist."},
		"Mina Quist\n  “Mina Quist”\n    — quist (On Quist), line 7, page 2\n": {
			ID: "quist", Title: "On Quist", Lines: [2]int{7, 7}, Page: 2, Quote: "Mina Quist"},
		"Mina Quist\n  “Approval: Dates: Mina Quist wrote it.”\n    — d\n": {
			ID: "d", Quote: "# Approval\n\n## Dates\n\nMina Quist\nwrote it."},
		"Mina Quist\n  “Mina Quist”\n    — https://example.org/q\n": {
			ID: "web:1", URL: "https://example.org/q", Quote: "Mina Quist"},
		"Mina Quist\n    │ | name | year |\n    │ |---|---|\n    │ | Mina Quist | 1998 |\n    — t\n": {
			ID: "t", Quote: "| name | year |\n|---|---|\n| Mina Quist | 1998 |\n"},
		"Mina Quist\n    │ ```go\n    │ \tauthor := \"Mina Quist\"\n    │ ```\n    — c\n": {
			ID: "c", Quote: "```go\n\tauthor := \"Mina Quist\"\n```"},
		"Mina Quist\n  “[31mMina Quist”\n    — x\n": {
			ID: "x\x07", Quote: "\x1b[31mMina\u202e Quist"}, // what a terminal would obey is left out
	} {
		if got := printed(t, View{}, quoted(e)); got != want {
			t.Errorf("printed\n%s\nwant\n%s", got, want)
		}
	}
}

func TestAnswersWithoutEvidence(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]*messages.Answer{
		"391\n  (no document was asked)\n":     {Status: messages.Answered, Answer: "391", Class: messages.Straightforward},
		"Oslo\n  (no evidence)\n":              {Status: messages.Answered, Answer: "Oslo", Class: messages.Single},
		"(unanswered: the documents do not)\n": {Status: messages.Unanswered, Class: messages.Single, Error: "the documents do not"},
	} {
		if got := printed(t, View{}, a); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestMark(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, phrase, want string }{
		{"by MINA\u00a0Quist, and Mina", "Mina Quist", "by <MINA\u00a0Quist>, and Mina"},
		{"on 4 July 1934 in Passy", "4 July 1934", "on <4 July 1934> in Passy"},
		{"born in Norway's Oslo", "Oslo, Norway", "born in <Norway>'s <Oslo>"}, // not as a whole: word by word
		{"it is in the hall", "in the end", "it is in the hall"},               // small words tell nothing
		{"Quistian", "Quist", "Quistian"},
		{"nothing", "", "nothing"},
		{"Émile Zola", "émile zola", "<Émile Zola>"},
	} {
		got := strings.NewReplacer(bold, "<", reset, ">").Replace(mark(c.text, []string{c.phrase}))
		if got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.phrase, c.text, got, c.want)
		}
	}
}

// TestLinks holds that a passage links to its file where there is one below a
// folder, and to nothing else.
func TestLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "hand book", "a.md")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	url := "file://" + strings.ReplaceAll(filepath.ToSlash(file), " ", "%20")
	v := View{Styled: true, Folders: []string{t.TempDir(), dir}}
	for id, want := range map[string]string{
		"hand book/a.md#3": url, "hand book/a.md": url, "hand book": "", "none.md": "", "../a.md": "", "/etc/hostname": "", "": "",
	} {
		if got := v.target(&messages.Evidence{ID: id}); got != want {
			t.Errorf("%q links to %q, want %q", id, got, want)
		}
	}
	if got := (View{Folders: []string{file}}).target(&messages.Evidence{ID: "a.md#0"}); got != url {
		t.Errorf("a file that was given itself links to %q", got)
	}
	for page, want := range map[string]string{"https://example.org/a": "https://example.org/a", "javascript:alert(1)": "", "file:///etc/passwd": ""} {
		if got := v.target(&messages.Evidence{ID: "w", URL: page}); got != want {
			t.Errorf("%s links to %q", page, got)
		}
	}
	out := printed(t, v, quoted(messages.Evidence{ID: "hand book/a.md#3", Quote: "Mina Quist"}))
	if want := "— \x1b]8;;" + url + "\x1b\\hand book/a.md#3\x1b]8;;\x1b\\\n"; !strings.Contains(out, want) || !strings.Contains(out, bold+"Mina Quist"+reset) {
		t.Errorf("%q", out)
	}
	if out := printed(t, View{Folders: v.Folders}, quoted(messages.Evidence{ID: "hand book/a.md#3", Quote: "Mina Quist"})); strings.Contains(out, "\x1b") {
		t.Errorf("marks without a terminal: %q", out)
	}
}

// TestTreeQuotes holds that a hop's quotes are printed where the answer lacks
// them.
func TestTreeQuotes(t *testing.T) {
	t.Parallel()
	there, lacking := messages.Evidence{ID: "a", Quote: "Mina Quist", End: 10}, messages.Evidence{ID: "b", Quote: "Arlen", End: 5}
	a := quoted(there)
	a.Hops = []messages.Hop{{Round: 1, Branch: 1, Question: "Who?", Answer: "Mina Quist", Evidence: []messages.Evidence{there, lacking}}}
	out := printed(t, View{Tree: true}, a)
	if strings.Count(out, "“Mina Quist”") != 1 || !strings.Contains(out, "       “Arlen”\n         — b\n") {
		t.Error(out)
	}
}

func TestTraceShowsSpans(t *testing.T) {
	t.Parallel()
	m := &messages.Generate{Head: messages.Head{Round: 1, Branch: 2}, Query: "Where?",
		Passages: []messages.Passage{{ID: "a", Text: "Mina Quist lives in\nOslo."}},
		Spans:    []messages.Span{{Passage: 0, From: 11, To: 25, Scale: 150, Score: 0.5}, {Passage: 3}, {Passage: 0, From: 20, To: 99}}}
	var b bytes.Buffer
	spans(&b, m)
	const want = "\naligned for 1.2  Where?\n  a, 11–25, scale 150, score 0.50: “lives in Oslo.”\n  a, 20–99, scale 0, score 0.00: “Oslo.”\n"
	if b.String() != want {
		t.Errorf("%q", b.String())
	}
	if got := summary(m); got != "1 passage, 3 spans" {
		t.Error(got)
	}
	key := messages.Key{Round: 1, Branch: 2}
	if got := hopLine(messages.KindGenerate, key, m); got != "1.2 aligned 3 spans" {
		t.Error(got)
	}
	m.Spans = nil
	if got, line := summary(m), hopLine(messages.KindGenerate, key, m); got != "1 passage" || line != "1.2 kept    1 passage" {
		t.Error(got, line)
	}
}

func TestLineCarriesEvidence(t *testing.T) {
	t.Parallel()
	a := quoted(messages.Evidence{ID: "a", Lines: [2]int{4, 5}, Quote: "Mina Quist", End: 10})
	a.Confidence = 0.75
	var b bytes.Buffer
	if err := JSON(&b, a, false); err != nil {
		t.Fatal(err)
	}
	if want := `"confidence":0.75,`; !strings.Contains(b.String(), want) {
		t.Errorf("no %s in %s", want, b.String())
	}
	if want := `"evidence":[{"id":"a","lines":[4,5],"quote":"Mina Quist","start":0,"end":10}],`; !strings.Contains(b.String(), want) {
		t.Errorf("no %s in %s", want, b.String())
	}
}
