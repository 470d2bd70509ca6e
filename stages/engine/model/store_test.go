package model

import (
	"context"
	"errors"
	"sync"
	"testing"

	"hopstream/messages"
	"hopstream/stages/meter"
)

// shelf is a store in memory.
type shelf struct {
	mu   sync.Mutex
	kept map[string]*Reply
}

func (s *shelf) Get(_ context.Context, question, key string) *Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept[question+" "+key]
}

func (s *shelf) Put(ctx context.Context, question, key string, r *Reply) {
	if ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[question+" "+key] = r
}

// asking is a context of a delivery of a question.
func asking(t *testing.T, question string) (context.Context, *meter.Meter) {
	ctx, m := meter.With(t.Context(), messages.Usage{ModelCalls: 9, PromptTokens: 10_000})
	m.Of(question, [16]byte{})
	return ctx, m
}

// TestKeptRepliesAreNotAskedForAgain holds that another process's model has the
// reply without a call, and that it counts as none.
func TestKeptRepliesAreNotAskedForAgain(t *testing.T) {
	t.Parallel()
	store, w := &shelf{kept: map[string]*Reply{}}, watching()
	first := &Scripted{Replies: []string{`not {"usable"`}}
	ctx, _ := asking(t, "q1")
	want, err := New(first, Options{Name: "m", Store: store}).Chat(ctx, "r", chat("same"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		question string
		options  Options
		text     string
		calls    int
	}{
		"the same":              {"q1", Options{Name: "m"}, "same", 0},
		"another question":      {"q2", Options{Name: "m"}, "same", 1},
		"no question":           {"", Options{Name: "m"}, "same", 1},
		"another request":       {"q1", Options{Name: "m"}, "other", 1},
		"another model":         {"q1", Options{Name: "n"}, "same", 1},
		"another server":        {"q1", Options{Name: "m", Server: "s"}, "same", 1},
		"asked in another way":  {"q1", Options{Name: "m", Settings: "warm"}, "same", 1},
		"nothing is to be kept": {"q3", Options{Name: "m"}, "same", 1},
	} {
		second := &Scripted{Replies: []string{"second"}}
		c.options.Observe, c.options.Store = w, store
		if name == "nothing is to be kept" {
			c.options.Store = nil
		}
		ctx, used := asking(t, c.question)
		got, err := New(second, c.options).Chat(ctx, "r", chat(c.text))
		if err != nil || len(second.Asked()) != c.calls || used.Used().ModelCalls != c.calls {
			t.Errorf("%s: %d calls, %+v used, %v", name, len(second.Asked()), used.Used(), err)
		}
		if c.calls == 0 && got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if w.outcome(Kept) != 1 {
		t.Errorf("outcomes %v", w.outcomes)
	}
	if len(store.kept) != 6 {
		t.Errorf("%d replies are kept", len(store.kept))
	}
}

// TestRepeatableRepliesServeAllQuestions holds that what a model would say again
// is not asked again, for whichever question; and that what belongs to none is.
func TestRepeatableRepliesServeAllQuestions(t *testing.T) {
	t.Parallel()
	store := &shelf{kept: map[string]*Reply{}}
	for i, c := range []struct {
		question   string
		repeatable bool
		calls      int
	}{{"q1", true, 1}, {"q2", true, 0}, {"q3", false, 1}, {"", true, 1}} {
		s := &Scripted{Replies: []string{"x"}}
		ctx, _ := asking(t, c.question)
		if _, err := New(s, Options{Name: "m", Store: store, Repeatable: c.repeatable}).Chat(ctx, "r", chat("same")); err != nil || len(s.Asked()) != c.calls {
			t.Errorf("%d: %d calls, %v", i, len(s.Asked()), err)
		}
	}
}

// TestErrorsAreNotKept holds that what failed is asked again.
func TestErrorsAreNotKept(t *testing.T) {
	t.Parallel()
	store := &shelf{kept: map[string]*Reply{}}
	m := New(&Scripted{ChatFunc: func(context.Context, *Chat) (*Reply, error) { return nil, errors.New("cut off") }}, Options{Name: "m", Store: store})
	ctx, _ := asking(t, "q")
	if _, err := m.Chat(ctx, "r", chat("x")); err == nil || len(store.kept) != 0 {
		t.Errorf("%v, kept %v", err, store.kept)
	}
}

// TestReplyIsKeptAsItsDeliveryEnds holds that a reply which came at the last
// moment is kept for the next delivery.
func TestReplyIsKeptAsItsDeliveryEnds(t *testing.T) {
	t.Parallel()
	store := &shelf{kept: map[string]*Reply{}}
	ctx, _ := asking(t, "q")
	ctx, end := context.WithCancel(ctx)
	m := New(&Scripted{}, Options{Name: "m", Store: store})
	end()
	m.keep(ctx, "k", &Reply{Text: "x"})
	if len(store.kept) != 1 {
		t.Error("the reply is lost")
	}
}
