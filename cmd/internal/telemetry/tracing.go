package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nuid"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"hopstream/cmd/internal/config"
	"hopstream/stages/tracing"
)

// Tracing exports the spans of a process. A nil Tracing exports none.
type Tracing struct {
	*tracing.Tracer
	spans  sdk.SpanProcessor
	logger *slog.Logger
}

// closeTime bounds how long the end of a process waits for its last spans to be
// exported.
const closeTime = 5 * time.Second

// NewTracing starts exporting spans over OTLP, as c and OpenTelemetry's standard
// variables say: OTEL_EXPORTER_OTLP_… (endpoint, protocol, headers, certificates,
// timeouts), OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER,
// OTEL_BSP_…, OTEL_TRACES_EXPORTER=none and OTEL_SDK_DISABLED. It
// returns nil where nothing is exported. It fails where a setting cannot be used;
// a collector that is away is none: spans are then dropped, and the log says so.
func NewTracing(ctx context.Context, c *config.TracingConfig, program string, logger *slog.Logger) (*Tracing, error) {
	if !Exports(c) {
		return nil, nil
	}
	sampler, err := headOf(c)
	if err != nil {
		return nil, err
	}
	exporter, err := newExporter(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("tracing: %w", err)
	}
	about, err := resource.New(ctx,
		resource.WithAttributes(tracing.ServiceName(program), tracing.ServiceVersion(Version()), tracing.ServiceInstance(nuid.Next())),
		resource.WithTelemetrySDK(), resource.WithHost(), resource.WithFromEnv())
	if err != nil && about == nil {
		return nil, fmt.Errorf("tracing: %w", err)
	}
	spans := sdk.NewBatchSpanProcessor(said{exporter, logger, &lastSaid{}})
	sample := func(id trace.TraceID) bool {
		return sampler.ShouldSample(sdk.SamplingParameters{ParentContext: context.Background(), TraceID: id}).Decision == sdk.RecordAndSample
	}
	return &Tracing{Tracer: tracing.New(sample, newTail(spans, about)), spans: spans, logger: logger}, nil
}

// Of returns the tracer of t, nil where t is.
func (t *Tracing) Of() *tracing.Tracer {
	if t == nil {
		return nil
	}
	return t.Tracer
}

// Close exports what is left, for a few seconds at most. What cannot be exported is
// dropped, which the log says.
func (t *Tracing) Close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if err := t.spans.Shutdown(ctx); err != nil {
		t.logger.Warn("the last spans could not be exported", "error", err)
	}
}

// Exports reports whether spans are exported.
func Exports(c *config.TracingConfig) bool {
	if disabled, _ := strconv.ParseBool(os.Getenv("OTEL_SDK_DISABLED")); disabled || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return c.Endpoint != "" || os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// headOf returns the sampler that decides at the question: OTEL_TRACES_SAMPLER, or
// else a share of all.
func headOf(c *config.TracingConfig) (sdk.Sampler, error) {
	name := os.Getenv("OTEL_TRACES_SAMPLER")
	switch strings.TrimPrefix(name, "parentbased_") { // which all are here: a client's decision stands
	case "":
		return sdk.TraceIDRatioBased(c.Sample), nil
	case "always_on":
		return sdk.AlwaysSample(), nil
	case "always_off":
		return sdk.NeverSample(), nil
	case "traceidratio":
		arg := os.Getenv("OTEL_TRACES_SAMPLER_ARG")
		if arg == "" {
			return sdk.AlwaysSample(), nil
		}
		share, err := strconv.ParseFloat(arg, 64)
		if err != nil || share < 0 || share > 1 {
			return nil, fmt.Errorf("OTEL_TRACES_SAMPLER_ARG %q: between 0 and 1", arg)
		}
		return sdk.TraceIDRatioBased(share), nil
	}
	return nil, fmt.Errorf("OTEL_TRACES_SAMPLER %q: choose always_on, always_off, traceidratio, or these with parentbased_", name)
}

// newExporter returns the exporter of the configured protocol. What c does not say
// it reads from the environment.
func newExporter(ctx context.Context, c *config.TracingConfig) (*otlptrace.Exporter, error) {
	protocol, err := protocolOf(c)
	if err != nil {
		return nil, err
	}
	if protocol == config.ProtocolGRPC {
		var o []otlptracegrpc.Option
		if c.Endpoint != "" {
			o = append(o, otlptracegrpc.WithEndpointURL(c.Endpoint))
		}
		return otlptracegrpc.New(ctx, o...)
	}
	var o []otlptracehttp.Option
	if c.Endpoint != "" {
		u, err := url.Parse(c.Endpoint)
		if err != nil {
			return nil, err
		}
		if u.Path == "" || u.Path == "/" { // as OTEL_EXPORTER_OTLP_ENDPOINT is completed
			u.Path = path.Join("/", "v1/traces")
		}
		o = append(o, otlptracehttp.WithEndpointURL(u.String()))
	}
	return otlptracehttp.New(ctx, o...)
}

// protocolOf returns the protocol that is set, or else that of the endpoint's
// usual port: gRPC on 4317, HTTP on any other.
func protocolOf(c *config.TracingConfig) (string, error) {
	endpoint := c.Endpoint
	for _, set := range []string{c.Protocol, os.Getenv("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"), os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL")} {
		switch set {
		case "":
			continue
		case config.ProtocolGRPC, config.ProtocolHTTP:
			return set, nil
		}
		return "", fmt.Errorf("protocol %q: choose %s or %s", set, config.ProtocolGRPC, config.ProtocolHTTP)
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"} {
		if endpoint == "" {
			endpoint = os.Getenv(name)
		}
	}
	if u, err := url.Parse(endpoint); err == nil && u.Port() == "4317" {
		return config.ProtocolGRPC, nil
	}
	return config.ProtocolHTTP, nil
}
