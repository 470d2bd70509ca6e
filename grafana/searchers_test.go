package grafana

import "testing"

// searchLoad is a quarter of an hour of two searchers.
const searchLoad = `load 30s
	hopstream_searcher_requests_total{job="h",searcher="bm25",outcome="ok"} 0+9x40
	hopstream_searcher_requests_total{job="h",searcher="web",outcome="ok"} 0+4x40
	hopstream_searcher_requests_total{job="h",searcher="web",outcome="timeout"} 0+1x40
	hopstream_searcher_duration_seconds_bucket{job="h",searcher="bm25",le="0.001"} 0+8x40
	hopstream_searcher_duration_seconds_bucket{job="h",searcher="bm25",le="+Inf"} 0+9x40
	hopstream_searcher_duration_seconds_bucket{job="h",searcher="web",le="1"} 0+4x40
	hopstream_searcher_duration_seconds_bucket{job="h",searcher="web",le="+Inf"} 0+5x40
`

// TestSearcherPanels runs the dashboard's queries about searchers over made-up
// figures.
func TestSearcherPanels(t *testing.T) {
	showMadeUp(t, "hopstream_searcher_", searchLoad, 3)
}
