package telemetry_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/telemetry"
	"hopstream/messages"
	"hopstream/stages/meter"
	"hopstream/stages/runner"
	"hopstream/stages/tracing"
)

// TestStandardVariables holds that OpenTelemetry's own variables say where spans go,
// whether there are any, and how many. It is not parallel: variables are the
// process's.
func TestStandardVariables(t *testing.T) {
	quiet := slog.New(slog.DiscardHandler)
	spans := cmdtest.ReceiveSpans(t)
	start := func(c config.TracingConfig) (*telemetry.Tracing, error) {
		return telemetry.NewTracing(t.Context(), &c, "hopstream", quiet)
	}
	if tr, err := start(config.TracingConfig{Sample: 1}); tr != nil || err != nil {
		t.Fatalf("tracing is on unasked: %v, %v", tr, err)
	}
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", spans.URL)
	for value, sampled := range map[string]bool{"always_on": true, "parentbased_always_off": false, "traceidratio": true} {
		t.Setenv("OTEL_TRACES_SAMPLER", value)
		tr, err := start(config.TracingConfig{Sample: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		parent, own := tr.Start(t.Context())
		if own.IsSampled() != sampled {
			t.Errorf("%s: sampled %v", value, own.IsSampled())
		}
		tr.Record(&tracing.Span{Name: value, Own: own, Parent: parent, Start: time.Now(), End: time.Now()})
		tr.Close()
		if got := len(spans.Of(tracing.Format(own))); (got == 1) != sampled {
			t.Errorf("%s: %d spans", value, got)
		}
	}
	for name, value := range map[string]string{"OTEL_TRACES_SAMPLER": "jaeger_remote", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			if _, err := start(config.TracingConfig{}); err == nil || !strings.Contains(err.Error(), value) {
				t.Errorf("%v", err)
			}
		})
	}
	t.Setenv("OTEL_TRACES_SAMPLER", "")
	for name, value := range map[string]string{"OTEL_SDK_DISABLED": "true", "OTEL_TRACES_EXPORTER": "none"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			if tr, err := start(config.TracingConfig{Sample: 1}); tr != nil || err != nil {
				t.Errorf("%v, %v", tr, err)
			}
		})
	}
}

// TestReceiverAway holds that a receiver that is away stops nothing, and is told of.
func TestReceiverAway(t *testing.T) {
	t.Parallel()
	away := httptest.NewServer(http.NotFoundHandler())
	away.Close()
	var said bytes.Buffer
	tr, err := telemetry.NewTracing(t.Context(), &config.TracingConfig{Endpoint: away.URL, Sample: 1}, "hopstream", slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	parent, own := tr.Start(t.Context())
	tr.Record(&tracing.Span{Name: "x", Own: own, Parent: parent, Start: time.Now(), End: time.Now()})
	tr.Close()
	if !strings.Contains(said.String(), "exported") {
		t.Errorf("the log says %q", said.String())
	}
}

// TestExemplars holds that the histograms of a sampled question name its trace, in
// OpenMetrics, and of one that is not sampled do not.
func TestExemplars(t *testing.T) {
	t.Parallel()
	for _, share := range []float64{0, 1} {
		r := newRig(t)
		reg := prometheus.NewRegistry()
		stop := r.process(t, deciding+finding, share, fullEngine(), func(o *runner.Options) { o.Metrics = runner.NewMetrics(reg) })
		a := r.ask(t, messages.Question{ID: "q", Question: "single question?"})
		stop()
		server := httptest.NewServer(promhttp.HandlerFor(reg, promhttp.HandlerOpts{EnableOpenMetrics: true}))
		defer server.Close()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", "application/openmetrics-text; version=1.0.0")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		if _, err := body.ReadFrom(resp.Body); err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		want := `# {trace_id="` + tracing.ID(a.Trace) + `"}`
		for _, name := range []string{"hopstream_question_duration_seconds_bucket", "hopstream_stage_duration_seconds_bucket"} {
			found := false
			for line := range strings.Lines(body.String()) {
				found = found || strings.HasPrefix(line, name) && strings.Contains(line, want)
			}
			if found != (share == 1) {
				t.Errorf("share %v: %s with its trace: %v", share, name, found)
			}
		}
	}
}

// TestLogsNameTheQuestion holds that what is logged with a delivery's context names
// its question and trace, and what is logged without does not.
func TestLogsNameTheQuestion(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := slog.New(telemetry.LogHandler(slog.NewJSONHandler(&out, nil))).With("stage", "filter")
	ctx, m := meter.With(t.Context(), messages.Usage{})
	m.Of("q", [16]byte{1, 2})
	l.InfoContext(ctx, "one")
	l.Info("two")
	dec := json.NewDecoder(&out)
	for _, want := range []string{"01020000000000000000000000000000", ""} {
		var line struct {
			Stage, Question string
			TraceID         string `json:"trace_id"`
		}
		if err := dec.Decode(&line); err != nil || line.TraceID != want || (line.Question == "q") != (want != "") || line.Stage != "filter" {
			t.Errorf("%+v, %v", line, err)
		}
	}
}
