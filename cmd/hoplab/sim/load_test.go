package sim

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"hopstream/stages/engine/builtin"
)

// await looks until the figures are as wanted.
func await(t *testing.T, s *Server, wanted func(Stats) bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !wanted(s.Stats()); runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%+v", s.Stats())
		}
	}
}

// TestBusy fills the slots and the queue, and wants all others refused.
func TestBusy(t *testing.T) {
	t.Parallel()
	s, c, _ := start(t, Options{Latency: Latency{Mean: time.Minute}, Parallel: 2, Queue: 3})
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			if _, _, err := chat(ctx, c, direct(true)); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	await(t, s, func(st Stats) bool { return st.Working == 2 && st.Waiting == 3 })
	for range 3 {
		_, _, err := chat(ctx, c, direct(true))
		if e, ok := errors.AsType[api.StatusError](err); !ok || e.StatusCode != http.StatusServiceUnavailable || e.ErrorMessage != errBusy.Error() {
			t.Error(err)
		}
	}
	cancel() // the clients leave: slots and places are free at once, long before the minute
	wg.Wait()
	await(t, s, func(st Stats) bool { return st.Working+st.Waiting == 0 && st.Endpoints["/api/chat"]["gone"] == 5 })
	st := s.Stats()
	if st.Endpoints["/api/chat"]["busy"] != 3 || st.MaxWaiting != 3 || st.Requests != 8 || st.Busy >= time.Minute {
		t.Errorf("%+v", st)
	}
}

// TestParallel holds that no more than the slots are worked on at once, and
// that all requests of a burst are answered.
func TestParallel(t *testing.T) {
	t.Parallel()
	s, c, _ := start(t, Options{Latency: Latency{Mean: 5 * time.Millisecond}, Parallel: 3})
	began := time.Now()
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() {
			if _, text, err := chat(t.Context(), c, direct(true)); err != nil || text != directReply {
				t.Error(text, err)
			}
		})
	}
	wg.Wait()
	st := s.Stats()
	if took := time.Since(began); took < 20*time.Millisecond {
		t.Errorf("twelve of 5 ms on three slots took %v", took)
	}
	if st.Busy != 60*time.Millisecond || st.Utilisation > 1 || st.Endpoints["/api/chat"]["ok"] != 12 {
		t.Errorf("%+v", st)
	}
}

// BenchmarkUtilisation keeps 24 clients in a closed loop on 8 slots of 50 ms,
// over HTTP: util is the share of the slots' time that was used.
func BenchmarkUtilisation(b *testing.B) {
	s := New(Options{Engine: builtin.New(builtin.Options{}), Latency: Latency{Mean: 50 * time.Millisecond}})
	h := httptest.NewServer(s)
	defer h.Close()
	base, err := url.Parse(h.URL)
	if err != nil {
		b.Fatal(err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	defer transport.CloseIdleConnections()
	c := api.NewClient(base, &http.Client{Transport: transport})
	var left atomic.Int64
	left.Store(int64(b.N))
	s.Reset()
	b.ResetTimer()
	var wg sync.WaitGroup
	for range 24 {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if _, _, err := chat(context.Background(), c, direct(false)); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	st := s.Stats()
	b.ReportMetric(st.Utilisation, "util")
	b.ReportMetric(float64(st.Requests)/st.Window.Seconds(), "requests/s")
}
