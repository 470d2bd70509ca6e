package telemetry

import (
	"go.opentelemetry.io/otel/trace"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

// busyModel returns the figures after one of everything.
func busyModel() (*ModelMetrics, *prometheus.Registry) {
	reg := prometheus.NewRegistry()
	m := NewModelMetrics(reg)
	m.Concurrency("small", 4)
	m.inFlight("small", 1)
	m.inFlight("small", 1)
	m.inFlight("small", -1)
	m.Price("router", "small", Price{Prompt: 2.5e5, Completion: 1e6})
	m.call(trace.SpanContext{}, "router", "small", "ok", 20*time.Millisecond, 700*time.Millisecond, 120, 8)
	m.call(trace.SpanContext{}, "router", "small", "cached", 0, 0, 120, 8)
	m.call(trace.SpanContext{}, "router", "small", "shared", time.Second, time.Second, 120, 8)
	m.call(trace.SpanContext{}, "router", "small", "unavailable", 0, 0, 0, 0)
	m.call(trace.SpanContext{}, "router", "small", "late", time.Second, 0, 0, 0)
	m.repair("router", "small")
	m.unusable("router", "small")
	m.fallback("router")
	m.truncated("router", "small")
	m.dropped("router", "small", 3)
	return m, reg
}

func TestModelMetrics(t *testing.T) {
	t.Parallel()
	m, reg := busyModel()
	if problems, err := testutil.GatherAndLint(reg); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	const calls = `
# HELP hopstream_model_calls_total Calls of models, by what became of them.
# TYPE hopstream_model_calls_total counter
hopstream_model_calls_total{model="small",outcome="cached",role="router"} 1
hopstream_model_calls_total{model="small",outcome="cancelled",role="router"} 0
hopstream_model_calls_total{model="small",outcome="failed",role="router"} 0
hopstream_model_calls_total{model="small",outcome="kept",role="router"} 0
hopstream_model_calls_total{model="small",outcome="late",role="router"} 1
hopstream_model_calls_total{model="small",outcome="ok",role="router"} 1
hopstream_model_calls_total{model="small",outcome="shared",role="router"} 1
hopstream_model_calls_total{model="small",outcome="unavailable",role="router"} 1
# HELP hopstream_model_tokens_total Tokens of models, as their servers count them.
# TYPE hopstream_model_tokens_total counter
hopstream_model_tokens_total{model="small",role="router",type="completion"} 8
hopstream_model_tokens_total{model="small",role="router",type="prompt"} 120
`
	if err := testutil.GatherAndCompare(reg, strings.NewReader(calls), "hopstream_model_calls_total", "hopstream_model_tokens_total"); err != nil {
		t.Error(err)
	}
	for name, c := range map[string]struct {
		got  prometheus.Collector
		want float64
	}{
		"in flight":   {m.flight.WithLabelValues("small"), 1},
		"concurrency": {m.slots.WithLabelValues("small"), 4},
		"repairs":     {m.repairs.WithLabelValues("router", "small"), 1},
		"unusable":    {m.unusables.WithLabelValues("router", "small"), 1},
		"fallbacks":   {m.fallbacks.WithLabelValues("router"), 1},
		"truncations": {m.truncations.WithLabelValues("router", "small"), 1},
		"cost":        {m.cost.WithLabelValues("router", "small"), 120*.25 + 8},
		"dropped":     {m.drops.WithLabelValues("router", "small"), 3},
	} {
		if got := testutil.ToFloat64(c.got); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	samples := map[string]uint64{"hopstream_model_call_duration_seconds": 1, "hopstream_model_queue_seconds": 3}
	for _, f := range families {
		want, timed := samples[f.GetName()]
		if !timed {
			continue
		}
		h := f.GetMetric()[0].GetHistogram()
		if h.GetSampleCount() != want || len(h.GetBucket()) != len(modelBuckets) || h.GetSchema() <= 0 || len(h.GetPositiveSpan()) == 0 {
			t.Errorf("%s: %v", f.GetName(), h)
		}
		delete(samples, f.GetName())
	}
	if len(samples) > 0 {
		t.Errorf("no samples of %v", samples)
	}
}

// TestModelFiguresBeginAtZero holds that a role's first call brings every
// figure of its troubles with it: one that appears with its first trouble
// never grows.
func TestModelFiguresBeginAtZero(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewRegistry()
	NewModelMetrics(reg).call(trace.SpanContext{}, "judge", "small", "ok", 0, time.Second, 1, 1)
	for name, want := range map[string]int{
		"hopstream_model_calls_total": len(callOutcomes), "hopstream_model_repairs_total": 1, "hopstream_model_unusable_total": 1,
		"hopstream_model_fallbacks_total": 1, "hopstream_model_truncations_total": 1, "hopstream_model_dropped_passages_total": 1, "hopstream_model_cost_total": 1,
	} {
		if n, err := testutil.GatherAndCount(reg, name); err != nil || n != want {
			t.Errorf("%s: %d series, want %d (%v)", name, n, want, err)
		}
	}
}

// TestModelMetricsAreLookedAt holds that dashboard and alerts ask for the
// model's figures by the names and labels they have, and for each of them.
func TestModelMetricsAreLookedAt(t *testing.T) {
	t.Parallel()
	_, reg := busyModel()
	if n := lookedAt(t, reg, "hopstream_model_"); n != 12 {
		t.Errorf("%d figures", n)
	}
}

// lookedAt holds that the registry's figures begin with prefix, and are those
// of that beginning that dashboard and alerts ask for. It returns how many.
func lookedAt(t *testing.T, reg *prometheus.Registry, prefix string) int {
	t.Helper()
	asked := map[string]bool{}
	dashboards, err := filepath.Glob("../../../grafana/*.json")
	if err != nil || len(dashboards) == 0 {
		t.Fatalf("no dashboards: %v", err)
	}
	for _, file := range append(dashboards, "../../../grafana/alerts.yaml", "../../../grafana/slo.yaml") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`\b`+prefix+`\w+`).FindAllString(string(text), -1) {
			for _, suffix := range []string{"_bucket", "_sum", "_count"} {
				name = strings.TrimSuffix(name, suffix)
			}
			asked[name] = true
		}
	}
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if !strings.HasPrefix(f.GetName(), prefix) {
			t.Errorf("%s does not begin with %s", f.GetName(), prefix)
		}
		if !asked[f.GetName()] {
			t.Errorf("nothing looks at %s", f.GetName())
		}
		delete(asked, f.GetName())
	}
	if len(asked) > 0 {
		t.Errorf("dashboard or alerts ask for %v, which do not exist", asked)
	}
	return len(families)
}
