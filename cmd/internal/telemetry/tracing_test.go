package telemetry_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	wire "go.opentelemetry.io/proto/otlp/trace/v1"

	"hopstream/cmd/internal/cmdtest"
	"hopstream/messages"
	"hopstream/stages/client"
)

func TestMain(m *testing.M) { cmdtest.Main(m) }

// TestCompoundOverTwoProcesses holds that the spans of a compound question are the
// tree of its hops, whichever processes worked on it, and that the join is linked
// with the branches.
func TestCompoundOverTwoProcesses(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	one, other := r.process(t, deciding, 1, fullEngine(), nil), r.process(t, finding, 1, fullEngine(), nil)
	a := r.ask(t, messages.Question{ID: "q", Question: "compound question?"})
	if a.Status != messages.Answered || len(a.Hops) != 3 {
		t.Fatalf("%+v", a)
	}
	one()
	other()
	all := r.arrived(t, a.Trace, func(all tree) bool { return all.count("question") == 1 })
	for name, n := range map[string]int{"question": 1, "process router": 1, "process decomposer": 1, "process retriever": 3, "process filter": 3,
		"process aligner": 3, "process generator": 4, "process aggregator": 3} {
		if got := all.count(name); got != n {
			t.Errorf("%d spans %s, want %d", got, name, n)
		}
	}
	instances, finals := map[string]bool{}, 0
	for _, s := range all.spans {
		instances[s.Instance] = true
	}
	for _, s := range all.named("process generator") {
		want := "generator aligner filter retriever decomposer router question"
		if !s.Has("hopstream.branch") {
			finals++
			want = "generator aggregator generator aligner filter retriever decomposer router question"
		}
		if got := all.path(s); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if s.Kind != wire.Span_SPAN_KIND_CONSUMER || s.Text("messaging.system") != "nats" || s.Text("messaging.operation.type") != "process" ||
			s.Text("messaging.destination.name") != "hop-v1-generate" || s.Text("hopstream.question.id") != "q" || s.Int("messaging.nats.delivery_count") != 1 ||
			!s.Has("hopstream.queue_seconds") || len(s.Events) != 2 || s.Events[1].Name != "handled" || !strings.HasPrefix(s.Text("messaging.message.id"), "hop.v1.generate.q") {
			t.Errorf("a delivery tells %v", s.Attributes)
		}
	}
	if len(instances) != 2 || finals != 1 {
		t.Errorf("%d processes, %d final answers", len(instances), finals)
	}
	joined := map[string]bool{} // spans
	for _, s := range all.named("process aggregator") {
		for _, l := range s.Links {
			joined[string(l.SpanId)] = true
		}
	}
	for _, s := range all.named("process generator") {
		if s.Has("hopstream.branch") && !joined[string(s.SpanId)] {
			t.Errorf("branch %d is not linked with the join", s.Int("hopstream.branch"))
		}
	}
}

// TestComplexHasItsRounds holds that every round of a complex question has its
// spans, each under the one that asked for it.
func TestComplexHasItsRounds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	stop := r.process(t, deciding+finding, 1, fullEngine(), nil)
	a := r.ask(t, messages.Question{ID: "q", Question: "complex question?", Strategy: messages.Refine})
	stop()
	all := r.arrived(t, a.Trace, func(all tree) bool { return all.count("question") == 1 })
	rounds := map[int64]int{}
	for _, s := range all.named("process retriever") {
		rounds[s.Int("hopstream.round")]++
		if s.Int("hopstream.round") == 2 && !strings.HasPrefix(all.path(s), "retriever decomposer judge aggregator generator") {
			t.Errorf("round 2 stands under %s", all.path(s))
		}
	}
	if a.Steps != 2 || rounds[1] != 1 || rounds[2] != 1 || len(rounds) != 2 {
		t.Errorf("%d steps, rounds %v", a.Steps, rounds)
	}
}

// TestFailureArrivesWhole holds that a question that fails is exported whole though
// it is not sampled, with the attempts that failed, and that one that ends well is
// not exported at all.
func TestFailureArrivesWhole(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	e := fullEngine()
	answer := e.AnswerFunc
	e.AnswerFunc = func(ctx context.Context, q string, w []messages.Window) (messages.Finding, error) {
		if strings.Contains(q, "bad") {
			return messages.Finding{}, errors.New("no good")
		}
		return answer(ctx, q, w)
	}
	stops := []func(){r.process(t, deciding, 0, e, nil), r.process(t, finding, 0, e, nil)}
	good := r.ask(t, messages.Question{ID: "good", Question: "single question?"})
	bad := r.ask(t, messages.Question{ID: "bad", Question: "single bad question?"})
	joined := r.ask(t, messages.Question{ID: "joined", Question: "compound bad question?"})
	if good.Status != messages.Answered || bad.Status != messages.Failed {
		t.Fatalf("%+v %+v", good, bad)
	}
	// The first two attempts are exported when their process hears of the end.
	all := r.arrived(t, bad.Trace, func(all tree) bool { return all.count("process generator") == 3 && all.count("question") == 1 })
	for _, name := range []string{"process router", "process retriever", "process filter", "process aligner"} {
		if s := all.named(name); len(s) != 1 || !s[0].Has("hopstream.rebuilt") {
			t.Errorf("%d spans %s", len(s), name)
		}
	}
	for _, s := range all.named("process generator") {
		if s.GetStatus().GetMessage() != "answer: no good" || all.path(s) != "generator aligner filter retriever router question" {
			t.Errorf("an attempt: %v, under %s", s.Status, all.path(s))
		}
	}
	if q := all.named("question")[0]; q.Status.GetCode() != wire.Status_STATUS_CODE_ERROR || q.Text("hopstream.question.status") != "failed" {
		t.Errorf("the question: %v", q.Span)
	}
	// Each branch: two attempts, and a third that stored its failure.
	all = r.arrived(t, joined.Trace, func(all tree) bool { return all.count("process generator") == 10 && all.count("question") == 1 })
	for _, s := range all.named("process generator") {
		if s.Has("hopstream.branch") && s.GetStatus().GetMessage() != "answer: no good" {
			t.Errorf("a branch that failed: %v", s.Status)
		}
	}
	for _, stop := range stops {
		stop()
	}
	if s := r.spans.Of(good.Trace); len(s) > 0 {
		t.Errorf("a good question that is not sampled exports %v", s)
	}
}

// TestExpiredArrivesWhole holds that a question that nobody works on any more is
// exported by the sentinel.
func TestExpiredArrivesWhole(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.process(t, deciding, 0, fullEngine(), nil)
	r.process(t, "retriever filter", 0, fullEngine(), nil)
	a := r.ask(t, messages.Question{ID: "q", Question: "compound question?", Deadline: messages.Deadline{After: 500 * time.Millisecond}})
	if a.Status != messages.Expired {
		t.Fatalf("%+v", a)
	}
	all := r.arrived(t, a.Trace, func(all tree) bool { return all.count("process filter") == 3 && all.count("question") == 1 })
	if len(all.spans) != 9 {
		t.Errorf("%d spans\n%v", len(all.spans), all)
	}
}

// TestTraceOfTheClient holds that a question goes on in the trace that its client
// brings, under the client's span.
func TestTraceOfTheClient(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	stop := r.process(t, deciding+finding, 0, fullEngine(), nil)
	spans := r.tracing(t, 1)
	asker := client.New(r.Log).Traced(spans.Of())
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	a, err := r.Follow.Ask(ctx, asker, &messages.Question{ID: "q", Question: "single question?"})
	if err != nil {
		t.Fatal(err)
	}
	stop()
	spans.Close()
	all := r.arrived(t, a.Trace, func(all tree) bool { return all.count("question") == 1 && all.count("send question") == 1 })
	for _, s := range all.named("process retriever") {
		if got := all.path(s); got != "retriever router question send question" {
			t.Error(got)
		}
	}
	if n := all.count("process generator"); n != 1 {
		t.Errorf("%d answers", n)
	}
}

// TestSharedSubQueryIsLinked holds that a sub-query whose work is another question's
// is linked with the delivery that did it.
func TestSharedSubQueryIsLinked(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	stop := r.process(t, deciding+finding, 1, fullEngine(), r.sharing)
	first := r.ask(t, messages.Question{ID: "first", Question: "single question?"})
	second := r.ask(t, messages.Question{ID: "second", Question: "single question?"})
	if len(second.Hops) != 1 || second.Hops[0].Shared == "" {
		t.Fatalf("%+v", second)
	}
	stop()
	did := r.arrived(t, first.Trace, func(all tree) bool { return all.count("question") == 1 }).named("process generator")
	took := r.arrived(t, second.Trace, func(all tree) bool { return all.count("question") == 1 }).named("process retriever")
	if len(did) != 1 || len(took) != 1 || len(took[0].Links) != 1 || string(took[0].Links[0].SpanId) != string(did[0].SpanId) ||
		took[0].Text("hopstream.shared_with") != "first.1.1" {
		t.Errorf("%v\n%v", did, took)
	}
}

// TestUnreadableQuestionArrives holds that a question that no stage can read has its
// span all the same.
func TestUnreadableQuestionArrives(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.process(t, deciding, 0, fullEngine(), nil)
	if _, err := r.Log.JetStream().Publish(t.Context(), "hop.v1.question.q", []byte("rubbish")); err != nil {
		t.Fatal(err)
	}
	var a *messages.Answer
	cmdtest.Eventually(t, "an answer", func() (ok bool) {
		var err error
		a, err = r.Log.Answer(t.Context(), "q")
		return err == nil
	})
	r.arrived(t, a.Trace, func(all tree) bool { return all.count("question") == 1 && all.count("process router") == 1 })
}
