package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"hopstream/cmd/hoplab/equivalent"
	"hopstream/cmd/hoplab/sim"
	"hopstream/cmd/internal/cli"
	"hopstream/stages/engine/builtin"
)

func newSimOllama(a *cli.App) *cobra.Command {
	engine := builtin.New(builtin.Options{})
	engine.EquivalentFunc = equivalent.Judge{}.Equivalent
	o := sim.Options{Engine: engine}
	var addr string
	cmd := &cobra.Command{
		Use:   "sim-ollama",
		Short: "Serve Ollama's protocol without a model, for tests of load and failure",
		Long: `Serve Ollama's HTTP protocol until a signal, without a model: the builtin
engine answers the prompts that hopstream sends. The latency is simulated and
a share of requests goes wrong as told, both drawn from --seed in the order of
arrival. At the end, the figures are printed as one line of JSON; while it runs
they are at GET /sim/stats, and POST /sim/reset sets them back.

A request has one fault at most, so that the shares are 1 together at most. The
faults of a reply's text leave embeddings alone, and a second attempt that
shows the model its first.

OpenAI's format is served too, under /v1, without streaming.`,
		Example: `  hoplab sim-ollama --latency 50ms --sigma 0.4
  hopstream ask --engine ollama --ollama-url http://127.0.0.1:11434 --docs handbook/ "Who wrote it?"     # in another shell

  hoplab sim-ollama --fault-busy 0.05 --fault-malformed 0.1 --fault-cut 0.02`,
		Args: cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkSim(&o); err != nil {
				return err
			}
			return serveSimOllama(cmd.Context(), a, addr, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&addr, "addr", "127.0.0.1:11434", "address to listen on (port 0: any free one)")
	f.DurationVar(&o.Latency.Mean, "latency", 200*time.Millisecond, "median time that a request is worked on")
	f.Float64Var(&o.Latency.Sigma, "sigma", 0, "spread of the latency, lognormal; 0: always the same")
	f.DurationVar(&o.Latency.PerToken, "per-token", 0, "time added per token of a reply, which is streamed at that pace")
	f.IntVar(&o.Parallel, "parallel", 8, "requests worked on at once")
	f.IntVar(&o.Queue, "queue", 512, "requests that wait at most; beyond that 503")
	f.IntVar(&o.NumCtx, "num-ctx", 0, "the longest context given, in tokens (default: as a request asks)")
	f.StringSliceVar(&o.Models, "models", nil, "models it has (default: any that is asked for)")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of what is drawn")
	for _, s := range o.Faults.Shares() {
		f.Float64Var(s.Value, "fault-"+s.Name, 0, "share of requests, 0 to 1, "+s.About)
	}
	return cmd
}

// checkSim refuses what no server can be made of, and tells 0 from a default.
func checkSim(o *sim.Options) error {
	if err := o.Faults.Validate(); err != nil {
		return cli.Usagef("--fault: %w", err)
	}
	switch {
	case o.Latency.Mean < 0 || o.Latency.PerToken < 0:
		return cli.Usagef("--latency and --per-token must not be below 0")
	case math.IsNaN(o.Latency.Sigma) || o.Latency.Sigma < 0 || o.Latency.Sigma > 5:
		return cli.Usagef("--sigma is %v: it must be from 0 to 5", o.Latency.Sigma)
	case o.Parallel < 1:
		return cli.Usagef("--parallel is %d: it must be at least 1", o.Parallel)
	case o.Queue < 0 || o.NumCtx < 0:
		return cli.Usagef("--queue and --num-ctx must not be below 0")
	}
	if o.Latency.Mean == 0 {
		o.Latency.Mean = -1
	}
	if o.Queue == 0 {
		o.Queue = -1
	}
	return nil
}

// serveSimOllama serves until ctx ends, lets what is under way finish for two
// seconds, and prints the figures.
func serveSimOllama(ctx context.Context, a *cli.App, addr string, o sim.Options) error {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("cannot serve on %s: %w: choose another address with --addr", addr, err)
	}
	s := sim.New(o)
	srv := &http.Server{Handler: s, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ln) }() // ends with Shutdown or Close below
	fmt.Fprintf(a.Err, "simulated Ollama on http://%s\n", ln.Addr())
	select {
	case err = <-ended:
	case <-ctx.Done():
		sctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		if srv.Shutdown(sctx) != nil {
			_ = srv.Close()
		}
		err = <-ended
	}
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return errors.Join(err, cli.WriteJSON(a.Out, s.Stats()))
}
