package generator_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/stages/engine/roles"
	"hopstream/stages/evidence"
	"hopstream/stages/generator"
)

// asked is a single question with its passages, aligned.
func asked(question string) *messages.Generate {
	passages := []messages.Passage{
		{ID: "ferry.md#1", Title: "Ferry", Text: "Greta Olsen is the captain. She joined in 1998.", Place: messages.Place{Heading: "Crew", Lines: messages.Lines{{0, 41}}}},
		{ID: "https://a", Title: "Port", Text: "The port opens at six. The captain lives there.", URL: "https://a/?x"},
	}
	return &messages.Generate{
		Head: head(messages.Single, 1, 1, 1), Query: question, Passages: passages, Spans: evidence.Align(question, passages, evidence.Scales(), 4),
		Found: messages.Finds(passages),
	}
}

func answers(f messages.Finding) *roles.Set {
	return &roles.Set{AnswerFunc: func(context.Context, string, []messages.Window) (messages.Finding, error) { return f, nil }}
}

// TestAnswersShowTheirEvidence gives answers as engines do that cite rightly,
// wrongly, or not at all.
func TestAnswersShowTheirEvidence(t *testing.T) {
	t.Parallel()
	captain := messages.Evidence{ID: "ferry.md#1", Title: "Ferry", Heading: "Crew", Lines: [2]int{41, 41}, Quote: "Greta Olsen is the captain.", Start: 0, End: 27}
	for name, c := range map[string]struct {
		finding    messages.Finding
		quotes     int
		first      string
		cited      []string
		confidence float64
	}{
		"found":               {messages.Finding{Text: "Greta Olsen", Confidence: 0.8, Sources: []messages.Source{{ID: "ferry.md#1", Title: "Ferry"}}}, 1, captain.Quote, []string{"ferry.md#1"}, 0.8},
		"cites nothing":       {messages.Finding{Text: "at six", Confidence: 0.8}, 1, "The port opens at six.", []string{"https://a"}, 0.8},
		"cites wrongly":       {messages.Finding{Text: "at six", Confidence: 0.8, Sources: []messages.Source{{ID: "ferry.md#1"}}}, 1, "The port opens at six.", []string{"ferry.md#1", "https://a"}, 0.8},
		"quotes":              {messages.Finding{Text: "she is", Confidence: 0.8, Evidence: []messages.Evidence{{ID: "ferry.md#1", Quote: "greta  olsen"}}}, 1, captain.Quote, []string{"ferry.md#1"}, 0.8},
		"quotes the question": {messages.Finding{Text: "Hans", Confidence: 0.8, Evidence: []messages.Evidence{{Quote: "Who is the cook of the ferry?"}}}, 0, "", nil, 0.4},
		"invents":             {messages.Finding{Text: "Hans Meier", Confidence: 0.8}, 0, "", nil, 0.4},
		"finds nothing":       {messages.Finding{}, 0, "", nil, 0},
	} {
		a := handle(t, answers(c.finding), asked("Who is the cook of the ferry?")).(*messages.Answer)
		if a.Evidence == nil || a.Hops[0].Evidence == nil || len(a.Evidence) < c.quotes || c.quotes == 0 && len(a.Evidence) > 0 || a.Confidence != c.confidence {
			t.Errorf("%s: %+v", name, a)
			continue
		}
		var cited []string
		for _, s := range a.Citations {
			cited = append(cited, s.ID)
		}
		if c.quotes > 0 && !strings.HasPrefix(a.Evidence[0].Quote, c.first) || len(cited) < len(c.cited) || c.cited == nil && cited != nil {
			t.Errorf("%s: cites %q, quotes %+v", name, cited, a.Evidence)
		}
		if c.first == captain.Quote && !reflect.DeepEqual(a.Evidence[0], captain) {
			t.Errorf("%s: %+v", name, a.Evidence[0])
		}
		if (a.Status == messages.Answered) != (c.finding.Text != "") {
			t.Errorf("%s: %s", name, a.Status)
		}
	}
}

func TestRequiredEvidence(t *testing.T) {
	t.Parallel()
	g := generator.New(answers(messages.Finding{Text: "Hans Meier", Confidence: 0.8}), generator.Options{RequireEvidence: true, Escalate: generator.EscalateNever})
	out, err := g.Handle(t.Context(), asked("Who is the cook?"))
	if err != nil {
		t.Fatal(err)
	}
	if a := out[0].(*messages.Answer); a.Status != messages.Unanswered || a.Answer != "" || a.Error != generator.Unsupported {
		t.Errorf("%+v", a)
	}
	for quotes, want := range map[int]messages.Status{0: messages.Unanswered, 1: messages.Answered} {
		in := &messages.Generate{Head: head(messages.Compound, 1, 0, 0)}
		in.Pairs = []messages.Pair{{Round: 1, Branch: 1, Question: "a?", Answer: "a", Evidence: make([]messages.Evidence, quotes)}}
		out, err := g.Handle(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if a := out[0].(*messages.Answer); a.Status != want {
			t.Errorf("%d quotes: %+v", quotes, a)
		}
	}
}

// TestUnsure holds that an answer below the threshold is not given, and that
// what was found is shown.
func TestUnsure(t *testing.T) {
	t.Parallel()
	pair := messages.Pair{Round: 1, Branch: 1, Question: "a?", Answer: "a", Evidence: []messages.Evidence{{ID: "x", Quote: "a", End: 1}}}
	whole := &messages.Generate{Head: head(messages.Compound, 1, 0, 0)}
	whole.Pairs = []messages.Pair{pair}
	for _, c := range []struct {
		confidence float64
		status     messages.Status
	}{{0.49, messages.Unanswered}, {0.5, messages.Answered}, {0, messages.Answered}} {
		f := messages.Finding{Text: "Greta Olsen", Confidence: c.confidence}
		e := answers(f)
		e.SynthesizeFunc = func(context.Context, string, messages.Class, []messages.Pair) (messages.Finding, error) {
			return f, nil
		}
		g := generator.New(e, generator.Options{MinConfidence: 0.5, Escalate: generator.EscalateNever})
		for _, in := range []*messages.Generate{asked("Who is the captain?"), whole} {
			out, err := g.Handle(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			a := out[0].(*messages.Answer)
			if a.Status != c.status || (a.Answer == "") != (c.status == messages.Unanswered) || len(a.Evidence) == 0 {
				t.Errorf("at %v: %+v", c.confidence, a)
			}
			if a.Status == messages.Unanswered && !strings.Contains(a.Error, "0.49 is below answer.min_confidence 0.50") {
				t.Errorf("%q", a.Error)
			}
		}
	}
}

// TestItemsShowTheirEvidence holds that each item of a list has its own quote.
func TestItemsShowTheirEvidence(t *testing.T) {
	t.Parallel()
	f := messages.Finding{Text: "1998; six", Claims: []messages.Claim{{Text: "1998"}, {Text: "six"}, {Text: "seven"}}}
	a := handle(t, answers(f), asked("Which numbers?")).(*messages.Answer)
	if len(a.Claims) != 3 || len(a.Claims[0].Evidence) != 1 || !strings.Contains(a.Claims[0].Evidence[0].Quote, "She joined in 1998.") ||
		len(a.Claims[1].Evidence) != 1 || a.Claims[1].Evidence[0].URL != "https://a/?x" || a.Claims[2].Evidence != nil {
		t.Errorf("%+v", a.Claims)
	}
	if len(a.Evidence) < 2 {
		t.Errorf("%+v", a.Evidence)
	}
}

// TestWindowsAreAnsweredFrom holds that with windows each scale is asked by
// itself, and without them the passages whole.
func TestWindowsAreAnsweredFrom(t *testing.T) {
	t.Parallel()
	for windows, want := range map[bool]int{false: 1, true: 3} {
		calls := make(chan []messages.Window, 8)
		e := &roles.Set{AnswerFunc: func(_ context.Context, _ string, ws []messages.Window) (messages.Finding, error) {
			calls <- ws
			return messages.Finding{Text: "Greta Olsen"}, nil
		}}
		in := asked("Who is the captain?")
		if _, err := generator.New(e, generator.Options{Windows: windows}).Handle(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		if len(calls) != want {
			t.Errorf("windows %v: asked %d times", windows, len(calls))
		}
		for range want {
			for _, w := range <-calls {
				if (w.Scale > 0) != windows || !windows && w.Passage == "ferry.md#1" && (w.Text != in.Passages[0].Text || w.Heading != "Crew") {
					t.Errorf("windows %v: %+v", windows, w)
				}
			}
		}
	}
}

// TestHopsOfAJoinedQuestion holds that a joined answer quotes every hop, and
// further quotes as long as they are few words.
func TestHopsOfAJoinedQuestion(t *testing.T) {
	t.Parallel()
	quote := func(id string, words int) messages.Evidence {
		return messages.Evidence{ID: id, Quote: strings.TrimSpace(strings.Repeat("w ", words)), End: 2*words - 1}
	}
	in := &messages.Generate{Head: head(messages.Compound, 1, 0, 0)}
	in.Pairs = []messages.Pair{
		{Round: 1, Branch: 1, Question: "a?", Answer: "a", Evidence: []messages.Evidence{quote("a1", 60), quote("a2", 50), quote("a3", 10)}},
		{Round: 1, Branch: 2, Question: "b?", Answer: "b", Evidence: []messages.Evidence{quote("b1", 40)}},
		{Round: 1, Branch: 3, Question: "c?", Evidence: []messages.Evidence{quote("c1", 1)}},
	}
	a := handle(t, &roles.Set{}, in).(*messages.Answer)
	var ids []string
	for _, e := range a.Evidence {
		ids = append(ids, e.ID)
	}
	if strings.Join(ids, " ") != "a1 b1 a3" || len(a.Hops[0].Evidence) != 1 || a.Hops[0].Evidence[0].ID != "a1" {
		t.Errorf("%q, %+v", ids, a.Hops)
	}
}
