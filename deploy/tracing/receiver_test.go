package tracing

import (
	"net"
	"testing"

	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/receiver/receivertest"
)

// receiver is the OpenTelemetry collector's own OTLP receiver.
type receiver struct {
	sink       *consumertest.TracesSink
	grpc, http string // URLs
}

// receive starts a receiver, which ends with the test.
func receive(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{sink: new(consumertest.TracesSink)}
	grpc, http := freeAddress(t), freeAddress(t)
	r.grpc, r.http = "http://"+grpc, "http://"+http
	f := otlpreceiver.NewFactory()
	cfg := f.CreateDefaultConfig()
	settings := confmap.NewFromStringMap(map[string]any{"protocols": map[string]any{
		"grpc": map[string]any{"endpoint": grpc}, "http": map[string]any{"endpoint": http},
	}})
	if err := settings.Unmarshal(cfg); err != nil {
		t.Fatal(err)
	}
	in, err := f.CreateTraces(t.Context(), receivertest.NewNopSettings(f.Type()), cfg, r.sink)
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Start(t.Context(), componenttest.NewNopHost()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
	return r
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// span is a span as it arrived, with the service instance that sent it.
type span struct {
	ptrace.Span
	instance string
}

func (s span) text(key string) string {
	v, ok := s.Attributes().Get(key)
	if !ok {
		return ""
	}
	return v.AsString()
}

// of returns the spans of a trace, by span ID.
func (r *receiver) of(traceID string) map[pcommon.SpanID]span {
	out := map[pcommon.SpanID]span{}
	for _, all := range r.sink.AllTraces() {
		for _, res := range all.ResourceSpans().All() {
			instance, _ := res.Resource().Attributes().Get("service.instance.id")
			for _, scope := range res.ScopeSpans().All() {
				for _, s := range scope.Spans().All() {
					if s.TraceID().String() == traceID {
						out[s.SpanID()] = span{s, instance.AsString()}
					}
				}
			}
		}
	}
	return out
}
