package bench

import (
	"context"
	"encoding/json"
	"errors"
	"net"
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
	server  *http.Server
	done    chan error
}

// simulateServer starts one on a free port.
func simulateServer(o Options) (*simulated, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &simulated{url: "http://" + l.Addr().String(), latency: o.Latency, done: make(chan error, 1)}
	s.server = &http.Server{Handler: sim.New(sim.Options{Engine: builtin.New(builtin.Options{}), Parallel: o.Parallel,
		Latency: sim.Latency{Mean: o.Latency}}), ReadHeaderTimeout: 10 * time.Second}
	go func() { s.done <- s.server.Serve(l) }()
	return s, nil
}

func (s *simulated) close() error {
	err := s.server.Close()
	if served := <-s.done; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
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
