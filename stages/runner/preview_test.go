package runner_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"hopstream/messages"
	"hopstream/stages/client"
	"hopstream/stages/natstest"
	"hopstream/stages/preview"
)

// reader reads a question's text along.
type reader struct {
	mu     sync.Mutex
	now    string
	before []string // what was taken back
	more   chan struct{}
}

func (r *reader) show(s client.Text) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.Reset {
		r.before = append(r.before, r.now)
		r.now = ""
	}
	r.now += s.Text
	select {
	case r.more <- struct{}{}:
	default:
	}
}

// until waits until the reader has read that much.
func (r *reader) until(ctx context.Context, text string) {
	for r.text() != text {
		select {
		case <-r.more:
		case <-ctx.Done():
			return
		}
	}
}

func (r *reader) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

// follow reads a question's text along until the test ends.
func (r *rig) follow(t *testing.T, id string) *reader {
	t.Helper()
	got := &reader{more: make(chan struct{}, 1)}
	stop, err := r.Client.FollowText(id, got.show)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	// The server knows of it before the question is asked on another connection.
	if err := r.Log.JetStream().Conn().Flush(); err != nil {
		t.Fatal(err)
	}
	return got
}

// aloud writes a text to whoever is shown it, if anybody, in words.
func aloud(ctx context.Context, text string) messages.Finding {
	if to := preview.To(ctx); to != nil {
		for _, word := range strings.SplitAfter(text, " ") {
			to.Write(word)
		}
	}
	return messages.Finding{Text: text, Confidence: 1}
}

// TestAnswerIsShownWhileItIsWritten has the model wait, in the middle of its
// reply, until it was read.
func TestAnswerIsShownWhileItIsWritten(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	read := make(chan struct{})
	e.DirectFunc = func(ctx context.Context, _ string) (messages.Finding, error) {
		to := preview.To(ctx)
		to.Write("Orla ")
		select {
		case <-read:
		case <-ctx.Done():
			return messages.Finding{}, ctx.Err()
		}
		to.Write("Venn")
		return messages.Finding{Text: "Orla Venn", Confidence: 1}, nil
	}
	r := newRig(t, e, options())
	got := r.follow(t, "q")
	id := r.submit(t, messages.Question{ID: "q", Question: "straightforward one"})
	natstest.Eventually(t, "the beginning to be read", func() bool { return got.text() == "Orla " })
	if _, err := r.Log.Answer(t.Context(), id); err == nil {
		t.Fatal("the answer is there already")
	}
	close(read)
	a := r.answer(t, id)
	natstest.Eventually(t, "the text to be read", func() bool { return got.text() == a.Answer })
}

// TestOnlyTheAnswerIsShown asks questions of every class, each of whose replies
// would be shown if it were the answer.
func TestOnlyTheAnswerIsShown(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	e.DirectFunc = func(ctx context.Context, q string) (messages.Finding, error) { return aloud(ctx, "known: "+q), nil }
	e.AnswerFunc = func(ctx context.Context, q string, w []messages.Window) (messages.Finding, error) {
		return aloud(ctx, "read: "+q), nil
	}
	e.SynthesizeFunc = func(ctx context.Context, q string, _ messages.Class, _ []messages.Pair) (messages.Finding, error) {
		return aloud(ctx, "joined: "+q), nil
	}
	r := newRig(t, e, options())
	for _, class := range messages.Classes() {
		id := "q-" + string(class)
		got := r.follow(t, id)
		a := r.ask(t, messages.Question{ID: id, Question: string(class) + " one"})
		if a.Status != messages.Answered {
			t.Errorf("%+v", a)
		}
		natstest.Eventually(t, "the text of "+id, func() bool { return got.text() == a.Answer })
		if len(got.before) > 0 {
			t.Errorf("%s: %q was taken back", id, got.before)
		}
	}
}

// TestTextIsTakenBack has a delivery fail after it wrote, and an answer turn out
// not to be the question's.
func TestTextIsTakenBack(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	var tried atomic.Int32
	r := idleRig(t, options())
	got := r.follow(t, "q")
	e.AnswerFunc = func(ctx context.Context, q string, _ []messages.Window) (messages.Finding, error) {
		switch {
		case q != "single one":
			return messages.Finding{Text: "x", Confidence: 1}, nil
		case tried.Add(1) == 1:
			aloud(ctx, "broken off")
			got.until(ctx, "broken off")
			return messages.Finding{}, context.DeadlineExceeded
		}
		aloud(ctx, "not to be found")
		got.until(ctx, "not to be found")
		return messages.Finding{}, nil // so that the question goes on as complex
	}
	e.SynthesizeFunc = func(ctx context.Context, q string, _ messages.Class, _ []messages.Pair) (messages.Finding, error) {
		return aloud(ctx, "the answer"), nil
	}
	r.run(t, e, options())
	a := r.ask(t, messages.Question{ID: "q", Question: "single one"})
	natstest.Eventually(t, "the text", func() bool { return got.text() == "the answer" })
	if a.Answer != "the answer" || strings.Join(got.before, "|") != "broken off|not to be found" {
		t.Errorf("%+v; taken back: %q", a, got.before)
	}
}

// TestSlowFollowerHoldsNobodyUp follows a question without ever reading on.
func TestSlowFollowerHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	e.DirectFunc = func(ctx context.Context, q string) (messages.Finding, error) {
		return aloud(ctx, strings.Repeat("word ", 5000)), nil
	}
	r := newRig(t, e, options())
	never := make(chan struct{})
	stop, err := r.Client.FollowText("q", func(client.Text) { <-never })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		close(never)
		stop()
	})
	if a := r.ask(t, messages.Question{ID: "q", Question: "straightforward one"}); a.Status != messages.Answered {
		t.Errorf("%+v", a)
	}
}
