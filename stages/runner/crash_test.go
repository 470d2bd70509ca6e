package runner_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/engine/scripted"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
	"hopstream/stages/retriever"
	"hopstream/stages/runner"
	"hopstream/stages/work"
)

// around is called with each message of a stage and the stage's own Handle.
type around func(in messages.Carrier, handle func() ([]messages.Message, error)) ([]messages.Message, error)

// wrapped is the table's logic with f around each stage's own.
func wrapped(e *scripted.Engine, table []stages.Stage, f around) func(*log.Log) []stages.Logic {
	return func(j *log.Log) []stages.Logic {
		logics := stages.Assemble(table, stages.Parts{Engine: e, Search: retriever.Plain(e), Branches: j})
		for i := range logics {
			handle := logics[i].Handle
			logics[i].Handle = func(ctx context.Context, in messages.Carrier) ([]messages.Message, error) {
				return f(in, func() ([]messages.Message, error) { return handle(ctx, in) })
			}
		}
		return logics
	}
}

// TestCrashAfterStoring lets every delivery of every message fail once after
// its outputs were stored and before its ack. The second delivery must find
// them, and call no stage again.
func TestCrashAfterStoring(t *testing.T) {
	t.Parallel()
	questions := map[string]messages.Question{
		"plan":       {Question: "complex one", Strategy: messages.Planned},
		"supplement": {Question: "complex one", Strategy: messages.Supplement},
		"escalated":  {Question: "single unanswered"},
	}
	for _, class := range messages.Classes() {
		questions[string(class)] = messages.Question{Question: string(class) + " one"}
	}
	for name, q := range questions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := fullEngine()
			e.PlanFunc = func(context.Context, string) ([]string, error) {
				return []string{"first", "second", "third of $1"}, nil
			}
			e.SupplementFunc = func(context.Context, string, []messages.Pair) ([]string, error) {
				return []string{"first", "second"}, nil
			}
			answer := e.AnswerFunc
			e.AnswerFunc = func(ctx context.Context, q string, w []messages.Window) (messages.Finding, error) {
				if q == "single unanswered" {
					return messages.Finding{}, nil
				}
				return answer(ctx, q, w)
			}
			o := options()
			o.Metrics = runner.NewMetrics(nil)
			r := idleRig(t, o)
			var mu sync.Mutex
			calls := map[string]int{}
			r.runLogics(t, o, wrapped(e, o.Table, func(in messages.Carrier, handle func() ([]messages.Message, error)) ([]messages.Message, error) {
				name := r.Log.Names().Of(in)
				mu.Lock()
				calls[name]++
				first := calls[name] == 1
				mu.Unlock()
				outs, err := handle()
				if err != nil || !first || len(outs) == 0 {
					return outs, err
				}
				for _, m := range outs {
					if err := r.Log.Put(t.Context(), m); err != nil && !errors.Is(err, log.ErrStored) {
						t.Error(err)
					}
				}
				return nil, errors.New("crashed before the ack")
			}))
			id := r.submit(t, q)
			a := r.answer(t, id)
			if a.Status != messages.Answered {
				t.Errorf("%+v", a)
			}
			r.verify(t, id)
			mu.Lock()
			defer mu.Unlock()
			for name, n := range calls {
				if n > 1 {
					t.Errorf("%s was worked on %d times", name, n)
				}
			}
			if len(r.letters(t)) > 0 {
				t.Error("there are dead letters")
			}
		})
	}
}

// TestPlanIsDecidedOnce lets the splitter answer differently every time, with
// a crash after the plan and some of its sub-queries were stored.
func TestPlanIsDecidedOnce(t *testing.T) {
	t.Parallel()
	for _, sent := range []int{0, 1, 2} {
		t.Run(fmt.Sprintf("%d sub-queries sent", sent), func(t *testing.T) {
			t.Parallel()
			r := idleRig(t, options())
			plan := &messages.Plan{Head: acceptedHead(messages.Compound, 1), Queries: []string{"first a", "first b", "first c"}}
			for _, m := range append([]messages.Message{plan}, plan.Retrieves()[:sent]...) {
				if err := r.Log.Put(t.Context(), m); err != nil {
					t.Fatal(err)
				}
			}
			e := fullEngine()
			e.SplitFunc = func(context.Context, string) ([]string, error) { return []string{"second a", "second b"}, nil }
			o := options()
			o.Metrics = runner.NewMetrics(nil)
			r.submit(t, messages.Question{ID: "q", Question: "compound one"})
			w := r.run(t, e, o)
			a := r.answer(t, "q")
			var asked []string
			for _, h := range a.Hops {
				asked = append(asked, h.Question)
			}
			if !slices.Equal(asked, plan.Queries) || a.Status != messages.Answered {
				t.Errorf("asked %v: %+v", asked, a)
			}
			r.verify(t, "q")
			w.stop()
			if got := o.Metrics.Outcomes("decomposer")["conflicts"]; got != float64(1+sent) {
				t.Errorf("%v conflicts counted, want the plan's and %d", got, sent)
			}
		})
	}
}

// TestCrashBetweenSubQueries fails the decomposer after its plan, and looks
// that the second delivery does not ask the splitter again.
func TestCrashBetweenSubQueries(t *testing.T) {
	t.Parallel()
	e := fullEngine()
	r := idleRig(t, options())
	var asked atomic.Int64
	e.SplitFunc = func(context.Context, string) ([]string, error) {
		n := asked.Add(1)
		plan := &messages.Plan{Head: acceptedHead(messages.Compound, 1), Queries: []string{"stored a", "stored b"}}
		if err := r.Log.Put(t.Context(), plan); err != nil {
			t.Error(err)
		}
		if err := r.Log.Put(t.Context(), plan.Retrieves()[1]); err != nil {
			t.Error(err)
		}
		return nil, fmt.Errorf("crash %d", n)
	}
	r.run(t, e, options())
	a := r.ask(t, messages.Question{ID: "q", Question: "compound one"})
	if asked.Load() != 1 || a.Status != messages.Answered || len(a.Hops) != 2 || a.Hops[0].Question != "stored a" {
		t.Errorf("asked %d times: %+v", asked.Load(), a)
	}
	r.verify(t, "q")
}

// TestKilledAgainAndAgain cuts a worker's connection at any moment, many
// times, while questions of all classes are under way.
func TestKilledAgainAndAgain(t *testing.T) {
	t.Parallel()
	o := options()
	r := idleRig(t, o)
	var ids []string
	for i := range 80 {
		ids = append(ids, r.submit(t, messages.Question{Question: fmt.Sprintf("%s q%d", messages.Classes()[i%4], i)}))
	}
	answered := func() int {
		st, err := r.Log.StreamState(t.Context(), messages.KindAnswer)
		if err != nil {
			t.Fatal(err)
		}
		return int(st.Msgs)
	}
	o.Grace = 1 // nothing is given time to end
	for kills, before := 0, 0; kills < 5 && before < len(ids); kills++ {
		w := r.run(t, fullEngine(), o)
		natstest.Eventually(t, "some more are answered", func() bool { n := answered(); return n > before+5 || n == len(ids) })
		w.kill()
		before = answered()
	}
	r.run(t, fullEngine(), o)
	for id, a := range r.verifyAll(t, ids) {
		if a.Status != messages.Answered {
			t.Errorf("%s: %+v", id, a)
		}
	}
}

// verifyAll is verify after all have been answered.
func (r *rig) verifyAll(t testing.TB, ids []string) map[string]*messages.Answer {
	t.Helper()
	natstest.Eventually(t, fmt.Sprintf("all of %d are answered", len(ids)), func() bool {
		st, err := r.Log.StreamState(t.Context(), messages.KindAnswer)
		return err == nil && st.Msgs == uint64(len(ids))
	})
	return r.verify(t, ids...)
}

// TestCrashesOfSharedWork lets every delivery of every message fail once, half of
// them before any work and half after its outputs were stored, while questions
// share the work on their sub-queries. The answers are those of a calm run.
func TestCrashesOfSharedWork(t *testing.T) {
	t.Parallel()
	questions := []string{
		"single keeper", "compound: single keeper, helpers", "complex: helpers, single keeper", "single keeper",
		"single nobody", "compound: helpers, helpers, single nobody", "single nobody",
	}
	run := func(o setup, f func(*rig) around) map[string]messages.Answer {
		e, _ := lighthouse(nil)
		r := idleRig(t, o)
		for range 2 {
			r.runLogics(t, o, wrapped(e, o.Table, f(r)))
		}
		ids := make([]string, len(questions))
		for i, q := range questions {
			ids[i] = r.submit(t, messages.Question{ID: fmt.Sprint("q", i), Question: q})
		}
		all := map[string]messages.Answer{}
		for id, a := range r.verify(t, ids...) {
			all[id] = same(a)
		}
		if len(r.letters(t)) > 0 {
			t.Error("there are dead letters")
		}
		return all
	}
	want := run(options(), func(*rig) around {
		return func(_ messages.Carrier, handle func() ([]messages.Message, error)) ([]messages.Message, error) {
			return handle()
		}
	})
	var mu sync.Mutex
	seen := map[string]bool{}
	o := sharing()
	got := run(o, func(r *rig) around {
		return func(in messages.Carrier, handle func() ([]messages.Message, error)) ([]messages.Message, error) {
			name := r.Log.Names().Of(in)
			mu.Lock()
			again, before := seen[name], len(seen)%2 == 0
			seen[name] = true
			mu.Unlock()
			if again {
				return handle()
			}
			if before {
				return nil, errors.New("crashed before the work")
			}
			outs, err := handle()
			for _, m := range outs {
				if err := r.Log.Put(t.Context(), m); err != nil && !errors.Is(err, log.ErrStored) {
					t.Error(err)
				}
			}
			return nil, errors.Join(err, errors.New("crashed before the ack"))
		}
	})
	for id, a := range want {
		if !reflect.DeepEqual(got[id], a) {
			t.Errorf("%s:\n got %+v\nwant %+v", id, got[id], a)
		}
	}
	if o.Metrics.SubQueries(work.Shared) == 0 {
		t.Error("nothing was shared")
	}
}
