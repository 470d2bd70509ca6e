package log_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
)

func TestGet(t *testing.T) {
	t.Parallel()
	j, nc := open(t, log.Config{})
	put(t, j, sub(1, 2))
	s, err := j.Get(t.Context(), messages.KindSubanswer, messages.Key{ID: "q", Round: 1, Branch: 1})
	if err != nil || s.Subject != "hop.v1.subanswer.q.1.1" || s.Seq != 1 || time.Since(s.Time) > time.Minute {
		t.Fatalf("%+v, %v", s, err)
	}
	if m, err := s.Decode(j.Names()); err != nil || m.(*messages.Subanswer).Pair.Answer != "1" {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := j.Get(t.Context(), messages.KindSubanswer, messages.Key{ID: "q", Round: 1, Branch: 2}); !errors.Is(err, log.ErrNotFound) {
		t.Errorf("what is not there: %v", err)
	}
	if _, err := nc.Request("hop.v1.plan.q.1", []byte("garbage"), 10*time.Second); err != nil { // the reply says that it is stored
		t.Fatal(err)
	}
	if _, err := log.Find[*messages.Plan](t.Context(), j, messages.KindPlan, messages.Key{ID: "q", Round: 1}); err == nil || errors.Is(err, log.ErrNotFound) {
		t.Errorf("garbage: %v", err)
	}
	if _, err := log.Find[*messages.Plan](t.Context(), j, messages.KindSubanswer, messages.Key{ID: "q", Round: 1, Branch: 1}); err == nil {
		t.Error("a sub-answer was found as a plan")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := j.Get(ended, messages.KindSubanswer, messages.Key{ID: "q", Round: 1, Branch: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("in an ended context: %v", err)
	}
}

func TestLastAndRange(t *testing.T) {
	t.Parallel()
	j, _ := open(t, log.Config{})
	const n = 700 // more than one read may name
	var subjects []string
	for i := range n {
		m := &messages.Plan{Head: head(i+1, 0, 0), Queries: []string{"x"}}
		subjects = append(subjects, j.Names().Of(m), fmt.Sprintf("hop.v1.plan.other.%d", i+1))
		put(t, j, m)
	}
	got, err := j.Last(t.Context(), messages.KindPlan, subjects)
	if err != nil || len(got) != n {
		t.Fatalf("%d of %d read (%v)", len(got), n, err)
	}
	if got, err := j.Last(t.Context(), messages.KindPlan, nil); err != nil || len(got) != 0 {
		t.Errorf("nothing asked: %v, %v", got, err)
	}
	if got, err := j.Last(t.Context(), messages.KindPlan, []string{"hop.v1.plan.nobody.>"}); err != nil || len(got) != 0 {
		t.Errorf("nothing there: %v, %v", got, err)
	}
	var seqs []uint64
	for from := uint64(0); ; {
		page, err := j.Range(t.Context(), messages.KindPlan, from, 64)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, s := range page {
			seqs = append(seqs, s.Seq)
		}
		from = page[len(page)-1].Seq + 1
	}
	if len(seqs) != n || !slices.IsSorted(seqs) || seqs[0] != 1 {
		t.Errorf("%d in range, from %d", len(seqs), seqs[0])
	}
}

// TestReadsTogether lets many readers share the one inbox.
func TestReadsTogether(t *testing.T) {
	t.Parallel()
	j, _ := open(t, log.Config{})
	for round := range 20 {
		for branch := range 5 {
			m := sub(branch+1, 5)
			m.Round = round + 1
			put(t, j, m)
		}
	}
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			in := sub(1, 5)
			in.Round = i%20 + 1
			got, err := j.Branches(t.Context(), in)
			if err != nil || len(got) != 5 || got[4].Round != in.Round {
				t.Errorf("%d branches, %v", len(got), err)
			}
		})
	}
	wg.Wait()
}

func TestBranches(t *testing.T) {
	t.Parallel()
	j, nc := open(t, log.Config{})
	put(t, j, sub(1, 3), sub(3, 3))
	got, err := j.Branches(t.Context(), sub(1, 3))
	if err != nil || len(got) != 2 || got[1].Pair.Answer != "3" {
		t.Errorf("%+v, %v", got, err)
	}
	// A read without the message in hand is from a replica that lags.
	_, err = j.Branches(t.Context(), sub(2, 3))
	if class, after := fault.Of(err); err == nil || class != fault.Transient || after <= 0 {
		t.Errorf("a stale read: %v is %v after %v", err, class, after)
	}
	if _, err := nc.Request("hop.v1.subanswer.q.1.2", []byte("garbage"), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	_, err = j.Branches(t.Context(), sub(1, 3))
	if class, _ := fault.Of(err); err == nil || class != fault.Permanent {
		t.Errorf("garbage: %v is %v", err, class)
	}
	_, err = j.Branches(t.Context(), sub(1, 1<<30))
	if class, _ := fault.Of(err); err == nil || class != fault.Permanent {
		t.Errorf("too many: %v is %v", err, class)
	}
}

func TestOpenQuestions(t *testing.T) {
	t.Parallel()
	j, nc := open(t, log.Config{})
	const n = 600 // several pages
	for i := range n {
		put(t, j, &messages.Question{ID: fmt.Sprintf("q%03d", i), Question: "x", Deadline: messages.Deadline{After: time.Minute}})
	}
	for i := 0; i < n; i += 3 { // with gaps
		if err := j.CloseQuestion(t.Context(), fmt.Sprintf("q%03d", i), "x"); err != nil {
			t.Fatal(err)
		}
	}
	for _, subject := range []string{"hop.v1.question.garbage", "hop.v1.question.*"} {
		if err := nc.Publish(subject, []byte("{\"question\":\"\"}")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := nc.Request("hop.v1.question.>", []byte("{\"question\":\"x\"}"), 10*time.Second); err != nil { // and those before it are stored
		t.Fatal(err)
	}
	var ids, none []string
	next, err := j.OpenQuestions(t.Context(), messages.Policy{}, 0, func(o log.Open) error {
		id, q := o.Key.ID, o.Question
		if q == nil {
			none = append(none, id)
			return nil
		}
		ids = append(ids, id)
		if h := q.Meta(); h.ID != id || h.Deadline.Sub(h.Asked) != time.Minute {
			t.Errorf("head %+v", h)
		}
		return nil
	})
	if err != nil || len(ids) != n*2/3 || !slices.IsSorted(ids) || !slices.Equal(none, []string{"garbage", "*", ">"}) {
		t.Errorf("%d open, %q are none: %v", len(ids), none, err)
	}
	if open, err := j.Open(t.Context()); err != nil || open != n*2/3+3 {
		t.Errorf("%d open: %v", open, err)
	}
	if again, err := j.OpenQuestions(t.Context(), messages.Policy{}, next, func(o log.Open) error { return fmt.Errorf("%s was read again", o.Subject) }); err != nil || again != next {
		t.Errorf("after %d next is %d: %v", next, again, err)
	}
	stop, calls := errors.New("stop"), 0
	if next, err := j.OpenQuestions(t.Context(), messages.Policy{}, 5, func(log.Open) error { calls++; return stop }); !errors.Is(err, stop) || calls != 1 || next != 5 {
		t.Errorf("%v after %d calls, next is %d", err, calls, next)
	}
}

func TestTrace(t *testing.T) {
	t.Parallel()
	j, _ := open(t, log.Config{})
	plan := &messages.Plan{Head: head(1, 0, 0), Queries: []string{"a", "b"}}
	h := head(1, 0, 0)
	all := []messages.Message{
		&messages.Question{ID: "q", Question: "whole?"}, &messages.Decompose{Head: head(1, 0, 0)}, plan,
		plan.Retrieves()[0], plan.Retrieves()[1], sub(2, 2), sub(1, 2),
		&messages.Dead{Stage: "filter", ID: "q", Seq: 3, Subject: "x", Error: "y"}, &messages.Generate{Head: head(1, 0, 0)},
		messages.NewAnswer(&h, messages.Answered, messages.Finding{}, "", time.Now()),
	}
	put(t, j, all...)
	other := head(1, 0, 0)
	other.ID = "q2"
	put(t, j, &messages.Question{ID: "q2", Question: "other?"}, &messages.Judge{Head: other})
	got, err := j.Trace(t.Context(), "q")
	if err != nil || len(got) != len(all) {
		t.Fatalf("%d messages, %v", len(got), err)
	}
	for i, s := range got {
		if want := j.Names().Of(all[i]); s.Subject != want {
			t.Errorf("message %d is %s, want %s", i, s.Subject, want)
		}
	}
	if _, err := j.Trace(t.Context(), "nobody"); !errors.Is(err, log.ErrNotFound) {
		t.Errorf("nobody's: %v", err)
	}
	if _, err := j.Trace(t.Context(), "*"); err == nil || errors.Is(err, log.ErrNotFound) {
		t.Errorf("everybody's: %v", err)
	}
}

func TestEnsure(t *testing.T) {
	t.Parallel()
	s := natstest.Server(t)
	var wg sync.WaitGroup
	for range 4 { // processes that start at once
		_, js := natstest.Connect(t, s)
		j := log.New(js, messages.DefaultNames())
		wg.Go(func() {
			for range 2 {
				if err := j.Ensure(t.Context(), log.Config{}, stages.Pipeline()); err != nil {
					t.Error(err)
				}
				if err := j.EnsureStreams(t.Context(), log.Config{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	_, js := natstest.Connect(t, s)
	j := log.New(js, messages.DefaultNames())
	if err := j.Ensure(t.Context(), log.Config{Retention: time.Second, MaxOpen: 7}, nil); err != nil {
		t.Fatal(err)
	}
	for k, check := range map[messages.Kind]func(age time.Duration, most int64) bool{
		messages.KindPlan:     func(age time.Duration, _ int64) bool { return age == time.Second },
		messages.KindQuestion: func(age time.Duration, most int64) bool { return age == 0 && most == 7 },
		messages.KindAnswer:   func(age time.Duration, _ int64) bool { return age == 0 },
		messages.KindDead:     func(age time.Duration, _ int64) bool { return age == 0 },
	} {
		st, err := js.Stream(t.Context(), j.Names().Stream(k))
		if err != nil {
			t.Fatal(err)
		}
		if c := st.CachedInfo().Config; !check(c.MaxAge, c.MaxMsgs) {
			t.Errorf("stream of %s: %+v", k, c)
		}
	}
}

func TestPrefixesAreApart(t *testing.T) {
	t.Parallel()
	s := natstest.Server(t)
	for _, prefix := range []string{"one", "two"} {
		names, err := messages.NewNames(prefix)
		if err != nil {
			t.Fatal(err)
		}
		_, js := natstest.Connect(t, s)
		j := log.New(js, names)
		if err := j.Ensure(t.Context(), log.Config{Memory: true}, stages.Pipeline()); err != nil {
			t.Fatal(err)
		}
		put(t, j, &messages.Question{ID: "q", Question: prefix})
		if q, err := log.Find[*messages.Question](t.Context(), j, messages.KindQuestion, messages.Key{ID: "q"}); err != nil || q.Question != prefix {
			t.Errorf("%+v, %v", q, err)
		}
	}
}
