package bench

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"hopstream/cmd/hoplab/sim"
	"hopstream/stages/engine/builtin"
)

// simulated is a model's server that may be our own.
type simulated struct {
	url     string
	latency time.Duration // of a call, where we know it
	close   func() error  // nil for another's
}

// simulateServer starts one on a free port.
func simulateServer(o Options) (*simulated, error) {
	url, stop, err := sim.Start(sim.Options{Engine: builtin.New(builtin.Options{}), Parallel: o.Parallel, Latency: sim.Latency{Mean: o.Latency}})
	if err != nil {
		return nil, err
	}
	return &simulated{url, o.Latency, stop}, nil
}

// stats asks the server for its figures; a real one has none.
func (s *simulated) stats(ctx context.Context) (out sim.Stats) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(s.url, "/")+"/sim/stats", nil)
	if err != nil {
		return out
	}
	once := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := once.Do(req)
	if err != nil {
		return out
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || json.NewDecoder(resp.Body).Decode(&out) != nil {
		return sim.Stats{}
	}
	return out
}
