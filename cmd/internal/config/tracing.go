package config

import (
	"net/url"
)

// The protocols of TracingConfig, as OpenTelemetry names them.
const (
	ProtocolGRPC = "grpc"
	ProtocolHTTP = "http/protobuf"
)

// TracingConfig says where the spans of questions go. OpenTelemetry's standard
// variables (OTEL_…) hold for what is not set here.
type TracingConfig struct {
	Endpoint string  `koanf:"endpoint" about:"URL of an OTLP receiver (Tempo, Jaeger, a collector) that gets the questions' spans; empty: OTEL_EXPORTER_OTLP_ENDPOINT, and where that is empty too, none are made."`
	Protocol string  `koanf:"protocol" about:"grpc or http/protobuf; empty: OTEL_EXPORTER_OTLP_PROTOCOL, or else grpc on port 4317 and http/protobuf on others."`
	Sample   float64 `koanf:"sample" about:"Share of the questions whose spans are exported, 0 to 1; those of questions that end badly always are. OTEL_TRACES_SAMPLER goes before it."`
}

func (t *TracingConfig) validate(bad func(string, ...any)) {
	if t.Sample < 0 || t.Sample > 1 {
		bad("tracing.sample %v: between 0 and 1", t.Sample)
	}
	if t.Protocol != "" && t.Protocol != ProtocolGRPC && t.Protocol != ProtocolHTTP {
		bad("tracing.protocol %q: choose %s or %s", t.Protocol, ProtocolGRPC, ProtocolHTTP)
	}
	if t.Endpoint == "" {
		return
	}
	if u, err := url.Parse(t.Endpoint); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		bad("tracing.endpoint %q: give a URL such as http://localhost:4317", RedactURL(t.Endpoint))
	}
}
