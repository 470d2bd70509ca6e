package telemetry

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"hopstream/stages/tracing"
)

// Bounds of what is kept of questions that are not sampled: beyond them, the
// traces least recently added to are dropped, and what a trace records last. A span
// takes about a kilobyte.
const (
	maxTraces = 1024
	maxSpans  = 32 // of a trace
)

// tail exports spans of sampled traces, and keeps others until their question has
// ended: then those of one that ended badly are exported too. A span is recorded
// when it has ended and stands where it was told to, so the SDK's own, which are
// made for spans that are still under way, would cost twice as much and add nothing.
type tail struct {
	out   sdk.SpanProcessor
	about *resource.Resource

	mu     sync.Mutex
	traces *simplelru.LRU[trace.TraceID, *kept]
}

// kept is what is kept of a trace.
type kept struct {
	spans []*tracing.Span
	bad   bool // its question ended badly: what is still to come is exported at once
}

var _ tracing.Exporter = (*tail)(nil)

func newTail(out sdk.SpanProcessor, about *resource.Resource) *tail {
	traces, err := simplelru.NewLRU[trace.TraceID, *kept](maxTraces, nil)
	if err != nil {
		panic(err) // the size is not positive
	}
	return &tail{out: out, about: about, traces: traces}
}

// Record exports or keeps a span.
func (t *tail) Record(s *tracing.Span) {
	if s.Always || s.Own.IsSampled() || t.keep(s) {
		t.export(s)
	}
}

// keep reports whether the span is to be exported after all.
func (t *tail) keep(s *tracing.Span) (export bool) {
	id := s.Own.TraceID()
	t.mu.Lock()
	defer t.mu.Unlock()
	k, ok := t.traces.Get(id)
	if !ok {
		k = &kept{}
		t.traces.Add(id, k)
	}
	if k.bad {
		return true
	}
	if len(k.spans) < maxSpans {
		k.spans = append(k.spans, s)
	}
	return false
}

// Keep exports what is kept of a trace, and what is still to come.
func (t *tail) Keep(id trace.TraceID) {
	t.mu.Lock()
	k, ok := t.traces.Get(id)
	if !ok {
		k = &kept{}
		t.traces.Add(id, k)
	}
	spans := k.spans
	k.spans, k.bad = nil, true
	t.mu.Unlock()
	for _, s := range spans {
		t.export(s)
	}
}

// Forget drops what is kept of a trace.
func (t *tail) Forget(id trace.TraceID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.traces.Remove(id)
}

// export exports a span as one of a sampled trace, which is what exporters take.
func (t *tail) export(s *tracing.Span) {
	out := tracetest.SpanStub{
		Name: s.Name, SpanKind: s.Kind, Parent: s.Parent, SpanContext: s.Own.WithTraceFlags(s.Own.TraceFlags() | trace.FlagsSampled),
		StartTime: s.Start, EndTime: s.End, Attributes: s.Attributes, Resource: t.about,
		InstrumentationScope: instrumentation.Scope{Name: "hopstream", SchemaURL: tracing.SchemaURL},
	}
	for _, l := range s.Links {
		out.Links = append(out.Links, sdk.Link{SpanContext: l})
	}
	for _, e := range s.Events {
		out.Events = append(out.Events, sdk.Event{Name: e.Name, Time: e.At})
	}
	if s.Error != "" {
		out.Status = sdk.Status{Code: codes.Error, Description: s.Error}
	}
	t.out.OnEnd(out.Snapshot())
}
