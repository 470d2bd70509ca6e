package grafana

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/promqltest"
)

// modelLoad is a quarter of an hour of two roles of a model.
const modelLoad = `load 30s
	hopstream_model_calls_total{job="h",role="router",model="m",outcome="ok"} 0+9x40
	hopstream_model_calls_total{job="h",role="router",model="m",outcome="unavailable"} 0+1x40
	hopstream_model_calls_total{job="h",role="router",model="m",outcome="late"} 0+1x40
	hopstream_model_calls_total{job="h",role="judge",model="m",outcome="ok"} 0+3x40
	hopstream_model_tokens_total{job="h",role="router",model="m",type="prompt"} 0+900x40
	hopstream_model_tokens_total{job="h",role="router",model="m",type="completion"} 0+90x40
	hopstream_model_call_duration_seconds_bucket{job="h",role="router",model="m",le="0.5"} 0+5x40
	hopstream_model_call_duration_seconds_bucket{job="h",role="router",model="m",le="1"} 0+9x40
	hopstream_model_call_duration_seconds_bucket{job="h",role="router",model="m",le="+Inf"} 0+9x40
	hopstream_model_queue_seconds_bucket{job="h",role="router",model="m",le="0.01"} 0+8x40
	hopstream_model_queue_seconds_bucket{job="h",role="router",model="m",le="+Inf"} 0+9x40
	hopstream_model_in_flight{job="h",model="m"} 2x40
	hopstream_model_concurrency{job="h",model="m"} 4x40
	hopstream_model_repairs_total{job="h",role="router",model="m"} 0+2x40
	hopstream_model_unusable_total{job="h",role="router",model="m"} 0+1x40
	hopstream_model_fallbacks_total{job="h",role="router"} 0+1x40
	hopstream_model_truncations_total{job="h",role="router",model="m"} 0+1x40
	hopstream_model_dropped_passages_total{job="h",role="router",model="m"} 0+6x40
	hopstream_model_cost_total{job="h",role="router",model="m"} 0+0.25x40
	hopstream_model_calls_total{job="h",role="router",model="m",outcome="cached"} 0+1x40
	hopstream_questions_total{job="h",class="single",status="answered"} 0+3x40
`

// TestModelPanels runs the dashboard's queries about models over made-up
// figures.
func TestModelPanels(t *testing.T) {
	showMadeUp(t, "hopstream_model_", modelLoad, len(modelContract))
}

// showMadeUp runs the dashboard's queries about the metrics that begin with
// prefix over the figures of load: there are least queries or more, and each
// must show a number.
func showMadeUp(t *testing.T, prefix, load string, least int) {
	t.Helper()
	store, e := promqltest.LoadedStorage(t, load), engine(t)
	at := time.Unix(0, 0).Add(15 * time.Minute)
	asked := 0
	for _, p := range panels(t) {
		for _, q := range p.Targets {
			expr := substitute(q.Expr)
			if !strings.Contains(expr, prefix) {
				continue
			}
			asked++
			if got := query(t, e, store, expr, at); !hasNumber(got) {
				t.Errorf("panel %q, query %s shows nothing: %s", p.Title, q.RefID, expr)
			}
		}
	}
	if asked < least {
		t.Errorf("%d queries about %s…", asked, prefix)
	}
}
