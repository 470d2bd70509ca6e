package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
)

// serveHTTP serves /metrics, /healthz and /readyz on addr until ctx ends. It
// returns once it listens, with a function that waits for the end. A process that is
// ready may have something to say all the same.
func serveHTTP(ctx context.Context, addr string, guard *config.HTTPConfig, reg *prometheus.Registry, ready func(context.Context) (note string, err error), profile bool, log *slog.Logger) (wait func() error, bound string, err error) {
	if err := guardable(addr, guard); err != nil {
		return nil, "", err
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, "", fmt.Errorf("cannot serve metrics on %s: %w: choose another address with --http", addr, err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(reg, promhttp.HandlerOpts{Registry: reg, EnableOpenMetrics: true, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		note, err := ready(r.Context())
		if err != nil {
			http.Error(w, cli.OneLine(err), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ready")
		if note != "" {
			fmt.Fprintln(w, note)
		}
	})
	if profile {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	srv := &http.Server{Handler: guarded(guard, mux), ReadTimeout: 30 * time.Second, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ln) }() // ends with Shutdown below
	stopped := make(chan struct{})
	context.AfterFunc(ctx, func() {
		defer close(stopped)
		sctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		if srv.Shutdown(sctx) != nil {
			_ = srv.Close()
		}
	})
	return func() error {
		err := <-ended
		<-stopped
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return err
	}, ln.Addr().String(), nil
}
