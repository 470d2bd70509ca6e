package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/trace"

	"hopstream/index/searcher"
	"hopstream/stages/engine/model"
	"hopstream/stages/meter"
	"hopstream/stages/tracing"
)

// Models observes calls of models: it counts them, and records their spans.
type Models struct {
	*ModelMetrics // nil: they are not counted
	Tracer        *tracing.Tracer
}

var _ model.Observer = (*Models)(nil)

// Call counts a call as it ended, and records its span, unless the reply was in the
// process already.
func (o *Models) Call(ctx context.Context, c model.Call) {
	if o.ModelMetrics != nil {
		o.ModelMetrics.Call(ctx, c)
	}
	parent := trace.SpanContextFromContext(ctx)
	if !o.Tracer.On() || !parent.IsValid() || c.Outcome == model.Cached || c.Outcome == model.Kept {
		return
	}
	end := time.Now()
	s := tracing.Span{Kind: trace.SpanKindClient, Own: tracing.Child(parent), Parent: parent, Start: end.Add(-c.Queue - c.Took), End: end}
	s.Name, s.Attributes = tracing.Called(&tracing.Asked{
		Question: meter.From(ctx).Question(), Role: c.Role, Model: c.Model, Server: c.Server, Embeds: c.Embeds, Outcome: string(c.Outcome),
		Queue: c.Queue, PromptTokens: c.PromptTokens, Answered: c.CompletionTokens,
	})
	if c.Err != nil {
		s.Error = c.Err.Error()
	}
	o.Tracer.Record(&s)
}

// InFlight counts the calls that a model's server is working on.
func (o *Models) InFlight(name string, delta int) {
	if o.ModelMetrics != nil {
		o.ModelMetrics.InFlight(name, delta)
	}
}

// Event counts what happened to n replies or passages of a model.
func (o *Models) Event(role, name string, e model.Event, n int) {
	if o.ModelMetrics != nil {
		o.ModelMetrics.Event(role, name, e, n)
	}
}

// Concurrency tells how many calls of a model are made at once.
func (o *Models) Concurrency(model string, n int) {
	if o.ModelMetrics != nil {
		o.ModelMetrics.Concurrency(model, n)
	}
}

// Begin makes the series of a role and model.
func (o *Models) Begin(role, model string) {
	if o.ModelMetrics != nil {
		o.ModelMetrics.Begin(role, model)
	}
}

// Searches observes searches: it counts them, and records their spans.
type Searches struct {
	Metrics *SearchMetrics // nil: they are not counted
	Tracer  *tracing.Tracer
}

// aboveKey is where a search's context has the place of the span above its own.
type aboveKey struct{}

// Begin chooses the place of a search's span, under which the calls that it makes
// record theirs; it fits searcher.SetOptions.Begin.
func (o *Searches) Begin(ctx context.Context) context.Context {
	parent := trace.SpanContextFromContext(ctx)
	if !o.Tracer.On() || !parent.IsValid() {
		return ctx
	}
	return trace.ContextWithSpanContext(context.WithValue(ctx, aboveKey{}, parent), tracing.Child(parent))
}

// Observe counts a search as it ended, and records its span; it fits
// searcher.SetOptions.Observe.
func (o *Searches) Observe(ctx context.Context, name, outcome string, took time.Duration) {
	if o.Metrics != nil {
		o.Metrics.observe(ctx, name, outcome, took)
	}
	parent, ok := ctx.Value(aboveKey{}).(trace.SpanContext)
	if !ok {
		return
	}
	end := time.Now()
	s := tracing.Span{Kind: trace.SpanKindInternal, Own: trace.SpanContextFromContext(ctx), Parent: parent, Start: end.Add(-took), End: end}
	s.Name, s.Attributes = tracing.Searched(meter.From(ctx).Question(), name, outcome)
	if outcome == searcher.OutcomeFailed || outcome == searcher.OutcomeTimeout {
		s.Error = outcome
	}
	o.Tracer.Record(&s)
}
