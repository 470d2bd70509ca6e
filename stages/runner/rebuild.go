package runner

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/time/rate"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/tracing"
)

// Bounds of rebuilding, which reads a question's whole trace from the log: where
// more questions end badly than that, most for one reason, the others' traces are
// left out.
const (
	rebuildsWaiting   = 64
	rebuildsPerSecond = 20
)

// rebuilds are the questions that ended badly without being sampled, whose spans
// are still to be made from the log.
type rebuilds chan *ended

// add adds a question, unless too many wait.
func (r rebuilds) add(e *ended) {
	select {
	case r <- e:
	default:
	}
}

// rebuild exports the spans of questions that ended badly until idle is closed, and
// then of those that wait.
func (r *Runner) rebuild(ctx context.Context, idle <-chan struct{}) error {
	limit := rate.NewLimiter(rebuildsPerSecond, rebuildsPerSecond)
	for over := false; ; {
		select {
		case e := <-r.opts.rebuilds:
			if over || limit.Allow() {
				r.exportEnded(ctx, e)
			}
			continue
		default:
		}
		if over {
			return nil
		}
		select {
		case e := <-r.opts.rebuilds:
			if limit.Allow() {
				r.exportEnded(ctx, e)
			}
		case <-idle:
			over = true
		}
	}
}

// exportEnded exports the spans of a question that ended badly, as the log tells
// them, and has every process export what it keeps.
func (r *Runner) exportEnded(ctx context.Context, e *ended) {
	ctx, cancel := context.WithTimeout(ctx, settleTimeout)
	defer cancel()
	names, id := r.log.Names(), e.answer.ID
	recordQuestion(r.opts.Tracer, e, true)
	stored, err := r.log.Trace(ctx, id)
	if err != nil {
		r.opts.Logger.Warn("cannot read the trace of a question that ended badly", "question", id, "error", err)
	}
	for _, s := range spansOf(names, stored, e) {
		r.opts.Tracer.Record(s)
	}
	r.opts.Tracer.Keep(tracing.Parse(e.answer.Trace).TraceID())
	_ = r.log.JetStream().Conn().Publish(names.KeepTrace(id), []byte(e.answer.Trace))
}

// keepTraces exports what this process keeps of questions that end badly elsewhere.
func (r *Runner) keepTraces() (stop func(), err error) {
	sub, err := r.log.JetStream().Conn().Subscribe(r.log.Names().KeepTrace("*"), func(m *nats.Msg) {
		if c := tracing.Parse(string(m.Data)); c.IsValid() {
			r.opts.Tracer.Keep(c.TraceID())
		}
	})
	if err != nil {
		return nil, err
	}
	return func() { _ = sub.Unsubscribe() }, nil
}

// step is a stored message, decoded.
type step struct {
	kind messages.Kind
	key  messages.Key
	head *messages.Head    // of a message inside the pipeline
	at   time.Time         // when it was stored
	own  trace.SpanContext // of the delivery that wrote it
	subj string
	err  string // why it stands for a failure
}

// spansOf makes the spans of the deliveries that wrote the stored messages of a
// question. The span of a delivery begins when its message was stored, since the
// log does not tell when it was taken up, and ends when its last output was.
func spansOf(names messages.Names, stored []*log.Stored, e *ended) []*tracing.Span {
	steps := stepsOf(names, stored, e)
	table := stages.Pipeline()
	made := map[trace.SpanID]*tracing.Span{}
	var spans []*tracing.Span
	for i := range steps {
		out := &steps[i]
		if !out.own.IsValid() || out.kind == messages.KindQuestion || out.own.SpanID() == e.live.SpanID() {
			continue
		}
		if s := made[out.own.SpanID()]; s != nil {
			s.End = out.at
			continue
		}
		in, stage := writer(table, steps, out)
		if in == nil {
			continue
		}
		s := &tracing.Span{Kind: trace.SpanKindConsumer, Own: out.own, Parent: in.own, Start: in.at, End: out.at, Error: out.err, Always: true}
		s.Name, s.Attributes = tracing.Processed(names, &tracing.Delivered{Stage: stage, Subject: in.subj, Kind: in.kind, Key: in.key, Rebuilt: true})
		if in.kind == messages.KindSubanswer {
			s.Links = joined(steps, in)
		}
		made[out.own.SpanID()] = s
		spans = append(spans, s)
	}
	return spans
}

// stepsOf decodes the stored messages of a question, in order of time, with the
// question itself at first, which is gone once it has its answer.
func stepsOf(names messages.Names, stored []*log.Stored, e *ended) []step {
	id := e.answer.ID
	steps := []step{{
		kind: messages.KindQuestion, key: messages.Key{ID: id}, head: &messages.Head{ID: id}, at: e.asked,
		own: tracing.InQuestion(tracing.Parse(e.answer.Trace), id), subj: names.Subject(messages.KindQuestion, messages.Key{ID: id}),
	}}
	for _, st := range stored {
		kind, key, err := names.Parse(st.Subject)
		if err != nil || kind == messages.KindQuestion {
			continue
		}
		m, err := st.Decode(names)
		if err != nil {
			continue
		}
		s := step{kind: kind, key: key, at: st.Time, subj: st.Subject}
		switch m := m.(type) {
		case messages.Carrier:
			s.head = m.Meta()
			s.own = tracing.Parse(s.head.Trace)
			if sub, ok := m.(*messages.Subanswer); ok && sub.Pair.Failed {
				s.err = sub.Pair.Error
			}
		case *messages.Answer:
			s.own = tracing.Parse(m.Trace)
		}
		steps = append(steps, s)
	}
	return steps
}

// writer returns the message whose delivery wrote out, and the stage that was
// delivered it: the last one stored before from which the table has out follow.
func writer(table []stages.Stage, steps []step, out *step) (in *step, stage string) {
	for i := range table {
		row := &table[i]
		planned := aboutPlan(row.Outputs, out)
		for n := range steps {
			s := &steps[n]
			if s == out || s.kind != row.Input || s.head == nil || s.at.After(out.at) || in != nil && s.at.Before(in.at) {
				continue
			}
			// What follows from a plan is written by the delivery that planned.
			if s.own.IsValid() && writes(row, s, out) || planned && s.key.Round == out.key.Round {
				in, stage = s, row.Name
			}
		}
	}
	return in, stage
}

// writes reports whether out is where a row's output of in stands.
func writes(row *stages.Stage, in, out *step) bool {
	for _, o := range row.Outputs {
		if o.Kind == out.kind && o.Key(in.head) == out.key {
			return true
		}
	}
	return false
}

// aboutPlan reports whether out follows from a plan that is among the outputs.
func aboutPlan(outputs []stages.Output, out *step) bool {
	if out.kind != messages.KindRetrieve {
		return false
	}
	for _, o := range outputs {
		if o.Kind == messages.KindPlan {
			return true
		}
	}
	return false
}

// joined returns the places of the deliveries that answered a round's sub-queries.
func joined(steps []step, in *step) (links []trace.SpanContext) {
	for i := range steps {
		if s := &steps[i]; s.kind == messages.KindSubanswer && s.key.Round == in.key.Round && s.own.IsValid() {
			links = append(links, s.own)
		}
	}
	return links
}
