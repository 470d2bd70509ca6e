package log_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open returns a log on a server of its own, with its streams.
func open(t testing.TB, c log.Config) (*log.Log, *nats.Conn) {
	t.Helper()
	nc, js := natstest.Connect(t, natstest.Server(t))
	j := log.New(js, messages.DefaultNames())
	t.Cleanup(j.Close)
	if err := j.Ensure(t.Context(), c, stages.Pipeline()); err != nil {
		t.Fatal(err)
	}
	return j, nc
}

func put(t *testing.T, j *log.Log, all ...messages.Message) {
	t.Helper()
	for _, m := range all {
		if err := j.Put(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
}

func head(round, branch, branches int) messages.Head {
	return messages.Head{ID: "q", Class: messages.Compound, Round: round, Branch: branch, Branches: branches,
		Question: "whole?", Asked: time.Now(), Deadline: time.Now().Add(time.Minute), Budget: messages.DefaultBudget()}
}

func sub(branch, of int) *messages.Subanswer {
	return &messages.Subanswer{Head: head(1, branch, of), Pair: messages.Pair{Round: 1, Branch: branch, Answer: fmt.Sprint(branch)}}
}

func TestPutOnce(t *testing.T) {
	t.Parallel()
	j, _ := open(t, log.Config{})
	first := &messages.Plan{Head: head(1, 0, 0), Queries: []string{"first"}}
	put(t, j, first)
	second := &messages.Plan{Head: head(1, 0, 0), Queries: []string{"second"}}
	if err := j.Put(t.Context(), second); !errors.Is(err, log.ErrStored) {
		t.Errorf("a second put: %v", err)
	}
	got, err := log.Find[*messages.Plan](t.Context(), j, messages.KindPlan, first.Key())
	if err != nil || got.Queries[0] != "first" {
		t.Errorf("%+v, %v", got, err)
	}
	put(t, j, &messages.Plan{Head: head(2, 0, 0), Queries: []string{"another round"}})
}

// TestPutTogether lets many writers store the same message at once.
func TestPutTogether(t *testing.T) {
	t.Parallel()
	j, _ := open(t, log.Config{})
	var stored atomic.Int64
	var wg sync.WaitGroup
	for i := range 40 {
		m := &messages.Plan{Head: head(1, 0, 0), Queries: []string{fmt.Sprint(i)}}
		count := func(err error) {
			if err == nil {
				stored.Add(1)
			} else if !errors.Is(err, log.ErrStored) {
				t.Error(err)
			}
			wg.Done()
		}
		wg.Add(1)
		if i%2 == 0 {
			go func() { count(j.Put(t.Context(), m)) }()
		} else {
			go func() { j.PutAsync(m, count) }()
		}
	}
	wg.Wait()
	if stored.Load() != 1 {
		t.Errorf("stored %d times", stored.Load())
	}
}

func TestPutTooLarge(t *testing.T) {
	t.Parallel()
	j, _ := open(t, log.Config{})
	large := &messages.Plan{Head: head(1, 0, 0), Queries: []string{strings.Repeat("x", 2<<20)}}
	question := &messages.Question{ID: "q", Question: strings.Repeat("x", 100<<10)}
	for _, m := range []messages.Message{large, question} {
		async := make(chan error, 1)
		j.PutAsync(m, func(err error) { async <- err })
		for _, err := range []error{j.Put(t.Context(), m), <-async} {
			if class, _ := fault.Of(err); !errors.Is(err, log.ErrTooLarge) || class != fault.Permanent {
				t.Errorf("%s: %v is %v", m.Kind(), err, class)
			}
		}
	}
}

func TestFull(t *testing.T) {
	t.Parallel()
	j, _ := open(t, log.Config{MaxOpen: 2})
	put(t, j, &messages.Question{ID: "a", Question: "x"}, &messages.Question{ID: "b", Question: "x"})
	async := make(chan error, 1)
	j.PutAsync(&messages.Question{ID: "c", Question: "x"}, func(err error) { async <- err })
	for _, err := range []error{j.Put(t.Context(), &messages.Question{ID: "c", Question: "x"}), <-async} {
		if !errors.Is(err, log.ErrFull) {
			t.Errorf("the third: %v", err)
		}
	}
	if err := j.Put(t.Context(), &messages.Question{ID: "a", Question: "x"}); !errors.Is(err, log.ErrStored) && !errors.Is(err, log.ErrFull) {
		t.Errorf("the first again: %v", err)
	}
	if err := j.CloseQuestion(t.Context(), "a", "x"); err != nil {
		t.Fatal(err)
	}
	put(t, j, &messages.Question{ID: "c", Question: "x"})
}

func TestNoConnection(t *testing.T) {
	t.Parallel()
	j, nc := open(t, log.Config{})
	nc.Close()
	async := make(chan error, 1)
	j.PutAsync(sub(1, 1), func(err error) { async <- err })
	_, get := j.Get(t.Context(), messages.KindPlan, messages.Key{ID: "q", Round: 1})
	_, last := j.Last(t.Context(), messages.KindPlan, []string{"hop.v1.plan.q.1"})
	for name, err := range map[string]error{
		"put": j.Put(t.Context(), sub(1, 1)), "async": <-async, "get": get, "last": last, "close": j.CloseQuestion(t.Context(), "q", "Why?"),
	} {
		var broker *log.BrokerError
		if class, _ := fault.Of(err); !errors.As(err, &broker) || class != fault.Transient {
			t.Errorf("%s: %v is %v", name, err, class)
		}
	}
}

func TestNoStreams(t *testing.T) {
	t.Parallel()
	_, js := natstest.Connect(t, natstest.Server(t))
	j := log.New(js, messages.DefaultNames())
	t.Cleanup(j.Close)
	async := make(chan error, 1)
	j.PutAsync(sub(1, 1), func(err error) { async <- err })
	_, get := j.Get(t.Context(), messages.KindPlan, messages.Key{ID: "q", Round: 1})
	for name, err := range map[string]error{"put": j.Put(t.Context(), sub(1, 1)), "async": <-async, "get": get} {
		var broker *log.BrokerError
		if !errors.As(err, &broker) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if st, err := j.StreamState(t.Context(), messages.KindPlan); err != nil || st.Msgs != 0 {
		t.Errorf("%+v, %v", st, err)
	}
	if lag, err := j.Lag(t.Context(), stages.Pipeline()[0]); err != nil || lag.Total() != 0 {
		t.Errorf("%+v, %v", lag, err)
	}
}

// TestCloseWithPutsUnderWay holds that every put is told how it went.
func TestCloseWithPutsUnderWay(t *testing.T) {
	t.Parallel()
	j, _ := open(t, log.Config{})
	var told atomic.Int64
	for i := range 200 {
		j.PutAsync(&messages.Plan{Head: head(i+1, 0, 0), Queries: []string{"x"}}, func(error) { told.Add(1) })
	}
	j.Close()
	if told.Load() != 200 {
		t.Errorf("%d of 200 were told", told.Load())
	}
	j.Close()
	put(t, j, sub(1, 1)) // it opens again as needed
	if _, err := j.Branches(t.Context(), sub(1, 1)); err != nil {
		t.Error(err)
	}
}

func TestEnd(t *testing.T) {
	t.Parallel()
	j, _ := open(t, log.Config{})
	put(t, j, &messages.Question{ID: "q", Question: "whole?"}, &messages.Question{ID: "q2", Question: "other?"})
	h := head(1, 0, 0)
	a := messages.NewAnswer(&h, messages.Answered, messages.Finding{Text: "x"}, "", time.Now())
	if err := j.End(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	a.Answer = "y"
	if err := j.End(t.Context(), a); !errors.Is(err, log.ErrStored) {
		t.Errorf("a second end: %v", err)
	}
	if got, err := j.Answer(t.Context(), "q"); err != nil || got.Answer != "x" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := j.Get(t.Context(), messages.KindQuestion, messages.Key{ID: "q"}); !errors.Is(err, log.ErrNotFound) {
		t.Errorf("the question is still open: %v", err)
	}
	if _, err := j.Get(t.Context(), messages.KindQuestion, messages.Key{ID: "q2"}); err != nil {
		t.Errorf("the other is not: %v", err)
	}
	for _, id := range []string{"*", ">", "", "a.b"} {
		if err := j.CloseQuestion(t.Context(), id, "Why?"); err == nil {
			t.Errorf("%q was closed", id)
		}
	}
	if err := j.CloseQuestion(context.Background(), "never-asked", "Why?"); err != nil {
		t.Error(err)
	}
	if err := j.DropQuestion(t.Context(), 99); err != nil {
		t.Errorf("dropping what is not there: %v", err)
	}
}

// TestDropTwice holds that a question that two drop, such as a stage and the
// sentinel, is dropped for both, also between questions that stay.
func TestDropTwice(t *testing.T) {
	t.Parallel()
	j, _ := open(t, log.Config{})
	put(t, j, &messages.Question{ID: "q1", Question: "a?"}, &messages.Question{ID: "q2", Question: "b?"}, &messages.Question{ID: "q3", Question: "c?"})
	for range 2 {
		if err := j.DropQuestion(t.Context(), 2); err != nil {
			t.Error(err)
		}
	}
}
