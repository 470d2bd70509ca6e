package client_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/client"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a client on a real server, with no pipeline behind it: the test
// answers the questions.
type rig struct{ *natstest.Rig }

func newRig(t *testing.T, c log.Config) *rig {
	t.Helper()
	return &rig{natstest.NewRig(t, c, stages.Pipeline())}
}

// answer ends the question as a pipeline would.
func (r *rig) answer(t *testing.T, id, question string) {
	t.Helper()
	if err := r.Log.End(t.Context(), answerOf(id, question)); err != nil {
		t.Fatal(err)
	}
}

func answerOf(id, question string) *messages.Answer {
	return messages.NewAnswer(&messages.Head{ID: id, Question: question, Asked: time.Now()},
		messages.Answered, messages.Finding{Text: "<" + question + ">"}, "", time.Now())
}

// opened waits until the question is stored.
func (r *rig) opened(t *testing.T, id string) {
	t.Helper()
	natstest.Eventually(t, id+" is open", func() bool {
		_, err := r.Log.Get(t.Context(), messages.KindQuestion, messages.Key{ID: id})
		return err == nil
	})
}

func TestAskTogether(t *testing.T) {
	t.Parallel()
	r := newRig(t, log.Config{})
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			a, err := r.Follow.Ask(t.Context(), r.Client, &messages.Question{ID: "q", Question: "x"})
			if err != nil || a.Answer != "<x>" {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	// One that gives up takes nothing from the others.
	if _, err := r.Follow.Ask(short, r.Client, &messages.Question{ID: "q", Question: "x"}); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "still open") {
		t.Errorf("without an answer: %v", err)
	}
	r.opened(t, "q")
	r.answer(t, "q", "x")
	wg.Wait()
	if a, err := r.Follow.Ask(t.Context(), r.Client, &messages.Question{ID: "q", Question: "x"}); err != nil || a.Answer != "<x>" {
		t.Errorf("asked after it was answered: %+v, %v", a, err)
	}
	if _, err := r.Follow.Ask(t.Context(), r.Client, &messages.Question{ID: "q", Question: "y"}); !errors.Is(err, client.ErrClash) {
		t.Errorf("another text: %v", err)
	}
}

func TestAskInvalid(t *testing.T) {
	t.Parallel()
	r := newRig(t, log.Config{})
	for want, q := range map[string]messages.Question{
		"is empty": {Question: "  "}, "NATS subject": {ID: "a.b", Question: "x"}, "not valid UTF-8": {Question: "\xff"},
		"must not be negative": {Question: "x", Budget: messages.Budget{Tokens: -1}},
	} {
		if _, err := r.Follow.Ask(t.Context(), r.Client, &q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestAskOnClosedFollower holds that nobody waits for a follower that is gone.
func TestAskOnClosedFollower(t *testing.T) {
	t.Parallel()
	r := newRig(t, log.Config{})
	ended := make(chan error, 1)
	go func() {
		_, err := r.Follow.Ask(t.Context(), r.Client, &messages.Question{ID: "q", Question: "x"})
		ended <- err
	}()
	r.opened(t, "q")
	r.Follow.Close()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "follower") {
		t.Errorf("error is %v", err)
	}
}

// TestFollowFromNow holds that a follower hears of every answer stored after
// it was opened, in order, and of none before; and passes over garbage.
func TestFollowFromNow(t *testing.T) {
	t.Parallel()
	r := newRig(t, log.Config{})
	r.answer(t, "before", "x")
	heard := make(chan string, 100)
	f, err := r.Client.Follow(t.Context(), func(a *messages.Answer) { heard <- a.ID })
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := r.Conn.Publish("hop.v1.answer.garbage", []byte("garbage")); err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		r.answer(t, fmt.Sprint(i), "x")
	}
	for i := range 50 {
		if got := <-heard; got != fmt.Sprint(i) {
			t.Fatalf("heard of %s, want %d", got, i)
		}
	}
}

// TestFollowServerRestart holds that a follower, and one who waits with it,
// outlive their server.
func TestFollowServerRestart(t *testing.T) {
	t.Parallel()
	r := newRig(t, log.Config{})
	answers := make(chan *messages.Answer, 1)
	go func() {
		a, err := r.Follow.Ask(t.Context(), r.Client, &messages.Question{ID: "q", Question: "x"})
		if err != nil {
			t.Error(err)
		}
		answers <- a
	}()
	r.opened(t, "q")
	r.answer(t, "other", "y")
	r.Restart(t)
	natstest.Eventually(t, "the client is back", r.Conn.IsConnected)
	natstest.Eventually(t, "the stream has a leader", func() bool {
		_, err := r.Log.StreamState(t.Context(), messages.KindAnswer)
		return err == nil
	})
	r.answer(t, "q", "x")
	if a := <-answers; a == nil || a.Answer != "<x>" {
		t.Errorf("%+v", a)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	r := newRig(t, log.Config{})
	told, err := r.Conn.SubscribeSync("hop.cancelled.*")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Client.Submit(t.Context(), &messages.Question{ID: "q", Question: "x"}); err != nil {
		t.Fatal(err)
	}
	wait := r.Follow.Expect("q")
	a, err := r.Client.Cancel(t.Context(), "q")
	if err != nil || a.Status != messages.Cancelled || a.Question != "x" {
		t.Fatalf("%+v, %v", a, err)
	}
	if got := <-wait; got.Status != messages.Cancelled {
		t.Errorf("the follower heard %+v", got)
	}
	if m, err := told.NextMsg(5 * time.Second); err != nil || m.Subject != "hop.cancelled.q" {
		t.Errorf("workers were told %v (%v)", m, err)
	}
	if st, err := r.Log.StreamState(t.Context(), messages.KindQuestion); err != nil || st.Msgs != 0 {
		t.Errorf("the question is still open: %+v, %v", st, err)
	}
	r.answer(t, "done", "x")
	if a, err := r.Client.Cancel(t.Context(), "done"); !errors.Is(err, log.ErrStored) || a.Status != messages.Answered {
		t.Errorf("an answered one: %+v, %v", a, err)
	}
	if _, err := r.Client.Cancel(t.Context(), "nobody"); !errors.Is(err, log.ErrNotFound) {
		t.Errorf("nobody's: %v", err)
	}
	if _, err := r.Client.Cancel(t.Context(), "*"); err == nil {
		t.Error("everybody's was cancelled")
	}
}
