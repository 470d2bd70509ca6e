package render

import (
	"bytes"
	"strings"
	"testing"

	"hopstream/messages"
)

func modelAnswer() *messages.Answer {
	return &messages.Answer{ID: "q", Status: messages.Answered, Answer: "Goethe", Class: messages.Single, Steps: 1,
		Usage: messages.Usage{ModelCalls: 7, PromptTokens: 2310, CompletionTokens: 118, Roles: []messages.RoleUsage{
			{Role: "answerer", Calls: 3, PromptTokens: 2000, CompletionTokens: 100, QueueMS: 5, ModelMS: 900},
			{Role: "router", Calls: 4, PromptTokens: 310, CompletionTokens: 18, ModelMS: 400},
		}}}
}

func TestTreeTellsModelUse(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	a := modelAnswer()
	if err := Answer(&b, a, true); err != nil || !strings.HasSuffix(b.String(), "\n7 model calls · 2,310 + 118 tokens · answerer 3, router 4\n") {
		t.Errorf("%v\n%s", err, b.String())
	}
	b.Reset()
	a.Usage = messages.Usage{ModelCalls: 1, PromptTokens: 1_234_567}
	if err := Answer(&b, a, true); err != nil || !strings.HasSuffix(b.String(), "\n1 model call · 1,234,567 + 0 tokens\n") {
		t.Errorf("%v\n%s", err, b.String())
	}
	b.Reset()
	a.Usage = messages.Usage{}
	if err := Answer(&b, a, true); err != nil || strings.Contains(b.String(), "model call") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestAnswerLineTellsRoles(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	a := modelAnswer()
	want := `"usage":{"model_calls":7,"prompt_tokens":2310,"completion_tokens":118,"roles":[` +
		`{"role":"answerer","calls":3,"prompt_tokens":2000,"completion_tokens":100,"queue_ms":5,"model_ms":900},` +
		`{"role":"router","calls":4,"prompt_tokens":310,"completion_tokens":18,"queue_ms":0,"model_ms":400}]}`
	if err := JSON(&b, a, false); err != nil || !strings.Contains(b.String(), want) {
		t.Errorf("%v\n%s", err, b.String())
	}
	b.Reset()
	a.Usage = messages.Usage{}
	if err := JSON(&b, a, false); err != nil || !strings.Contains(b.String(), `"usage":{"model_calls":0,"prompt_tokens":0,"completion_tokens":0},`) {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// TestTreeTellsWhoseWorkAHopIs holds that a reader sees why a hop cost nothing.
func TestTreeTellsWhoseWorkAHopIs(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	a := modelAnswer()
	a.Hops = []messages.Hop{{Round: 1, Branch: 1, Question: "who?", Answer: "Goethe", Shared: "other.2.1"}}
	if err := Answer(&b, a, true); err != nil || !strings.Contains(b.String(), "found by other.2.1\n") {
		t.Errorf("%v\n%s", err, b.String())
	}
	key := messages.Key{ID: "q", Round: 1, Branch: 2}
	m := &messages.Generate{Answered: &messages.Pair{Answer: "Goethe", Shared: "other.2.1"}}
	if got := hopLine(m.Kind(), key, m); got != "1.2 found by other.2.1" {
		t.Error(got)
	}
}

// searchedAnswer has a hop of two searchers and one that failed, one without
// an answer, and one of which nothing is known.
func searchedAnswer() *messages.Answer {
	curie := messages.Find{Source: messages.Source{ID: "marie-curie", Title: "Marie Curie"}, By: []string{"bm25", "links"}}
	page := messages.Source{ID: "https://example.org/warsaw", Title: "Warsaw", URL: "https://example.org/warsaw"}
	return &messages.Answer{ID: "q", Status: messages.Answered, Answer: "Warsaw", Class: messages.Compound, Steps: 1, LatencyMS: 2,
		Citations: []messages.Source{{ID: "marie-curie", Title: "Marie Curie"}, page},
		Hops: []messages.Hop{
			{Round: 1, Branch: 1, Question: "Where?", Answer: "Warsaw", Passages: []string{"marie-curie"},
				Found: []messages.Find{curie, {Source: page, By: []string{"web"}}}},
			{Round: 1, Branch: 2, Question: "When?", Passages: []string{}, Error: "no answer found",
				Found: []messages.Find{curie}, Queries: []string{"She died\nin 1934.", "She died in 1935."}, Degraded: []string{"dense: timeout", "web: JSON is off"}},
			{Round: 1, Branch: 3, Question: "Why?", Answer: "Because", Passages: []string{"a", "b"}},
		}}
}

func TestTreeTellsWhoFoundWhat(t *testing.T) {
	t.Parallel()
	const want = `Warsaw
  (no evidence)
  [1] Marie Curie (marie-curie)
  [2] Warsaw (https://example.org/warsaw)
compound · 1 step · 3 hops · 2.0 ms
├─ 1.1 Where?
│      → Warsaw  [marie-curie (bm25, links)]
│      also read  [https://example.org/warsaw (web)]
├─ 1.2 When?
│      → (no answer found)
│      searched for  She died in 1934.
│      searched for  She died in 1935.
│      also read  [marie-curie (bm25, links)]
│      ! dense: timeout
│      ! web: JSON is off
└─ 1.3 Why?
       → Because  [a, b]
`
	var b bytes.Buffer
	if err := Answer(&b, searchedAnswer(), true); err != nil || b.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, b.String(), want)
	}
}

func TestAnswerLineTellsWhoFoundWhat(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := JSON(&b, searchedAnswer(), false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"passages":["marie-curie"],"found":[{"id":"marie-curie","title":"Marie Curie","by":["bm25","links"]},` +
			`{"id":"https://example.org/warsaw","title":"Warsaw","url":"https://example.org/warsaw","by":["web"]}]}`,
		`"degraded":["dense: timeout","web: JSON is off"],"queries":["She died\nin 1934.","She died in 1935."]}`,
		`{"round":1,"branch":3,"question":"Why?","answer":"Because","passages":["a","b"]}`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s\ndoes not hold\n%s", b.String(), want)
		}
	}
}

func TestLiveLineTellsWhoFailed(t *testing.T) {
	t.Parallel()
	m := &messages.Filter{Passages: make([]messages.Passage, 2), Degraded: []string{"web: timeout"}}
	if got := hopLine(messages.KindFilter, messages.Key{Round: 1, Branch: 2}, m); got != "1.2 found   2 passages  ! web: timeout" {
		t.Error(got)
	}
	for n, want := range map[int]string{0: "2 passages", 1: "2 passages by 1 query", 5: "2 passages by 5 queries"} {
		m := &messages.Filter{Passages: make([]messages.Passage, 2), Queries: make([]string, n)}
		if line, got := hopLine(messages.KindFilter, messages.Key{Round: 1, Branch: 2}, m), summary(m); line != "1.2 found   "+want || got != want {
			t.Errorf("%q and %q, want %q", line, got, want)
		}
	}
}

// TestRecordsHaveTheirFields holds that a claim that is a record shows each of its
// fields, and that what a terminal would obey is not shown.
func TestRecordsHaveTheirFields(t *testing.T) {
	t.Parallel()
	a := &messages.Answer{ID: "q", Status: messages.Answered, Answer: "Donepezil; Memantine", Class: messages.Single,
		Citations: []messages.Source{{ID: "drugs#1"}, {ID: "drugs#2"}},
		Claims: []messages.Claim{
			{Text: "Donepezil", Citations: []messages.Source{{ID: "drugs#2"}}, Fields: []messages.Field{{Name: "active molecule", Value: "donepezil\nhydrochloride"}, {Name: "approved"}}},
			{Text: "Memantine\x1b[2J"},
		}}
	const want = `Donepezil; Memantine
  - Donepezil  [2]
    active molecule: donepezil hydrochloride
    approved: not known
  - Memantine[2J
`
	var b bytes.Buffer
	if err := Answer(&b, a, false); err != nil || !strings.HasPrefix(b.String(), want) {
		t.Errorf("%v\n%s\nwant\n%s", err, b.String(), want)
	}
	b.Reset()
	if err := JSON(&b, a, false); err != nil || !strings.Contains(b.String(), `"fields":[{"name":"active molecule","value":"donepezil\nhydrochloride"},{"name":"approved"}]`) {
		t.Errorf("%v\n%s", err, b.String())
	}
}
