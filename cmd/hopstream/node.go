package main

import (
	"context"
	"errors"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/aligner"
	"hopstream/stages/client"
	"hopstream/stages/decomposer"
	"hopstream/stages/filter"
	"hopstream/stages/generator"
	"hopstream/stages/judge"
	"hopstream/stages/log"
	"hopstream/stages/retriever"
	"hopstream/stages/router"
	"hopstream/stages/runner"
)

// node is the part of the pipeline that runs in this process:
//
//	documents stream ─▶ follower ─▶ index ─▶ retriever ┐
//	stage streams ◀──────────── runner ◀── the stages ─┴─ engine
type node struct {
	link    *link
	log     *log.Log
	shelves shelves // none where no retriever runs
	client  *client.Client
	stores  func(shelved) shelved
	engines *engines // nil where a command brought its own engine

	stop  context.CancelFunc
	group *errgroup.Group
	ended context.Context // done when any part has failed or all are stopped
}

// nodeParts are what a command may change about its node.
type nodeParts struct {
	table  []stages.Stage
	engine stages.Engine // nil: as configured
	// over puts an engine of the command's over the configured one.
	over   func(stages.Engine) stages.Engine
	search retriever.PlainSearcher // nil: as configured
	reg    *prometheus.Registry    // nil: figures are not shown
	inMem  bool                    // keep the index in memory
	// stores puts something between a store and who fills it; nil: nothing.
	stores   func(shelved) shelved
	everyHop bool // see stages.Parts
	serves   bool // go on while a model's server is away
}

// startNode starts workers for the rows of table over l and returns when they
// take messages. Stop ends them. The node has its own context: a signal that
// ends a command first lets the command end its node.
func (a *app) startNode(ctx context.Context, l *link, p nodeParts) (*node, error) {
	n := &node{link: l, log: log.New(l.js, l.names), stores: p.stores}
	n.client = client.New(n.log)
	if p.engine == nil {
		if err := n.openEngines(ctx, a, p); err != nil {
			return nil, err
		}
		p.engine = n.engines
		if p.over != nil {
			p.engine = p.over(p.engine)
		}
	}
	var search retriever.Searcher
	switch {
	case p.search != nil:
		search = retriever.Plain(p.search)
	case stages.Searching(p.table) != nil:
		var err error
		if search, err = n.openSearch(ctx, a, p); err != nil {
			n.engines.close()
			return nil, errors.Join(err, n.shelves.close())
		}
	}
	opts := a.runnerOptions()
	if a.cfg.readsDocuments() {
		opts.Explain = l.explain
	}
	if opts.Gate.MaxBytes == 0 {
		opts.Gate.MaxBytes = l.roomForQuestions()
	}
	if p.reg != nil {
		opts.Metrics = runner.NewMetrics(p.reg)
		p.reg.MustRegister(newLagCollector(n, stages.Pipeline(), a.log))
	}
	parts := stages.Parts{Engine: p.engine, Search: search, Branches: n.log, EveryHop: p.everyHop, Settings: a.cfg.settings()}
	if len(n.shelves) > 0 {
		parts.Retriever.Index, parts.Loaded, parts.Lacks = n.shelves, n.shelves.loaded, n.shelves.lacks
	}
	logics := stages.Assemble(p.table, parts)

	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	n.stop = stop
	n.group, n.ended = errgroup.WithContext(run)
	ready := make(chan struct{})
	for _, shelf := range n.shelves {
		n.group.Go(func() error { return shelf.follower.Run(n.ended) })
	}
	if len(n.shelves) > 0 {
		if err := n.answerPositions(); err != nil {
			return nil, errors.Join(err, n.close())
		}
	}
	n.group.Go(func() error {
		return runner.New(n.log, opts).Run(n.ended, logics, func() { close(ready) })
	})
	select {
	case <-ready:
		return n, nil
	case <-n.ended.Done():
		return nil, n.close()
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), n.close())
	}
}

// openEngines puts together the engine and asks the servers for its models:
// one that is not there is found out now, not in the middle of the work. A
// server that is away may come back while a service waits for questions; a
// command that has one to ask fails.
func (n *node) openEngines(ctx context.Context, a *app, p nodeParts) (err error) {
	var reg prometheus.Registerer
	if p.reg != nil {
		reg = p.reg
	}
	if n.engines, err = newEngines(&a.cfg, p.table, reg, a.log); err != nil {
		return err
	}
	wrong, away := n.engines.check(ctx)
	if away != nil && p.serves {
		a.log.Warn("a model's server is away; questions wait until it is back", "error", away)
		away = nil
	}
	if err = errors.Join(wrong, away); err != nil {
		n.engines.close()
	}
	return err
}

// settings are the stages' own.
func (c *Config) settings() stages.Settings {
	return stages.Settings{
		Router:     router.Options{Force: messages.Class(c.Router.Force), Strategy: messages.Strategy(c.Strategy.Complex)},
		Decomposer: decomposer.Options{NoRefiner: c.Decomposer.NoRefiner, NoReviser: c.Decomposer.NoReviser, AllRounds: c.Judge.Off},
		Retriever:  retriever.Options{TopK: c.Retriever.TopK},
		Filter:     filter.Options{Keep: c.Filter.Keep, Off: c.Filter.Off},
		Aligner:    aligner.Options{Scales: c.Aligner.Scales, TopK: c.Aligner.TopK, Off: c.Aligner.Off},
		Generator:  generator.Options{NoFusion: c.Generator.NoFusion, Escalate: generator.Escalation(c.Generator.Escalate)},
		Judge:      judge.Options{Off: c.Judge.Off},
	}
}

func (a *app) runnerOptions() runner.Options {
	p := a.cfg.Pipeline
	return runner.Options{
		Streams: a.streams(), Logger: a.log, Grace: p.Grace, MaxBehind: a.cfg.Retriever.MaxBehind,
		Policy: messages.Policy{Deadline: p.Deadline, Budget: messages.Budget{
			Rounds: p.Budget.Rounds, Branches: p.Budget.Branches,
			ModelCalls: p.Budget.ModelCalls, Tokens: p.Budget.Tokens}},
		Gate: runner.GateOptions{MaxLag: p.MaxLag, MaxBytes: p.MaxBytes},
	}
}

func (a *app) streams() log.Config {
	return log.Config{Retention: a.cfg.Pipeline.Retention, MaxOpen: a.cfg.Pipeline.MaxOpen, Replicas: a.cfg.NATS.Replicas, Logger: a.log}
}

// close stops the node: what is in flight is finished or handed back.
func (n *node) close() error {
	n.stop()
	err := n.group.Wait()
	n.log.Close()
	n.engines.close()
	err = errors.Join(err, n.shelves.close())
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
