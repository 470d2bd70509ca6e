package runner

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/trace"

	"hopstream/messages"
	"hopstream/stages/log"
	"hopstream/stages/meter"
	"hopstream/stages/tracing"
	"hopstream/stages/work"
)

// span is the place of a delivery in its question's trace, and what is told of it
// when it ends.
type span struct {
	parent, own trace.SpanContext
	links       []trace.SpanContext
	taken       *work.Taken
	handled     time.Time // when the stage's logic ended; zero where it did not run, or the delivery is not sampled
	// failure is why the delivery did not do what it was to do.
	failure error
	// last is set where the delivery ended a question that is exported whether it is
	// sampled or not.
	last bool
	// told is set where the log tells of the delivery: it stored a failed sub-answer.
	told bool
}

// fails notes why the delivery did not do what it was to do. One whose question has
// ended, or that waits for a result, has not failed.
func (s *span) fails(err error) {
	_, waits := errors.AsType[*waiting](err)
	if !waits && !errors.Is(err, errAnswered) && !errors.Is(err, errCancelled) {
		s.failure = err
	}
}

// place chooses the place of the delivery's span: under that of the delivery that
// wrote its message, or, for a question, under that of the question as a whole.
func (s *worker) place(j *job) {
	head := j.in.Meta()
	if q, ok := j.in.(*messages.Question); ok {
		j.span.parent = s.opts.Tracer.Question(tracing.Parse(head.Trace), q.ID, head.Asked)
	} else if j.span.parent = tracing.Parse(head.Trace); !j.span.parent.IsValid() {
		j.span.parent = s.opts.Tracer.Question(trace.SpanContext{}, head.ID, head.Asked)
	}
	j.span.own = tracing.Child(j.span.parent)
}

// traced returns ctx with the place of the delivery's span, under which searches
// and calls of models record theirs.
func (s *worker) traced(ctx context.Context, j *job) context.Context {
	if !s.opts.Tracer.On() {
		return ctx
	}
	return trace.ContextWithSpanContext(ctx, j.span.own)
}

// record records the span of a delivery that has ended. Of a question that is not
// sampled, it does so only where the delivery failed, or ended its question badly:
// the log tells the others.
func (s *worker) record(j *job, started time.Time) {
	t := s.opts.Tracer
	if !t.On() || !j.span.own.IsValid() || !j.span.own.IsSampled() && !j.span.last && (j.span.failure == nil || j.span.told) {
		return
	}
	names := s.log.Names()
	d := tracing.Delivered{Stage: s.stage.Name, Subject: j.msg.Subject(), Kind: s.stage.Input, Key: j.key,
		Deliveries: int(j.meta.NumDelivered), Queue: max(0, started.Sub(j.meta.Timestamp))}
	out := tracing.Span{Kind: trace.SpanKindConsumer, Own: j.span.own, Parent: j.span.parent, Start: started, End: s.opts.Now(),
		Events: []tracing.Event{{Name: tracing.EventStored, At: j.meta.Timestamp}}, Always: j.span.last, Links: j.span.links}
	if !j.span.handled.IsZero() {
		out.Events = append(out.Events, tracing.Event{Name: tracing.EventHandled, At: j.span.handled})
	}
	if j.span.taken != nil {
		d.Shared = j.span.taken.Shared
		if owner := tracing.Parse(j.span.taken.Trace); owner.IsValid() {
			out.Links = append(out.Links, owner)
		}
	}
	if j.span.failure != nil {
		out.Error = reason(j.span.failure)
	}
	out.Name, out.Attributes = tracing.Processed(names, &d)
	t.Record(&out)
}

// handling notes when a stage's logic has ended in a sampled delivery, which then
// stores what it put out, and which branches it joined.
func (s *worker) handling(ctx context.Context, j *job) (ended func()) {
	if !s.opts.Tracer.On() || !j.span.own.IsSampled() {
		return func() {}
	}
	return func() {
		j.span.handled = s.opts.Now()
		for _, joined := range meter.From(ctx).Joined() {
			if l := tracing.Parse(joined); l.IsValid() {
				j.span.links = append(j.span.links, l)
			}
		}
	}
}

// ended is a question that has its answer: what its span is made of.
type ended struct {
	answer *messages.Answer
	asked  time.Time
	// client is the place of the client's span, if it brought one.
	client trace.SpanContext
	// live is the span of the delivery that ended the question, which records itself.
	live trace.SpanContext
	at   time.Time
}

// question counts a question that has ended, and records its span. Of one that ended
// badly and is not sampled, everything is exported.
func (o *Options) question(e *ended) (badly bool) {
	own := tracing.Parse(e.answer.Trace)
	o.Metrics.question(e.answer, own)
	t := o.Tracer
	if !t.On() || !own.IsValid() {
		return false
	}
	e.at = o.Now()
	bad := endedBadly(e.answer)
	switch {
	case own.IsSampled():
		recordQuestion(t, e, false)
	case bad:
		o.rebuilds.add(e)
		return true
	default:
		t.Forget(own.TraceID())
	}
	return false
}

// recordQuestion records the span of a question as a whole. Where it is exported
// though it is not sampled, nor is the client's span, so that this one is the first.
func recordQuestion(t *tracing.Tracer, e *ended, always bool) {
	a := e.answer
	s := tracing.Span{Name: tracing.NameQuestion, Kind: trace.SpanKindServer, Start: e.asked, End: e.at,
		Own: tracing.InQuestion(tracing.Parse(a.Trace), a.ID), Attributes: tracing.Answered(a), Always: always}
	if e.client.IsValid() {
		if always {
			s.Links = append(s.Links, e.client)
		} else {
			s.Parent = e.client
		}
	}
	if a.Status == messages.Failed || a.Status == messages.Expired {
		s.Error = a.Error
		if s.Error == "" {
			s.Error = string(a.Status)
		}
	}
	t.Record(&s)
}

// endedBadly reports whether a question's trace is worth exporting by itself: it
// failed, expired, or a sub-query of it failed for good.
func endedBadly(a *messages.Answer) bool {
	switch a.Status {
	case messages.Failed, messages.Expired:
		return true
	case messages.Partial:
		for i := range a.Hops {
			if a.Hops[i].Answer == "" && a.Hops[i].Error != "" {
				return true
			}
		}
	}
	return false
}

// clientOf returns the place of the span of the client that stored a question, as
// long as the question is stored. It is asked for only where it counts: where the
// question's trace is the client's, and is going to be exported.
func (o *Options) clientOf(ctx context.Context, l *log.Log, head *messages.Head, own trace.SpanContext, bad bool) trace.SpanContext {
	if !o.Tracer.On() || !own.IsSampled() && !bad || !tracing.Brought(own, head.ID, head.Asked) {
		return trace.SpanContext{}
	}
	stored, err := l.Questions(ctx, head.ID)
	if err != nil || len(stored) == 0 {
		return trace.SpanContext{}
	}
	return tracing.Parse(stored[0].Header.Get(log.TraceHeader))
}

// origin finds out where a question comes from that is about to end.
func (s *worker) origin(ctx context.Context, j *job, outs []messages.Message) {
	for _, out := range outs {
		if a, ok := out.(*messages.Answer); ok {
			j.client = s.opts.clientOf(ctx, s.log, j.in.Meta(), j.span.own, endedBadly(a))
		}
	}
}

// about returns the log with the question of a message, and its trace.
func (s *worker) about(j *job) *slog.Logger {
	l := s.logger.With("question", j.key.ID)
	if j.span.own.IsValid() {
		l = l.With("trace_id", j.span.own.TraceID().String())
	}
	return l
}

// sign puts the place of the delivery's span onto what is stored in place of its
// outputs. A message that could not be read has none yet.
func (s *worker) sign(j *job, m messages.Message) {
	if !j.span.own.IsValid() {
		if j.in != nil {
			s.place(j)
		} else {
			client := tracing.Parse(j.msg.Headers().Get(log.TraceHeader))
			j.span.parent = s.opts.Tracer.Question(client, j.key.ID, j.meta.Timestamp)
			j.span.own = tracing.Child(j.span.parent)
		}
	}
	_, j.span.told = m.(*messages.Subanswer)
	if out, ok := m.(messages.Output); ok {
		out.Charge(messages.Usage{}, tracing.Format(j.span.own))
	}
}
