package main

import (
	"context"
	"errors"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/engines"
	"hopstream/cmd/internal/telemetry"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/aligner"
	"hopstream/stages/assembly"
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
	cfg     config.Config
	logger  *slog.Logger
	conn    *broker.Conn
	log     *log.Log
	shelves shelves // none where no retriever runs
	client  *client.Client
	wrap    func(shelved) shelved
	engines *engines.Engines // nil where a command brought its own engine

	stop  context.CancelFunc
	group *errgroup.Group
	ended context.Context // done when any part has failed or all are stopped
}

// nodeParts are what a command may change about its node.
type nodeParts struct {
	table  []stages.Stage
	engine assembly.Engine // nil: as configured
	// over puts an engine of the command's over the configured one.
	over   func(assembly.Engine) assembly.Engine
	search retriever.PlainSearcher // nil: as configured
	reg    *prometheus.Registry    // nil: figures are not shown
	inMem  bool                    // keep the index in memory
	// stores puts something between a store and who fills it; nil: nothing.
	wrap   func(shelved) shelved
	serves bool // go on while a model's server is away
}

// startNode starts workers for the rows of table over l and returns when they
// take messages. Stop ends them. The node has its own context: a signal that
// ends a command first lets the command end its node.
func startNode(ctx context.Context, cfg config.Config, logger *slog.Logger, l *broker.Conn, p nodeParts) (*node, error) {
	n := &node{cfg: cfg, logger: logger, conn: l, log: log.New(l.JS, l.Names), wrap: p.wrap}
	n.client = client.New(n.log)
	if p.engine == nil {
		if err := n.openEngines(ctx, p); err != nil {
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
	case hasStage(p.table, "retriever"):
		var err error
		if search, err = n.openSearch(ctx, p); err != nil {
			n.engines.Close()
			return nil, errors.Join(err, n.shelves.close())
		}
	}
	opts := n.runnerOptions(p.table)
	if n.cfg.ReadsDocuments() {
		opts.Explain = func(ctx context.Context) func(uint64) string { return explain(ctx, l) }
	}
	if opts.Gate.MaxBytes == 0 {
		opts.Gate.MaxBytes = l.RoomForQuestions()
	}
	if p.reg != nil {
		opts.Metrics = runner.NewMetrics(p.reg)
		var index telemetry.Index
		if len(n.shelves) > 0 {
			index = n.shelves
		}
		p.reg.MustRegister(telemetry.NewLagCollector(n.log, index, stages.Pipeline(), logger))
	}
	c := &n.cfg
	parts := assembly.Parts{
		Engine: p.engine, Search: search, Branches: n.log,
		Router:     router.Options{Force: messages.Class(c.Router.Force), Strategy: messages.Strategy(c.Strategy.Complex)},
		Decomposer: decomposer.Options{NoRefiner: c.Decomposer.NoRefiner, NoReviser: c.Decomposer.NoReviser, AllRounds: c.Judge.Off},
		Retriever:  retriever.Options{TopK: c.Retriever.TopK},
		Filter:     filter.Options{Keep: c.Filter.Keep, Off: c.Filter.Off},
		Aligner:    aligner.Options{Scales: c.Aligner.Scales, TopK: c.Aligner.TopK, Off: c.Aligner.Off},
		Generator:  generator.Options{NoFusion: c.Generator.NoFusion, Escalate: generator.Escalation(c.Generator.Escalate)},
		Judge:      judge.Options{Off: c.Judge.Off},
	}
	if len(n.shelves) > 0 {
		parts.Retriever.Index, parts.Loaded, parts.Lacks = n.shelves, n.shelves.loaded, n.shelves.Lacks
	}
	logics := assembly.Logics(p.table, parts)

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
func (n *node) openEngines(ctx context.Context, p nodeParts) (err error) {
	var reg prometheus.Registerer
	if p.reg != nil {
		reg = p.reg
	}
	if n.engines, err = engines.New(&n.cfg, p.table, reg, n.logger); err != nil {
		return err
	}
	wrong, away := n.engines.Check(ctx)
	if away != nil && p.serves {
		n.logger.Warn("a model's server is away; questions wait until it is back", "error", away)
		away = nil
	}
	if err = errors.Join(wrong, away); err != nil {
		n.engines.Close()
	}
	return err
}

func (n *node) runnerOptions(table []stages.Stage) runner.Options {
	p := n.cfg.Pipeline
	return runner.Options{
		Streams: logStreams(n.cfg, n.logger), Table: table, Logger: n.logger, Grace: p.Grace, MaxBehind: n.cfg.Retriever.MaxBehind,
		Policy: messages.Policy{Deadline: p.Deadline, Budget: messages.Budget{
			Rounds: p.Budget.Rounds, Branches: p.Budget.Branches,
			ModelCalls: p.Budget.ModelCalls, Tokens: p.Budget.Tokens}},
		Gate: runner.GateOptions{MaxLag: p.MaxLag, MaxBytes: p.MaxBytes},
	}
}

// logStreams is how the streams of the log are kept.
func logStreams(cfg config.Config, logger *slog.Logger) log.Config {
	return log.Config{Retention: cfg.Pipeline.Retention, MaxOpen: cfg.Pipeline.MaxOpen, Replicas: cfg.NATS.Replicas, Logger: logger}
}

// close stops the node: what is in flight is finished or handed back.
func (n *node) close() error {
	n.stop()
	err := n.group.Wait()
	n.log.Close()
	n.engines.Close()
	err = errors.Join(err, n.shelves.close())
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func hasStage(table []stages.Stage, name string) bool {
	for _, s := range table {
		if s.Name == name {
			return true
		}
	}
	return false
}
