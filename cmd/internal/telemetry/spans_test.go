package telemetry_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"

	"hopstream/index/searcher"
	"hopstream/stages/engine/model"

	"hopstream/cmd/internal/telemetry"
	"hopstream/stages/tracing"
)

// TestSpansOfSearchesAndModels holds what the spans of searches and of calls of models
// tell, that a call made by a search stands under it, and that, where the question is
// not sampled, they arrive once it has ended badly, also those that end later; and
// not where it ended well.
func TestSpansOfSearchesAndModels(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	spans := r.tracing(t, 0)
	searches, models := &telemetry.Searches{Tracer: spans.Of()}, &telemetry.Models{Tracer: spans.Of()}
	work := func(ctx context.Context) {
		in := searches.Begin(ctx)
		models.Call(in, model.Call{Role: "embedder", Model: "small", Server: "http://m", Embeds: true, Outcome: model.OK, Took: time.Second, PromptTokens: 7})
		searches.Observe(in, "dense", searcher.OutcomeOK, 2*time.Second)
		models.Call(ctx, model.Call{Role: "answerer", Model: "large", Outcome: model.Failed, Queue: time.Second, Took: time.Second, PromptTokens: 5, CompletionTokens: 3, Err: errors.New("no")})
		models.Call(ctx, model.Call{Role: "answerer", Model: "large", Outcome: model.Cached})
	}
	var places []trace.SpanContext
	for range 2 {
		_, own := spans.Start(t.Context())
		places = append(places, own)
		work(trace.ContextWithSpanContext(t.Context(), own))
	}
	bad, good := places[0], places[1]
	spans.Keep(bad.TraceID())
	work(trace.ContextWithSpanContext(t.Context(), bad))
	spans.Forget(good.TraceID())
	work(t.Context()) // of no question
	spans.Close()
	if n := len(r.spans.Of(tracing.Format(good))); n != 0 {
		t.Errorf("%d spans of a question that ended well", n)
	}
	all := tree{t, r.spans.Of(tracing.Format(bad))}
	if len(all.spans) != 6 || all.count("search dense") != 2 || all.count("embeddings small") != 2 || all.count("chat large") != 2 {
		t.Fatalf("%v", all)
	}
	search, embed, chat := all.named("search dense")[0], all.named("embeddings small")[0], all.named("chat large")[0]
	if string(embed.ParentSpanId) != string(search.SpanId) || trace.SpanID(search.ParentSpanId) != bad.SpanID() || trace.SpanID(chat.ParentSpanId) != bad.SpanID() {
		t.Errorf("%v", all)
	}
	if took := time.Duration(chat.EndTimeUnixNano - chat.StartTimeUnixNano); took != 2*time.Second {
		t.Errorf("a call of two seconds takes %v", took)
	}
	if chat.Text("gen_ai.operation.name") != "chat" || chat.Text("gen_ai.request.model") != "large" || chat.Int("gen_ai.usage.input_tokens") != 5 ||
		chat.Int("gen_ai.usage.output_tokens") != 3 || chat.Text("hopstream.role") != "answerer" || chat.GetStatus().GetMessage() != "no" {
		t.Errorf("%v", chat.Span)
	}
	if embed.Text("gen_ai.operation.name") != "embeddings" || embed.Text("server.address") != "http://m" || search.Text("hopstream.searcher") != "dense" {
		t.Errorf("%v\n%v", embed.Span, search.Span)
	}
}
