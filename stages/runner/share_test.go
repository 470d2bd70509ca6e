package runner_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages"
	"hopstream/stages/engine/scripted"
	"hopstream/stages/generator"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
	"hopstream/stages/retriever"
	"hopstream/stages/runner"
	"hopstream/stages/work"
)

// sharing are options with which work is shared.
func sharing() setup {
	o := options()
	o.Share, o.Metrics = true, runner.NewMetrics(nil)
	return o
}

// lighthouse is an engine that counts its answers to sub-queries, which are what
// a question names after a colon, and calls before for each.
func lighthouse(before func(ctx context.Context, query string, n int32) error) (e *scripted.Engine, answers *atomic.Int32) {
	e, answers = fullEngine(), &atomic.Int32{}
	e.SearchFunc = func(context.Context, string, int) ([]messages.Passage, error) {
		return []messages.Passage{{ID: "d#1", Title: "Light", Text: "Orla Venn kept the light. Ann and Bob helped her.", Rank: 1, By: []string{"bm25"}}}, nil
	}
	e.SplitFunc = func(_ context.Context, q string) ([]string, error) {
		_, names, several := strings.Cut(q, ": ")
		if !several {
			names = q
		}
		return strings.Split(names, ", "), nil
	}
	e.ClassifyFunc = func(_ context.Context, q string) (messages.Class, error) {
		return classOf(strings.Replace(q, ":", "", 1)), nil
	}
	e.RefineFunc = func(ctx context.Context, q string, pairs []messages.Pair) (string, error) {
		names, err := e.SplitFunc(ctx, q)
		return names[len(pairs)%len(names)], err
	}
	e.AnswerFunc = func(ctx context.Context, q string, w []messages.Window) (messages.Finding, error) {
		n := answers.Add(1)
		if before != nil {
			if err := before(ctx, q, n); err != nil {
				return messages.Finding{}, err
			}
		}
		switch {
		case strings.Contains(q, "nobody"):
			return messages.Finding{}, nil
		case strings.Contains(q, "helpers"):
			return messages.Finding{Text: "Ann; Bob", Confidence: 0.75, Claims: []messages.Claim{{Text: "Ann"}, {Text: "Bob"}}, Sources: []messages.Source{{ID: "d#1", Title: "Light"}}}, nil
		}
		return messages.Finding{Text: "Orla Venn", Confidence: 0.5, Sources: []messages.Source{{ID: "d#1", Title: "Light"}}}, nil
	}
	return e, answers
}

// same is an answer without what differs between runs.
func same(a *messages.Answer) messages.Answer {
	b := *a
	b.ID, b.LatencyMS, b.Trace = "", 0, ""
	b.Hops = append([]messages.Hop(nil), a.Hops...)
	for i := range b.Hops {
		b.Hops[i].Shared = ""
	}
	return b
}

// TestSharedAnswersAreTheQuestionsOwn asks questions of every class one after the
// other, from two processes, and holds that each gets the answer that it gets by
// itself, with the same sub-query asked of the engine once.
func TestSharedAnswersAreTheQuestionsOwn(t *testing.T) {
	t.Parallel()
	questions := []string{
		"single keeper", "compound: single keeper, helpers", "compound: helpers, single keeper", "complex: helpers, single keeper",
		"single helpers", "compound: single helpers, single keeper", "single nobody", "single nobody", "compound: single nobody, helpers", "single keeper",
	}
	e, answers := lighthouse(nil)
	ask := func(t *testing.T, o setup) (all []messages.Answer, hops int) {
		r := newRig(t, e, o)
		r.run(t, e, o)
		ids := make([]string, len(questions))
		for i, q := range questions {
			ids[i] = fmt.Sprint("q", i)
			a := r.ask(t, messages.Question{ID: ids[i], Question: q})
			hops += len(a.Hops)
			all = append(all, same(a))
		}
		r.verify(t, ids...)
		return all, hops
	}
	o := options()
	o.Metrics = runner.NewMetrics(nil)
	want, hops := ask(t, o)
	if n := int(answers.Swap(0)); n != hops {
		t.Errorf("%d answers to %d sub-queries, each by itself", n, hops)
	}
	if o.Metrics.SubQueries(work.Own) != 0 {
		t.Error("sub-queries are claimed where work is not shared")
	}
	o = sharing()
	got, _ := ask(t, o)
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("%s:\n got %+v\nwant %+v", questions[i], got[i], want[i])
		}
	}
	if n := o.Metrics.SubQueries(work.Own); float64(answers.Load()) != n || n+o.Metrics.SubQueries(work.Shared) != float64(hops) || n > 8 {
		t.Errorf("%d answers, %v own, %v shared, of %d sub-queries", answers.Load(), n, o.Metrics.SubQueries(work.Shared), hops)
	}
}

// TestIdenticalSubQueriesAtTheSameTime holds a sub-query in the engine of one
// process until another question, which asks the same, was handed back: it then
// has the answer without a call.
func TestIdenticalSubQueriesAtTheSameTime(t *testing.T) {
	t.Parallel()
	o := sharing()
	e, answers := lighthouse(func(ctx context.Context, _ string, _ int32) error {
		return until(ctx, func() bool { return o.Metrics.SubQueries(work.Wait) > 0 })
	})
	r := newRig(t, e, o)
	r.run(t, e, o)
	for i := range 2 {
		r.submit(t, messages.Question{ID: fmt.Sprint("q", i), Question: "single keeper"})
	}
	a, b := r.answer(t, "q0"), r.answer(t, "q1")
	if x, y := same(a), same(b); !reflect.DeepEqual(x, y) || a.Answer != "Orla Venn" || len(a.Evidence) == 0 {
		t.Errorf("%+v\nand %+v", x, y)
	}
	if x, y := a.Hops[0].Shared, b.Hops[0].Shared; !(x == "q1.1.1" && y == "" || x == "" && y == "q0.1.1") {
		t.Errorf("shared %q and %q", x, y)
	}
	if answers.Load() != 1 || o.Metrics.SubQueries(work.Shared) != 1 {
		t.Errorf("%d answers", answers.Load())
	}
	if out := o.Metrics.Outcomes("retriever"); out["retried"] != 0 || out["dead"] != 0 {
		t.Errorf("waiting counts as %v", out)
	}
	r.verify(t, "q0", "q1")
}

// until waits for ok, or ctx's end.
func until(ctx context.Context, ok func() bool) error {
	for !ok() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
	return nil
}

// TestOwnerIsCancelled cancels the question that works on a sub-query: the one
// that waits for it does the work.
func TestOwnerIsCancelled(t *testing.T) {
	t.Parallel()
	o := sharing()
	working := make(chan struct{})
	e, answers := lighthouse(func(ctx context.Context, _ string, n int32) error {
		if n > 1 {
			return nil
		}
		close(working)
		<-ctx.Done()
		return ctx.Err()
	})
	r := newRig(t, e, o)
	r.submit(t, messages.Question{ID: "owner", Question: "single keeper"})
	<-working
	r.submit(t, messages.Question{ID: "other", Question: "single keeper"})
	natstest.Eventually(t, "the other waits", func() bool { return o.Metrics.SubQueries(work.Wait) > 0 })
	if _, err := r.Client.Cancel(t.Context(), "owner"); err != nil {
		t.Fatal(err)
	}
	if a := r.answer(t, "other"); a.Status != messages.Answered || a.Hops[0].Shared != "" || answers.Load() != 2 {
		t.Errorf("%+v after %d answers", a, answers.Load())
	}
	if a := r.answer(t, "owner"); a.Status != messages.Cancelled {
		t.Errorf("%+v", a)
	}
	r.verify(t, "owner", "other")
}

// TestOwnerIsKilled kills the process that works on a sub-query for which another
// process's question waits: both get their answer, by one more call.
func TestOwnerIsKilled(t *testing.T) {
	t.Parallel()
	o := sharing()
	o.Grace = 10 * time.Millisecond
	working := make(chan struct{})
	e, answers := lighthouse(func(ctx context.Context, _ string, n int32) error {
		if n > 1 {
			return nil
		}
		close(working)
		<-ctx.Done()
		return ctx.Err()
	})
	r := newRig(t, e, o)
	r.submit(t, messages.Question{ID: "owner", Question: "single keeper"})
	<-working
	r.submit(t, messages.Question{ID: "other", Question: "compound: single keeper, helpers", Class: messages.Compound})
	natstest.Eventually(t, "the other waits, and has the answer to its other sub-query", func() bool {
		_, err := r.Log.Get(t.Context(), messages.KindSubanswer, messages.Key{ID: "other", Round: 1, Branch: 2})
		return err == nil && o.Metrics.SubQueries(work.Wait) > 0
	})
	r.worker.kill()
	r.run(t, e, o)
	if a := r.answer(t, "other"); a.Status != messages.Answered || a.Hops[0].Shared != "owner.1.1" {
		t.Errorf("%+v", a)
	}
	if a := r.answer(t, "owner"); a.Status != messages.Answered || answers.Load() != 3 {
		t.Errorf("%+v after %d answers", a, answers.Load())
	}
	r.verify(t, "owner", "other")
}

// TestOwnerFails holds that a failure is not shared.
func TestOwnerFails(t *testing.T) {
	t.Parallel()
	o := sharing()
	e, answers := lighthouse(func(ctx context.Context, _ string, n int32) error {
		if n > 1 {
			return nil
		}
		if err := until(ctx, func() bool { return o.Metrics.SubQueries(work.Wait) > 0 }); err != nil {
			return err
		}
		return fault.AsPermanent(errors.New("refused"))
	})
	r := newRig(t, e, o)
	r.submit(t, messages.Question{ID: "owner", Question: "single keeper"})
	natstest.Eventually(t, "the owner works", func() bool { return answers.Load() > 0 })
	r.submit(t, messages.Question{ID: "other", Question: "single keeper"})
	if a := r.answer(t, "owner"); a.Status != messages.Failed {
		t.Errorf("%+v", a)
	}
	if a := r.answer(t, "other"); a.Status != messages.Answered || o.Metrics.SubQueries(work.TakenOver) != 1 {
		t.Errorf("%+v", a)
	}
	r.verify(t, "owner", "other")
}

// TestNobodyWaitsForEver claims a sub-query for a question that nobody works on:
// the other one waits for its share of time, and then works by itself.
func TestNobodyWaitsForEver(t *testing.T) {
	t.Parallel()
	o := sharing()
	e, answers := lighthouse(nil)
	r := newRig(t, e, o)
	head := acceptedHead(messages.Single, 1)
	head.ID, head.Question = "gone", "single keeper"
	if v, _, err := work.New(r.Log, o.Streams, "", time.Now).Claim(t.Context(), messages.FirstRetrieve(head)); v != work.Own || err != nil {
		t.Fatal(v, err)
	}
	a := r.ask(t, messages.Question{ID: "q", Question: "single keeper", Deadline: messages.Deadline{After: 12 * time.Second}})
	if a.Status != messages.Answered || answers.Load() != 1 || o.Metrics.SubQueries(runner.Alone) != 1 {
		t.Errorf("%+v after %d answers", a, answers.Load())
	}
	if a.LatencyMS < 3000 || a.LatencyMS > 9000 {
		t.Errorf("it waited %v ms", a.LatencyMS)
	}
	r.verify(t, "q")
}

// TestLookAgain holds that a result is looked for soon where work is quick, and
// seldom where it takes long.
func TestLookAgain(t *testing.T) {
	t.Parallel()
	for waited, want := range map[time.Duration]time.Duration{
		0: 20 * time.Millisecond, 50 * time.Millisecond: 20 * time.Millisecond, time.Second: 200 * time.Millisecond,
		10 * time.Second: 2 * time.Second, time.Hour: 3 * time.Second,
	} {
		if got := runner.LookAgain(waited); got != want {
			t.Errorf("after %v: %v, want %v", waited, got, want)
		}
	}
}

// TestEscalationOfSharedAnswers holds that a single question whose shared answer
// does not suffice goes on as one whose own does not.
func TestEscalationOfSharedAnswers(t *testing.T) {
	t.Parallel()
	var want []messages.Answer
	for _, share := range []bool{false, true} {
		o := sharing()
		o.Share = share
		e, _ := lighthouse(nil)
		e.EnoughFunc = func(_ context.Context, _ string, pairs []messages.Pair) (bool, error) { return len(pairs) > 1, nil }
		e.RefineFunc = func(context.Context, string, []messages.Pair) (string, error) { return "helpers", nil }
		r := idleRig(t, o)
		r.runLogics(t, o, func(j *log.Log) []stages.Logic {
			p := stages.Parts{Engine: e, Search: retriever.Plain(e), Branches: j}
			p.Generator.Escalate = generator.EscalateJudged
			return stages.Assemble(o.Table, p)
		})
		var got []messages.Answer
		for i := range 3 {
			got = append(got, same(r.ask(t, messages.Question{ID: fmt.Sprint("q", i), Question: "single keeper"})))
		}
		r.verify(t, "q0", "q1", "q2")
		if !share {
			want = got
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		if got[2].Rerouted != messages.Escalated || len(got[2].Hops) != 2 {
			t.Errorf("%+v", got[2])
		}
		if n := o.Metrics.SubQueries(work.Shared); share && n != 4 {
			t.Errorf("%v sub-queries are shared", n)
		}
	}
}

var manyQuestions = flag.Int("share", 200, "questions of TestManyQuestionsOverFewEntities, a tenth as many entities")

// TestManyQuestionsOverFewEntities asks questions about two of few entities each,
// all at once of two processes: together they cost at most half of the calls that
// they cost each by itself.
func TestManyQuestionsOverFewEntities(t *testing.T) {
	t.Parallel()
	n := *manyQuestions
	ask := func(share bool) int32 {
		o := sharing()
		o.Share = share
		e, answers := lighthouse(nil)
		r := newRig(t, e, o)
		r.run(t, e, o)
		ids := make([]string, n)
		for i := range ids {
			ids[i] = fmt.Sprint("q", i)
			text := fmt.Sprintf("compound: entity %d, entity %d", i%(n/10), (i*7+3)%(n/10))
			r.submit(t, messages.Question{ID: ids[i], Question: text, Class: messages.Compound})
		}
		for id, a := range r.verify(t, ids...) {
			if a.Status != messages.Answered || len(a.Hops) != 2 {
				t.Errorf("%s: %+v", id, a)
			}
		}
		if len(r.letters(t)) > 0 {
			t.Error("there are dead letters")
		}
		return answers.Load()
	}
	alone, shared := ask(false), ask(true)
	t.Logf("%d questions over %d entities: %d calls each by itself, %d shared", n, n/10, alone, shared)
	if shared > alone/2 {
		t.Errorf("%d calls, and %d without sharing", shared, alone)
	}
}
