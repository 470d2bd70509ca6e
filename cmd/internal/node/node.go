package node

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/engines"
	"hopstream/cmd/internal/telemetry"
	"hopstream/index/searcher"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/admission"
	"hopstream/stages/aligner"
	"hopstream/stages/client"
	"hopstream/stages/decomposer"
	"hopstream/stages/engine/model"
	"hopstream/stages/filter"
	"hopstream/stages/generator"
	"hopstream/stages/judge"
	"hopstream/stages/log"
	"hopstream/stages/pause"
	"hopstream/stages/replies"
	"hopstream/stages/retriever"
	"hopstream/stages/router"
	"hopstream/stages/runner"
	"hopstream/stages/storage"
	"hopstream/stages/tracing"
	"hopstream/stages/work"
)

// Node is the part of the pipeline that runs in this process:
//
//	documents stream ─▶ follower ─▶ index ─▶ retriever ┐
//	stage streams ◀──────────── runner ◀── the stages ─┴─ engine
type Node struct {
	Conn    *broker.Conn
	Log     *log.Log // the messages' streams
	Client  *client.Client
	Stores  Stores           // none where no retriever runs
	Engines *engines.Engines // nil where a command brought its own engine
	Ended   context.Context  // done when any part has failed or all are stopped

	cfg      config.Config
	bounds   storage.Bounds // of what is kept
	logger   *slog.Logger
	wrap     func(Store) Store
	passages *passages // nil where nothing is searched
	opening  *Stores   // where a store that is opened belongs
	// metrics are set before anything runs; nil: no metrics.
	metrics *runner.Metrics
	stop    context.CancelFunc
	group   *errgroup.Group
	runner  *runner.Runner
	paused  *pause.Store
	routes  bool // questions
}

// Options are what a command may change about its node.
type Options struct {
	Table  []stages.Stage
	Engine stages.Engine // nil: as configured
	// Over puts an engine of the command's over the configured one.
	Over   func(stages.Engine) stages.Engine
	Search retriever.PlainSearcher // nil: as configured
	// Stores are what the configured searchers search; nil: the stores of this
	// process, or those on a server, as configured.
	Stores   searcher.Stores
	Registry *prometheus.Registry // nil: no metrics
	Tracer   *tracing.Tracer      // nil: no spans
	InMemory bool                 // keep the index in memory
	// Wrap wraps a store before its follower fills it; nil leaves it as it is.
	Wrap     func(Store) Store
	EveryHop bool // see stages.Parts
	Serves   bool // start even if a model's server is away
}

// Start starts workers for the rows of p.Table over l and returns when they
// take messages; Close ends them. The node has its own context: a signal that
// ends a command first lets the command end its node. Start fails where a model
// or an index that the stages need is not there.
func Start(ctx context.Context, cfg config.Config, logger *slog.Logger, l *broker.Conn, p Options) (*Node, error) {
	n := &Node{cfg: cfg, logger: logger, Conn: l, Log: log.New(l.JS, l.Names), wrap: p.Wrap,
		routes: stages.Reading(p.Table, messages.KindQuestion) != nil}
	n.Client = client.New(n.Log).Traced(p.Tracer)
	var err error
	if n.bounds, err = Bounds(ctx, cfg, l); err != nil {
		return nil, err
	}
	for _, note := range cfg.Notes() {
		logger.Warn(note)
	}
	if p.Engine == nil {
		if err := n.openEngines(ctx, p); err != nil {
			return nil, err
		}
		p.Engine = n.Engines
		if p.Over != nil {
			p.Engine = p.Over(p.Engine)
		}
	}
	var search retriever.Searcher
	switch {
	case p.Search != nil:
		search = retriever.Plain(p.Search)
	case stages.Searching(p.Table) != nil:
		if search, err = n.openSearch(ctx, p); err != nil {
			n.Engines.Close()
			return nil, errors.Join(err, n.Stores.close())
		}
	}
	opts := n.runnerOptions()
	opts.Storage = n.storage()
	opts.Share, opts.Tracer = n.claims(p), p.Tracer
	if n.cfg.ReadsDocuments() {
		opts.Explain = func(ctx context.Context) func(uint64) string { return explain(ctx, l) }
	}
	if opts.Gate.MaxBytes == 0 {
		opts.Gate.MaxBytes = l.RoomForQuestions()
	}
	if p.Registry != nil {
		n.measure(p.Registry)
		opts.Metrics = n.metrics
	}
	parts := stages.Parts{Engine: p.Engine, Search: search, Branches: n.Log, EveryHop: p.EveryHop, Settings: settings(&n.cfg)}
	if len(n.Stores) > 0 {
		parts.Retriever.Index, parts.Loaded, parts.Lacks = n.Stores, n.Stores.loaded, n.Stores.Lacks
	}
	logics := stages.Assemble(p.Table, parts)

	n.follow(ctx)
	ready := make(chan struct{})
	n.runner, n.paused = runner.New(n.Log, opts), pause.New(n.Log, opts.Streams)
	if err := n.answer(p); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	n.archive(p)
	n.group.Go(func() error {
		return n.runner.Run(n.Ended, logics, func() { close(ready) })
	})
	select {
	case <-ready:
		return n, nil
	case <-n.Ended.Done():
		return nil, n.Close()
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), n.Close())
	}
}

// answer begins to answer what other processes ask: how far the indexes are, and how
// much is kept.
func (n *Node) answer(p Options) error {
	if len(n.Stores) > 0 {
		if err := n.answerPositions(); err != nil {
			return err
		}
	}
	return n.answerBounds(p)
}

// measure registers the figures of the stages, and of the index if there is one.
func (n *Node) measure(reg *prometheus.Registry) {
	n.metrics = runner.NewMetrics(reg)
	var index telemetry.Index
	if len(n.Stores) > 0 {
		index = n.Stores
	}
	reg.MustRegister(telemetry.NewLagCollector(n.Log, index, stages.Pipeline(), n.logger), telemetry.NewStorageCollector(n.Log, n.bounds.Groups(), n.Conn.Store, n.logger))
}

// follow has the stores follow the document stream from now on.
func (n *Node) follow(ctx context.Context) {
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	n.stop = stop
	n.group, n.Ended = errgroup.WithContext(run)
	for _, store := range n.Stores {
		n.group.Go(func() error { return store.follower.Run(n.Ended) })
	}
}

// openEngines puts together the engine and asks the servers for its models, so
// that a missing model is noticed at the start. If a server is away, a service
// (Options.Serves) starts all the same, since the server may come back; other
// commands fail.
func (n *Node) openEngines(ctx context.Context, p Options) (err error) {
	var reg prometheus.Registerer
	if p.Registry != nil {
		reg = p.Registry
	}
	if n.Engines, err = engines.New(&n.cfg, p.Table, reg, p.Tracer, n.logger, n.store()); err != nil {
		return err
	}
	wrong, away := n.Engines.Check(ctx)
	if away != nil && p.Serves {
		n.logger.Warn("a model's server is away; questions wait until it is back", "error", away)
		away = nil
	}
	if err = errors.Join(wrong, away); err != nil {
		n.Engines.Close()
	}
	return err
}

// store keeps models' replies; nil where none are to be kept. Of an embedded
// server's room it takes an eighth at most, since the server sets that aside.
func (n *Node) store() model.Store {
	most := n.mostReplies()
	if most <= 0 {
		return nil
	}
	return replies.New(n.Conn.JS, n.Conn.Names, LogConfig(n.cfg, n.logger), most)
}

// mostReplies is how many bytes of models' replies are kept; 0: none.
func (n *Node) mostReplies() int64 {
	most := n.cfg.Pipeline.KeepReplies
	if room := n.Conn.RoomForQuestions(); room > 0 {
		most = min(most, int64(room/8))
	}
	return most
}

// claims are the sub-queries whose work is shared; nil where it is not: as
// configured, unless a command decides who answers, or reads every step afterwards.
func (n *Node) claims(p Options) *work.Claims {
	own := n.Engines == nil || p.Over != nil || p.Search != nil
	if own || p.EveryHop || !n.cfg.SharesWork() {
		return nil
	}
	return work.New(n.Log, LogConfig(n.cfg, n.logger), n.cfg.Answering()+telemetry.Version(), time.Now)
}

// settings are those of the stages' logic.
func settings(c *config.Config) stages.Settings {
	return stages.Settings{
		Router: router.Options{Force: messages.Class(c.Router.Force), Strategy: messages.Strategy(c.Strategy.Complex)},
		Decomposer: decomposer.Options{
			NoRefiner: c.Decomposer.NoRefiner, NoReviser: c.Decomposer.NoReviser, NoRepair: c.Decomposer.NoRepair, NoReduce: c.Decomposer.NoReduce,
			AllRounds: c.Judge.Off, JudgeFirst: c.Judge.First && !c.Judge.Off,
		},
		Retriever: retriever.Options{TopK: c.Retriever.TopK},
		Filter:    filter.Options{Keep: c.Filter.Keep, Off: c.Filter.Off, IfNone: filter.Fallback(c.Filter.IfNone)},
		Aligner:   aligner.Options{Scales: c.Aligner.Scales, TopK: c.Aligner.TopK, Off: c.Aligner.Off, Windows: c.Aligner.Windows, Plain: c.Aligner.Plain},
		Generator: generator.Options{
			NoFusion: c.Generator.NoFusion, Escalate: generator.Escalation(c.Generator.Escalate), Windows: c.Aligner.Windows && !c.Aligner.Off,
			Unsourced:       filter.Fallback(c.Filter.IfNone) == filter.IfNoneDirect,
			RequireEvidence: c.Answer.RequireEvidence, MinConfidence: c.MinConfidence(),
		},
		Judge: judge.Options{Off: c.Judge.Off},
	}
}

func (n *Node) runnerOptions() runner.Options {
	p := n.cfg.Pipeline
	return runner.Options{
		Streams: LogConfig(n.cfg, n.logger), Logger: n.logger, Grace: p.Grace, MaxBehind: n.cfg.Retriever.MaxBehind,
		Policy: messages.Policy{Deadline: p.Deadline, Budget: messages.Budget{
			Rounds: p.Budget.Rounds, Branches: p.Budget.Branches,
			ModelCalls: p.Budget.ModelCalls, Tokens: p.Budget.Tokens}},
		Gate: runner.GateOptions{MaxLag: p.MaxLag, MaxBytes: p.MaxBytes},
		Admission: runner.AdmissionOptions{Fair: n.cfg.Admission.Fair,
			Window: admission.WindowOptions{Least: n.cfg.Admission.LeastWindow, Most: n.cfg.Admission.MostWindow}},
	}
}

// InFlight is how many messages the node's stages work on.
func (n *Node) InFlight() int { return n.runner.InFlight() }

// Paused says since when no questions are taken, and why; it is empty where they are
// taken, or this process takes none. It fails where the broker cannot be asked.
func (n *Node) Paused(ctx context.Context) (string, error) {
	if !n.routes {
		return "", nil
	}
	state, err := n.paused.Read(ctx)
	return state.String(), err
}

// Close stops the node: what is in flight is finished or handed back.
func (n *Node) Close() error {
	n.passages.end()
	n.stop()
	err := errors.Join(n.group.Wait(), n.passages.close())
	n.Log.Close()
	n.Engines.Close()
	err = errors.Join(err, n.Stores.close())
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
