package node

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"

	"hopstream/cmd/internal/archive"
	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/memory"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/storage"
)

// Shares of the server's store. What is left is for documents, models' replies and
// the messages of questions at work.
const (
	storeOfTraces  = 4 // a quarter
	storeOfAnswers = 4
	storeOfDead    = 20
	// unknownStore is taken for the store of a server that does not tell its size.
	unknownStore = 32 << 30
)

// Numbers of messages. A server keeps in memory where each message stands, which
// is about 256 bytes of it.
const (
	memoryOfMessage = 256
	memoryOfGroup   = 8 // an eighth, for traces, and for answers
	// elsewhere is how many messages a server in another process may keep, whose
	// memory is not known: a gigabyte and a quarter of it.
	elsewhere = 5_000_000
)

// Bounds are how much is kept on the server of l: as configured, or else in
// proportion to its store and memory. It fails as the server does.
func Bounds(ctx context.Context, cfg config.Config, l *broker.Conn) (storage.Bounds, error) {
	_, store, err := l.Store(ctx)
	if err != nil {
		return storage.Bounds{}, err
	}
	if store == 0 {
		store = unknownStore
	}
	messages := uint64(elsewhere)
	if l.Own {
		messages = memory.Available(cfg.Memory.Limit) / memoryOfGroup / memoryOfMessage
	}
	or := func(set, otherwise uint64) uint64 {
		if set > 0 {
			return set
		}
		return otherwise
	}
	c := cfg.Storage
	return storage.Bounds{
		Trace:   storage.Bound{Age: cfg.Pipeline.Retention, Bytes: or(c.TraceBytes, store/storeOfTraces), Messages: or(c.TraceMessages, messages)},
		Answers: storage.Bound{Age: c.Answers, Bytes: or(c.AnswersBytes, store/storeOfAnswers), Messages: or(c.AnswersMessages, messages)},
		Dead:    storage.Bound{Age: c.Dead, Bytes: or(c.DeadBytes, store/storeOfDead)},
		Least:   cfg.Pipeline.Retention,
	}, nil
}

// storage is what the router's gate drops.
func (n *Node) storage() storage.Options {
	o := storage.Options{Bounds: n.bounds}
	if n.cfg.Archive.Dir != "" {
		o.Archived = archive.Archived(n.Log, LogConfig(n.cfg, n.logger), n.logger)
	}
	return o
}

// answerBounds tells whoever asks how much this process keeps, where it routes
// questions. Only the process with the embedded server knows the size of its store.
func (n *Node) answerBounds(p Options) error {
	if stages.Reading(p.Table, messages.KindQuestion) == nil {
		return nil
	}
	text, err := json.Marshal(n.bounds)
	if err != nil {
		return err
	}
	_, err = n.Conn.NC.Subscribe(n.Conn.Names.Bounds(), func(m *nats.Msg) { _ = m.Respond(text) })
	return err // the subscription ends with the connection
}

// AskBounds returns the bounds of the first process that tells them, or, where none
// does, those that one on this connection would have. It fails as Bounds does.
func AskBounds(ctx context.Context, cfg config.Config, l *broker.Conn) (b storage.Bounds, err error) {
	if !l.Own {
		soon, cancel := context.WithTimeout(ctx, boundsWait)
		defer cancel()
		if m, err := l.NC.RequestWithContext(soon, l.Names.Bounds(), nil); err == nil && json.Unmarshal(m.Data, &b) == nil {
			return b, nil
		}
	}
	return Bounds(ctx, cfg, l)
}

// boundsWait is how long a process may take to tell its bounds.
const boundsWait = 400 * time.Millisecond

// archive begins to archive answers, where that is configured and this process is a
// service that routes questions.
func (n *Node) archive(p Options) {
	c := n.cfg.Archive
	if c.Dir == "" || !p.Serves || stages.Reading(p.Table, messages.KindQuestion) == nil {
		return
	}
	o := archive.ScheduleOptions{Dir: c.Dir, Every: c.Every, Traces: c.Traces, Gzip: c.Gzip,
		Streams: LogConfig(n.cfg, n.logger), Logger: n.logger, Now: time.Now}
	if p.Registry != nil {
		o.Metrics = p.Registry
	}
	s := archive.NewSchedule(n.Log, o)
	n.group.Go(func() error { return s.Run(n.Ended) })
}

// LogConfig is how the streams of the log are kept. Answers that are archived are
// not dropped by the server, which does not know which ones were.
func LogConfig(cfg config.Config, logger *slog.Logger) log.Config {
	c := log.Config{
		Retention: cfg.Pipeline.Retention, Answers: cfg.Storage.Answers, Dead: cfg.Storage.Dead,
		MaxOpen: cfg.Pipeline.MaxOpen, Replicas: cfg.NATS.Replicas, Logger: logger,
	}
	if cfg.Archive.Dir != "" {
		c.Answers = 0
	}
	return c
}
