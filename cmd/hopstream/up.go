package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"hopstream/messages"
	"hopstream/stages"
)

func newUp(a *app) *cobra.Command {
	var list, addr, listen string
	var profile bool
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Run workers until a signal",
		Long: `Run workers for all stages, or some, until a signal; then finish what is in
flight, or hand it back.

Without --nats this starts the embedded NATS server, which listens on
127.0.0.1:4222; other hopstream commands on the same data folder find it.
Scale out by starting more, on any machine, with --nats and --stages.

/readyz answers 200 when the workers take questions and their index holds every
document that is stored, and 503 with the reason until then.`,
		Example: `  hopstream up
  hopstream up --nats nats://10.0.0.5:4222 --stages retriever
  hopstream up --nats nats://10.0.0.5:4222 --stages generator,aligner --http 127.0.0.1:9465`,
		Args: exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			table, err := a.cfg.table(list)
			if err != nil {
				return err
			}
			return a.up(cmd.Context(), upOptions{table: nodeParts{table: table, reg: newRegistry(), serves: true}, addr: addr, listen: listen, profile: profile})
		},
	}
	f := cmd.Flags()
	f.StringVar(&list, "stages", "all", "comma-separated stages to run")
	f.StringVar(&addr, "http", "127.0.0.1:9464", `address of /metrics, /healthz and /readyz; "" serves none`)
	f.StringVar(&listen, "listen", "127.0.0.1:4222", "address of the embedded NATS server (port 0: any free one)")
	f.BoolVar(&profile, "pprof", false, "serve /debug/pprof/ too")
	return cmd
}

type upOptions struct {
	table   nodeParts
	addr    string
	listen  string
	profile bool
}

// up runs: HTTP first, so that a probe sees the process start, then the
// connection, the workers, and the ask service where questions are routed.
func (a *app) up(ctx context.Context, o upOptions) (err error) {
	if err := a.unserved(); err != nil {
		return err
	}
	var current atomic.Pointer[node]
	ready := func(ctx context.Context) error { return current.Load().ready(ctx, a.cfg.Retriever.MaxBehind) }
	serving, stopServing := context.WithCancel(context.WithoutCancel(ctx))
	if o.addr != "" {
		wait, bound, err := serveHTTP(serving, o.addr, o.table.reg, ready, o.profile, a.log)
		if err != nil {
			stopServing()
			return err
		}
		defer func() {
			stopServing()
			err = errors.Join(err, wait())
		}()
		a.log.Info("serving metrics", "url", "http://"+bound+"/metrics")
	} else {
		defer stopServing()
	}
	l, err := a.connect(ctx, o.listen)
	if err != nil {
		return err
	}
	defer l.close()
	n, err := a.startNode(ctx, l, o.table)
	if err != nil {
		return err
	}
	defer func() {
		a.log.Info("stopping: finishing what is in flight")
		err = errors.Join(err, n.close())
	}()
	if stages.Reading(o.table.table, messages.KindQuestion) != nil {
		stop, err := n.askService(n.ended)
		if err != nil {
			return err
		}
		defer func() { _ = stop() }()
	}
	current.Store(n)
	names := make([]string, 0, len(o.table.table))
	for _, s := range o.table.table {
		names = append(names, s.Name)
	}
	a.log.Info("up", "nats", redact(l.url), "stages", names, "data", a.cfg.Data)
	select {
	case <-ctx.Done():
		return nil
	case <-n.ended.Done():
		return nil // close tells why
	}
}

// ready says why the node does not take messages, or cannot answer from what is
// stored by now, or nil.
func (n *node) ready(ctx context.Context, maxBehind uint64) error {
	switch {
	case n == nil:
		return errors.New("starting")
	case n.ended.Err() != nil:
		return errors.New("stopping")
	case n.link.nc.Status() != nats.CONNECTED:
		return fmt.Errorf("NATS connection is %s", n.link.nc.Status())
	}
	return n.current(ctx, maxBehind)
}
