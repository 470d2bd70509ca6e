package generator_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages/engine/roles"
	"hopstream/stages/generator"
)

func head(class messages.Class, round, branch, branches int) messages.Head {
	return messages.Head{ID: "q", Class: class, Round: round, Branch: branch, Branches: branches, Question: "whole?",
		Asked: time.Now(), Deadline: time.Now().Add(time.Minute)}
}

func windows() []messages.Window {
	return []messages.Window{
		{Passage: "a", Title: "A", Text: "a1", Scale: 150}, {Passage: "b", Text: "b1", Scale: 150},
		{Passage: "a", Title: "A", Text: "a2", Scale: 250}, {Passage: "b", Text: "b2", Scale: 350},
	}
}

func handle(t *testing.T, e *roles.Set, in *messages.Generate) messages.Message {
	t.Helper()
	out, err := generator.New(e, generator.Options{}).Handle(t.Context(), in)
	if err != nil || len(out) != 1 {
		t.Fatal(out, err)
	}
	if err := out[0].Validate(); err != nil {
		t.Error(err)
	}
	return out[0]
}

// TestScalesRunTogether lets no scale answer before all have been asked. What
// their answers are fused to stands in no passage: it names none, and is
// trusted less.
func TestScalesRunTogether(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	all.Add(3)
	e := &roles.Set{
		AnswerFunc: func(_ context.Context, q string, ws []messages.Window) (messages.Finding, error) {
			all.Done()
			all.Wait()
			for _, w := range ws {
				if w.Scale != ws[0].Scale {
					t.Errorf("scales are mixed: %+v", ws)
				}
			}
			return messages.Finding{Text: ws[0].Text}, nil
		},
		FuseFunc: func(_ context.Context, q string, fs []messages.Finding, _ []messages.Passage) (messages.Finding, error) {
			var all []string
			for _, f := range fs {
				all = append(all, f.Text)
			}
			return messages.Finding{Text: strings.Join(all, "+"), Confidence: 0.5}, nil
		},
	}
	got := handle(t, e, &messages.Generate{Head: head(messages.Compound, 1, 2, 2), Query: "one?", Windows: windows()}).(*messages.Subanswer)
	p := got.Pair
	if p.Answer != "a1+a2+b2" || p.Question != "one?" || p.Branch != 2 || p.Confidence != 0.25 || p.Failed || len(p.Sources) != 0 {
		t.Errorf("%+v", p)
	}
}

func TestOneScaleIsNotFused(t *testing.T) {
	t.Parallel()
	e := &roles.Set{FuseFunc: func(context.Context, string, []messages.Finding, []messages.Passage) (messages.Finding, error) {
		panic("asked")
	}}
	a := handle(t, e, &messages.Generate{Head: head(messages.Single, 1, 1, 1), Query: "whole?", Windows: windows()[:2]}).(*messages.Answer)
	if a.Status != messages.Answered || a.Answer != "yes" || a.Steps != 1 || len(a.Hops) != 1 || len(a.Citations) != 1 || a.Citations[0].ID != "a" {
		t.Errorf("%+v", a)
	}
}

func TestNotFound(t *testing.T) {
	t.Parallel()
	e := &roles.Set{AnswerFunc: func(context.Context, string, []messages.Window) (messages.Finding, error) {
		return messages.Finding{}, nil
	}}
	for name, ws := range map[string][]messages.Window{"no windows": nil, "not in windows": windows()} {
		a := handle(t, e, &messages.Generate{Head: head(messages.Single, 1, 1, 1), Query: "whole?", Windows: ws}).(*messages.Answer)
		if a.Status != messages.Unanswered || a.Error != generator.NotFound || len(a.Hops) != 1 || len(a.Citations) != 0 {
			t.Errorf("%s: %+v", name, a)
		}
		s := handle(t, e, &messages.Generate{Head: head(messages.Complex, 1, 1, 1), Query: "one?", Windows: ws}).(*messages.Subanswer)
		if s.Pair.Answer != "" || s.Pair.Failed || s.Pair.Error != generator.NotFound {
			t.Errorf("%s: %+v", name, s.Pair)
		}
	}
}

func TestSynthesis(t *testing.T) {
	t.Parallel()
	yes := messages.Pair{Round: 1, Branch: 1, Question: "a?", Answer: "a"}
	open := messages.Pair{Round: 1, Branch: 2, Question: "b?", Error: generator.NotFound}
	failed := messages.Pair{Round: 1, Branch: 2, Question: "b?", Answer: "half", Failed: true, Error: "broken"}
	for name, c := range map[string]struct {
		pairs  []messages.Pair
		cut    string
		status messages.Status
		reason string
	}{
		"all answered":         {[]messages.Pair{yes}, "", messages.Answered, ""},
		"one open":             {[]messages.Pair{yes, open}, "", messages.Partial, "some sub-questions"},
		"one failed":           {[]messages.Pair{yes, failed}, "", messages.Partial, "some sub-questions"},
		"cut":                  {[]messages.Pair{yes}, "stopped after 3 rounds", messages.Partial, "stopped after 3 rounds"},
		"none":                 {[]messages.Pair{open}, "stopped after 3 rounds", messages.Unanswered, generator.NotFound},
		"none, and one failed": {[]messages.Pair{open, failed}, "", messages.Failed, "broken"},
	} {
		in := &messages.Generate{Head: head(messages.Compound, 1, 0, 0), Cut: c.cut}
		in.Pairs = c.pairs
		a := handle(t, &roles.Set{}, in).(*messages.Answer)
		if a.Status != c.status || !strings.Contains(a.Error, c.reason) || c.reason == "" && a.Error != "" || len(a.Hops) != len(c.pairs) {
			t.Errorf("%s: %s, %q", name, a.Status, a.Error)
		}
	}
}

func TestDirect(t *testing.T) {
	t.Parallel()
	in := &messages.Generate{Head: head(messages.Straightforward, 0, 0, 0)}
	a := handle(t, &roles.Set{}, in).(*messages.Answer)
	if a.Status != messages.Answered || a.Answer != "yes" || a.Steps != 0 {
		t.Errorf("%+v", a)
	}
	e := &roles.Set{DirectFunc: func(context.Context, string) (messages.Finding, error) { return messages.Finding{}, nil }}
	r := handle(t, e, in).(*messages.Retrieve)
	if r.Class != messages.Single || r.Query != "whole?" || r.Key() != (messages.Key{ID: "q", Round: 1, Branch: 1}) {
		t.Errorf("what is not known leads to %+v", r)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	whole, branch, direct := head(messages.Compound, 1, 0, 0), head(messages.Compound, 1, 1, 2), head(messages.Straightforward, 0, 0, 0)
	whole.Pairs = []messages.Pair{{Round: 1, Branch: 1, Question: "one?", Answer: "1"}}
	for name, c := range map[string]struct {
		head messages.Head
		e    *roles.Set
		want string
	}{
		"answer": {branch, &roles.Set{AnswerFunc: func(_ context.Context, _ string, ws []messages.Window) (messages.Finding, error) {
			if ws[0].Scale == 250 {
				return messages.Finding{}, broken
			}
			return messages.Finding{}, nil
		}}, "answer: broken"},
		"panic in a goroutine": {branch, &roles.Set{AnswerFunc: func(_ context.Context, _ string, ws []messages.Window) (messages.Finding, error) {
			panic("boo")
		}}, "panic: boo"},
		"fuse": {branch, &roles.Set{FuseFunc: func(context.Context, string, []messages.Finding, []messages.Passage) (messages.Finding, error) {
			return messages.Finding{}, broken
		}}, "fuse: broken"},
		"synthesize": {whole, &roles.Set{SynthesizeFunc: func(context.Context, string, messages.Class, []messages.Pair) (messages.Finding, error) {
			return messages.Finding{}, broken
		}}, "synthesize: broken"},
		"direct": {direct, &roles.Set{DirectFunc: func(context.Context, string) (messages.Finding, error) {
			return messages.Finding{}, broken
		}}, "answer directly: broken"},
	} {
		_, err := generator.New(c.e, generator.Options{}).Handle(t.Context(), &messages.Generate{Head: c.head, Query: "one?", Windows: windows()})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAddressesReachTheAnswer holds that what stands on the web is cited with
// its address, though engines know nothing of it, and that engines' own
// sources are left as they were.
func TestAddressesReachTheAnswer(t *testing.T) {
	t.Parallel()
	own := []messages.Source{{ID: "a"}}
	for name, e := range map[string]*roles.Set{
		"the engine's sources": {AnswerFunc: func(context.Context, string, []messages.Window) (messages.Finding, error) {
			return messages.Finding{Text: "yes", Sources: own}, nil
		}},
		"the evidence": {AnswerFunc: func(context.Context, string, []messages.Window) (messages.Finding, error) {
			return messages.Finding{Text: "x"}, nil
		}},
	} {
		for _, class := range []messages.Class{messages.Single, messages.Compound} {
			in := &messages.Generate{Head: head(class, 1, 1, 1), Query: "one?",
				Windows:  []messages.Window{{Passage: "a", Text: "x"}},
				Found:    []messages.Find{{Source: messages.Source{ID: "a", URL: "https://a"}, By: []string{"web"}}},
				Degraded: []string{"bm25: broken"}}
			var cited []messages.Source
			var found []messages.Find
			var degraded []string
			switch m := handle(t, e, in).(type) {
			case *messages.Answer:
				cited, found, degraded = m.Citations, m.Hops[0].Found, m.Hops[0].Degraded
			case *messages.Subanswer:
				cited, found, degraded = m.Pair.Sources, m.Pair.Found, m.Pair.Degraded
			}
			if len(cited) != 1 || cited[0].ID != "a" || cited[0].URL != "https://a" {
				t.Errorf("%s, %s: cited %+v", name, class, cited)
			}
			if len(found) != 1 || found[0].By[0] != "web" || len(degraded) != 1 {
				t.Errorf("%s, %s: found %+v, degraded %q", name, class, found, degraded)
			}
		}
	}
	if own[0].URL != "" {
		t.Error("the engine's own sources were written to")
	}
}

// TestUnansweredTellsTheSearch holds that a sub-query without an answer says
// what was looked at, and a long list is bounded.
func TestUnansweredTellsTheSearch(t *testing.T) {
	t.Parallel()
	e := &roles.Set{AnswerFunc: func(context.Context, string, []messages.Window) (messages.Finding, error) {
		return messages.Finding{}, nil
	}}
	in := &messages.Generate{Head: head(messages.Single, 1, 1, 1), Query: "one?", Windows: windows(), Degraded: []string{"web: timeout"}}
	for range 40 {
		in.Found = append(in.Found, messages.Find{Source: messages.Source{ID: "a"}, By: []string{"bm25"}})
	}
	a := handle(t, e, in).(*messages.Answer)
	if a.Status != messages.Unanswered || len(a.Hops[0].Found) != messages.MaxFinds || len(a.Hops[0].Degraded) != 1 {
		t.Errorf("%+v", a)
	}
}
