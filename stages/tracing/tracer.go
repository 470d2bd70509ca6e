package tracing

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// Exporter takes spans that have ended. It is safe for concurrent use.
type Exporter interface {
	// Record exports a span that is sampled, or to be exported always. Others it keeps
	// for a while.
	Record(*Span)
	// Keep exports what is kept of a trace, and what is still to come.
	Keep(trace.TraceID)
	// Forget drops what is kept of a trace.
	Forget(trace.TraceID)
}

// Tracer records the spans of questions. A nil Tracer records none, at no cost;
// all its methods work. It is safe for concurrent use.
type Tracer struct {
	sample func(trace.TraceID) bool
	out    Exporter
}

// New returns a tracer. sample decides whether a question that begins a trace is
// sampled.
func New(sample func(trace.TraceID) bool, out Exporter) *Tracer { return &Tracer{sample, out} }

// On reports whether spans are recorded at all.
func (t *Tracer) On() bool { return t != nil }

// Question returns the place of the span of a question as a whole, in the trace of
// the client, or, where that brought none, in one of its own.
func (t *Tracer) Question(client trace.SpanContext, id string, asked time.Time) trace.SpanContext {
	c := trace.SpanContextConfig{TraceID: client.TraceID(), TraceFlags: client.TraceFlags()}
	if !client.IsValid() {
		c.TraceID = traceOf(id, asked)
		c.TraceFlags = t.flags(c.TraceID)
	}
	c.SpanID = questionSpan(c.TraceID, id)
	return trace.NewSpanContext(c)
}

// Decide returns the traceparent with the decision about its trace, where whoever
// wrote it could not make one.
func (t *Tracer) Decide(traceparent string) string {
	c := Parse(traceparent)
	if !c.IsValid() || c.IsSampled() {
		return traceparent
	}
	return Format(c.WithTraceFlags(t.flags(c.TraceID())))
}

// Brought reports whether a question's trace is one that its client brought.
func Brought(question trace.SpanContext, id string, asked time.Time) bool {
	return question.TraceID() != traceOf(id, asked)
}

// InQuestion returns the place of the span of the question as a whole in whose
// trace c stands.
func InQuestion(c trace.SpanContext, id string) trace.SpanContext {
	return c.WithSpanID(questionSpan(c.TraceID(), id)).WithRemote(false)
}

// Start returns the place of a new span under that of ctx, or, where ctx has none,
// in a new trace.
func (t *Tracer) Start(ctx context.Context) (parent, own trace.SpanContext) {
	parent = trace.SpanContextFromContext(ctx)
	if !parent.IsValid() {
		id := newTrace()
		parent = trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, TraceFlags: t.flags(id)})
	}
	return parent, Child(parent)
}

func (t *Tracer) flags(id trace.TraceID) trace.TraceFlags {
	if t != nil && t.sample(id) {
		return trace.FlagsSampled
	}
	return 0
}

// Span is a span that has ended.
type Span struct {
	Name string
	Kind trace.SpanKind
	// Own is the span's place, and Parent that of the span above it, which has no
	// span ID where the span is its trace's first.
	Own, Parent trace.SpanContext
	Start, End  time.Time
	Attributes  []attribute.KeyValue
	Links       []trace.SpanContext
	Events      []Event
	Error       string // why it failed; empty: it did not
	// Always exports the span whether its trace is sampled or not.
	Always bool
}

// Event is a moment of a span.
type Event struct {
	Name string
	At   time.Time
}

// Record records a span, which is the tracer's from now on.
func (t *Tracer) Record(s *Span) {
	if t != nil {
		t.out.Record(s)
	}
}

// Keep exports what this process keeps of a trace, since its question ended badly.
func (t *Tracer) Keep(id trace.TraceID) {
	if t != nil {
		t.out.Keep(id)
	}
}

// Forget drops what this process keeps of a trace, since its question ended well.
func (t *Tracer) Forget(id trace.TraceID) {
	if t != nil {
		t.out.Forget(id)
	}
}
