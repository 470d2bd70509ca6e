package runner

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/stages/tracing"
)

// untraced is a delivery of a worker that records no spans.
func untraced() (*worker, *job) {
	o := Options{}.withDefaults()
	s := &worker{opts: &o}
	head := messages.Head{ID: "q", Asked: time.Unix(1, 0), Trace: "00-0123456789abcdef0123456789abcdef-0123456789abcdef-00"}
	return s, &job{in: &messages.Retrieve{Head: head, Query: "x"}, meta: &jetstream.MsgMetadata{NumDelivered: 1}}
}

// TestTracingOffCostsNothing holds that a delivery allocates nothing for a trace that
// is not recorded, but for the traceparent of its outputs.
func TestTracingOffCostsNothing(t *testing.T) {
	s, j := untraced()
	outs := []messages.Message{&messages.Filter{}}
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() {
		s.place(j)
		inside := s.traced(ctx, j)
		if inside != ctx {
			t.Error("the context is another")
		}
		s.handling(inside, j)()
		s.origin(ctx, j, outs)
		s.record(j, j.in.Meta().Asked)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { stamp(j, outs, messages.Usage{}, nil) }); n != 1 {
		t.Errorf("stamping takes %v allocations", n)
	}
}

// BenchmarkTracingOff is what a delivery's trace costs where none is recorded.
func BenchmarkTracingOff(b *testing.B) {
	s, j := untraced()
	b.ReportAllocs()
	for b.Loop() {
		s.place(j)
		s.handling(b.Context(), j)()
		s.record(j, j.in.Meta().Asked)
	}
}

// TestPlaceIsTheSame holds that a question that is delivered again, or ended by
// another process, stays in its trace, and that a delivery stands under the one that
// wrote its message.
func TestPlaceIsTheSame(t *testing.T) {
	t.Parallel()
	s, j := untraced()
	q := &messages.Question{Question: "who?"}
	asked := time.Unix(1, 2)
	q.Accept("q", asked, messages.Policy{}, "")
	j.in = q
	s.place(j)
	first := j.span
	s.place(j)
	if !j.span.parent.Equal(first.parent) || j.span.own.SpanID() == first.own.SpanID() || j.span.own.TraceID() != first.own.TraceID() {
		t.Errorf("%v then %v", first, j.span)
	}
	if again := tracing.InQuestion(j.span.own, "q"); again.SpanID() != j.span.parent.SpanID() || tracing.Brought(again, "q", asked) {
		t.Errorf("the question's span is %v, and then %v", j.span.parent, again)
	}
	q.Accept("q", asked, messages.Policy{}, "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01")
	s.place(j)
	if id := j.span.own.TraceID().String(); id != "0123456789abcdef0123456789abcdef" || !j.span.own.IsSampled() || !tracing.Brought(j.span.parent, "q", asked) {
		t.Errorf("a client's trace becomes %s", id)
	}
	out := &messages.Filter{}
	stamp(j, []messages.Message{out}, messages.Usage{}, nil)
	next := &job{in: out}
	s.place(next)
	if next.span.parent.SpanID() != j.span.own.SpanID() || next.span.parent.TraceID() != j.span.own.TraceID() {
		t.Errorf("%v stands under %v", next.span, j.span)
	}
}
