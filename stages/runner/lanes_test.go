package runner_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages/admission"
	"hopstream/stages/client"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
	"hopstream/stages/runner"
)

// TestLanes holds that questions are answered from every lane: those that a client
// puts there, those of a client that knows no lanes, before and after the workers
// start, and that each is closed.
func TestLanes(t *testing.T) {
	t.Parallel()
	o := options()
	r := idleRig(t, o)
	publish := func(subject, data string) {
		t.Helper()
		if _, err := r.Log.JetStream().Publish(t.Context(), subject, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	ids := []string{"raw", "lane", "whole", "late", "late-raw"}
	publish("hop.v1.question.raw", `{"question":"single raw","tenant":"acme","priority":"bulk"}`)
	publish("hop.v1.question.acme.interactive.lane", `{"question":"single lane"}`)
	publish("hop.v1.question.default.normal.whole", `{"question":"single whole"}`)
	for i, tenant := range []string{"", "acme", "other"} {
		for _, p := range messages.Priorities() {
			ids = append(ids, r.submit(t, messages.Question{Question: fmt.Sprintf("compound q%d %s", i, p), Tenant: tenant, Priority: p}))
		}
	}
	r.run(t, fullEngine(), o)
	publish("hop.v1.question.new.normal.late", `{"question":"complex late"}`)
	publish("hop.v1.question.late-raw", `{"question":"single late","tenant":"newer"}`)
	allAnswered(t, r.verifyAll(t, ids))
	natstest.Eventually(t, "all are closed", func() bool {
		st, err := r.Log.StreamState(t.Context(), messages.KindQuestion)
		return err == nil && st.Msgs == 0
	})
}

// TestWrongLane holds that a question whose subject is no lane's, or another one than
// it says, ends as failed with a dead letter.
func TestWrongLane(t *testing.T) {
	t.Parallel()
	r := newRig(t, fullEngine(), options())
	for subject, id := range map[string]string{"hop.v1.question.acme.urgent.a": "a", "hop.v1.question.Acme.bulk.b": "b", "hop.v1.question.acme.bulk.c": "c"} {
		if _, err := r.Log.JetStream().Publish(t.Context(), subject, []byte(`{"question":"single x","tenant":"else"}`)); err != nil {
			t.Fatal(err)
		}
		if a := r.answer(t, id); a.Status != messages.Failed || a.Error == "" {
			t.Errorf("%s: %+v", subject, a)
		}
	}
	natstest.Eventually(t, "three letters, and nothing open", func() bool {
		st, err := r.Log.StreamState(t.Context(), messages.KindQuestion)
		return err == nil && st.Msgs == 0 && len(r.letters(t)) == 3
	})
}

// TestOneIDInTwoLanes holds that another question under an ID that is open in another
// lane does not get that one's answer, and that the same question is answered once.
func TestOneIDInTwoLanes(t *testing.T) {
	t.Parallel()
	o := options()
	r := idleRig(t, o)
	for subject, text := range map[string]string{
		"hop.v1.question.a.bulk.same": "single same", "hop.v1.question.b.bulk.same": "single same",
	} {
		if _, err := r.Log.JetStream().Publish(t.Context(), subject, []byte(fmt.Sprintf(`{"question":%q}`, text))); err != nil {
			t.Fatal(err)
		}
	}
	for _, lane := range []string{"a.bulk", "b.bulk"} { // of different classes, so that no output of theirs conflicts
		text := map[string]string{"a.bulk": "single first", "b.bulk": "compound second"}[lane]
		if _, err := r.Log.JetStream().Publish(t.Context(), "hop.v1.question."+lane+".x", []byte(fmt.Sprintf(`{"question":%q}`, text))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Client.Submit(t.Context(), &messages.Question{ID: "x", Question: "single third", Tenant: "c"}); !errors.Is(err, client.ErrClash) {
		t.Errorf("a third: %v", err)
	}
	r.run(t, fullEngine(), o)
	if a := r.answer(t, "x"); a.Question != "single first" || a.Status != messages.Answered || len(a.Hops) != 1 {
		t.Errorf("%+v", a)
	}
	if a := r.answer(t, "same"); a.Status != messages.Answered {
		t.Errorf("%+v", a)
	}
	natstest.Eventually(t, "one letter, and nothing open", func() bool {
		st, err := r.Log.StreamState(t.Context(), messages.KindQuestion)
		return err == nil && st.Msgs == 0 && len(r.letters(t)) == 1
	})
}

// TestFlood holds that one tenant's flood does not hold up another's question, nor
// its own interactive one, and that a pause and its end hold at once.
func TestFlood(t *testing.T) {
	t.Parallel()
	o := options()
	o.Metrics = runner.NewMetrics(nil)
	o.Admission.Window = admission.WindowOptions{Least: 8, Most: 8}
	r := idleRig(t, o)
	var mu sync.Mutex
	searched := 0
	e := fullEngine()
	search := e.SearchFunc
	e.SearchFunc = func(ctx context.Context, q string, k int) ([]messages.Passage, error) {
		mu.Lock()
		searched++
		mu.Unlock()
		time.Sleep(5 * time.Millisecond) // the work itself
		return search(ctx, q, k)
	}
	done := func() int { mu.Lock(); defer mu.Unlock(); return searched }
	settings := r.Log.Tenants(log.Config{})
	if _, err := settings.Change(t.Context(), "held", func(s *admission.Tenant) { s.Paused = true }); err != nil {
		t.Fatal(err)
	}
	var ids []string
	const n = 600
	for i := range n {
		ids = append(ids, r.submit(t, messages.Question{Question: fmt.Sprintf("single flood %d", i), Tenant: "flood", Priority: messages.Bulk}))
	}
	held := r.submit(t, messages.Question{Question: "single held", Tenant: "held"})
	r.run(t, e, o)
	natstest.Eventually(t, "the flood flows", func() bool { return done() > 20 })
	before := done()
	r.ask(t, messages.Question{Question: "single other", Tenant: "calm"})
	r.ask(t, messages.Question{Question: "single urgent", Tenant: "flood", Priority: messages.Interactive})
	if passed := done() - before; passed > n/3 {
		t.Errorf("%d of the flood went before two questions that do not wait", passed)
	}
	for _, id := range ids {
		r.answer(t, id)
	}
	if _, err := r.Log.Answer(t.Context(), held); !errors.Is(err, log.ErrNotFound) {
		t.Errorf("a paused tenant's question: %v", err)
	}
	if _, err := settings.Change(t.Context(), "held", func(s *admission.Tenant) { s.Paused = false }); err != nil {
		t.Fatal(err)
	}
	r.answer(t, held)
}

// TestTenantFull holds that a client refuses more than a tenant may have open, that
// another bound holds soon after it is set, and that there is room again once one has
// ended.
func TestTenantFull(t *testing.T) {
	t.Parallel()
	o := options()
	r := idleRig(t, o)
	if _, err := r.Log.Tenants(log.Config{}).Change(t.Context(), "small", func(s *admission.Tenant) { s.MaxOpen = 2 }); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r.submit(t, messages.Question{Question: "single q", Tenant: "small"})
	}
	_, err := r.Client.Submit(t.Context(), &messages.Question{Question: "single q", Tenant: "small"})
	var full *client.TenantFull
	if !errors.As(err, &full) || full.MaxOpen != 2 || !errors.Is(err, log.ErrFull) {
		t.Errorf("the third: %v", err)
	}
	r.submit(t, messages.Question{Question: "single q", Tenant: "large"})
	if _, err := r.Log.Tenants(log.Config{}).Change(t.Context(), "large", func(s *admission.Tenant) { s.MaxOpen = 1 }); err != nil {
		t.Fatal(err)
	}
	natstest.Eventually(t, "the bound that was set holds", func() bool {
		_, err := r.Client.Submit(t.Context(), &messages.Question{Question: "single q", Tenant: "large"})
		return errors.As(err, &full) && full.MaxOpen == 1
	})
	r.run(t, fullEngine(), o)
	if a := r.ask(t, messages.Question{Question: "single more", Tenant: "small"}); a.Status != messages.Answered { // waits for room
		t.Errorf("%+v", a)
	}
}

// TestFairAndNot holds that questions which wait in lanes are answered by workers
// that know none, and the other way round.
func TestFairAndNot(t *testing.T) {
	t.Parallel()
	o := options()
	r := idleRig(t, o)
	plain := o
	plain.Admission.Fair = false
	for i, next := range []setup{o, plain, o, plain} {
		w := r.run(t, fullEngine(), next)
		r.ask(t, messages.Question{Question: "single asked", Tenant: "a"})
		w.stop()
		var ids []string
		for k, tenant := range []string{"", "a", "b"} {
			ids = append(ids, r.submit(t, messages.Question{Question: fmt.Sprintf("single q%d-%d", i, k), Tenant: tenant, Priority: messages.Bulk}))
		}
		other := plain
		if i%2 == 1 {
			other = o
		}
		w = r.run(t, fullEngine(), other)
		for _, id := range ids {
			r.answer(t, id)
		}
		w.stop()
	}
}
