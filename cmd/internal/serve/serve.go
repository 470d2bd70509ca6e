package serve

import (
	"context"
	"errors"
	"sync/atomic"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/drain"
	"hopstream/cmd/internal/memory"
	"hopstream/cmd/internal/node"
	"hopstream/cmd/internal/telemetry"
	"hopstream/messages"
	"hopstream/stages"
)

// Options say what to run and where to listen.
type Options struct {
	Node   node.Options
	HTTP   string // address of the HTTP endpoints; empty: none
	Listen string // address of the embedded NATS server; empty: it does not listen
	Pprof  bool   // serve profiles too
}

// Run runs a node until ctx ends, an operator has it drain, or a part of it fails:
// HTTP first, so that a probe sees the process start, then the connection, the
// workers, the ask service where questions are routed, and the search service where
// passages are retrieved. It fails where it cannot listen or connect, where another
// process runs its server on the data folder, and as the node does.
func Run(ctx context.Context, a *cli.App, o Options) (err error) {
	if err := broker.Unserved(a.Config); err != nil {
		return err
	}
	memory.Limit(a.Config.Memory.Limit, a.Log)
	var current atomic.Pointer[node.Node]
	ready := func(ctx context.Context) (note string, err error) {
		n := current.Load()
		if err := n.Ready(ctx, a.Config.Retriever.MaxBehind); err != nil {
			return "", err
		}
		return n.Paused(ctx)
	}
	serving, stopServing := context.WithCancel(context.WithoutCancel(ctx))
	go memory.GiveBack(serving) // ends with it
	if o.HTTP != "" {
		wait, bound, err := serveHTTP(serving, o.HTTP, &a.Config.HTTP, o.Node.Registry, ready, o.Pprof, a.Log)
		if err != nil {
			stopServing()
			return err
		}
		defer func() {
			stopServing()
			err = errors.Join(err, wait())
		}()
		a.Log.Info("serving metrics", "url", "http://"+bound+"/metrics")
	} else {
		defer stopServing()
	}
	spans, err := telemetry.NewTracing(ctx, &a.Config.Tracing, a.Name, a.Log)
	if err != nil {
		return cli.Usage(err)
	}
	defer spans.Close()
	o.Node.Tracer = spans.Of()
	return work(ctx, a, &o, &current)
}

// work runs the node, which current holds once it takes messages.
func work(ctx context.Context, a *cli.App, o *Options, current *atomic.Pointer[node.Node]) (err error) {
	l, err := broker.Connect(ctx, a.Config, o.Listen, a.Log)
	if err != nil {
		return err
	}
	defer l.Close()
	n, err := node.Start(ctx, a.Config, a.Log, l, o.Node)
	if err != nil {
		return err
	}
	names := namesOf(o.Node.Table)
	drained, err := drain.NewWorker(l.NC, l.Names.Drain(), drain.Report{Instance: drain.Instance(), Stages: names, Version: telemetry.Version()}, n.InFlight)
	if err != nil {
		return errors.Join(err, n.Close())
	}
	defer func() {
		a.Log.Info("stopping: finishing what is in flight")
		err = errors.Join(err, n.Close())
		drained.Ended()
	}()
	stop, err := services(n, o.Node.Table)
	defer stop()
	if err != nil {
		return err
	}
	current.Store(n)
	a.Log.Info("up", "nats", config.RedactURL(l.URL), "stages", names, "data", a.Config.Data)
	select {
	case <-ctx.Done():
		return nil
	case <-drained.Asked:
		a.Log.Info("asked to drain")
		return nil
	case <-n.Ended.Done():
		return nil // close tells why
	}
}

// namesOf are the names of a table's rows.
func namesOf(table []stages.Stage) []string {
	names := make([]string, 0, len(table))
	for _, s := range table {
		names = append(names, s.Name)
	}
	return names
}

// services answers requests for what the rows of table can do, until stop is
// called.
func services(n *node.Node, table []stages.Stage) (stop func(), err error) {
	var stops []func() error
	stop = func() {
		for _, s := range stops {
			_ = s()
		}
	}
	for _, service := range []struct {
		wanted bool
		start  func(context.Context, *node.Node) (func() error, error)
	}{
		{stages.Reading(table, messages.KindQuestion) != nil, askService},
		{stages.Searching(table) != nil, searchService},
	} {
		if !service.wanted {
			continue
		}
		s, err := service.start(n.Ended, n)
		if err != nil {
			return stop, err
		}
		stops = append(stops, s)
	}
	return stop, nil
}
