package main

import (
	"context"
	"errors"
	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"sync/atomic"
)

type upOptions struct {
	table   nodeParts
	addr    string
	listen  string
	profile bool
}

// runUp runs: HTTP first, so that a probe sees the process start, then the
// connection, the workers, and the ask service where questions are routed.
func runUp(ctx context.Context, a *cli.App, o upOptions) (err error) {
	if err := broker.Unserved(a.Config); err != nil {
		return err
	}
	var current atomic.Pointer[node]
	ready := func(ctx context.Context) error { return current.Load().ready(ctx, a.Config.Retriever.MaxBehind) }
	serving, stopServing := context.WithCancel(context.WithoutCancel(ctx))
	if o.addr != "" {
		wait, bound, err := serveHTTP(serving, o.addr, o.table.reg, ready, o.profile, a.Log)
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
	l, err := broker.Connect(ctx, a.Config, o.listen, a.Log)
	if err != nil {
		return err
	}
	defer l.Close()
	n, err := startNode(ctx, a.Config, a.Log, l, o.table)
	if err != nil {
		return err
	}
	defer func() {
		a.Log.Info("stopping: finishing what is in flight")
		err = errors.Join(err, n.close())
	}()
	if hasStage(o.table.table, "router") {
		stop, err := askService(n.ended, n)
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
	a.Log.Info("up", "nats", config.RedactURL(l.URL), "stages", names, "data", a.Config.Data)
	select {
	case <-ctx.Done():
		return nil
	case <-n.ended.Done():
		return nil // close tells why
	}
}
