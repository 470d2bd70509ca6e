package log

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/index/durable"
	"hopstream/messages"
	"hopstream/stages"
)

// Config shapes the streams. Zero fields take the defaults named.
type Config struct {
	Retention time.Duration // of the inner streams, which are the trace; 1 h
	Answers   time.Duration // how long answers are kept; 0: for good
	Dead      time.Duration // how long dead letters are kept; 0: for good
	MaxOpen   int64         // questions open at once; 10,000
	Replicas  int           // of every stream; 0: those it has, or 1 if it is made
	Memory    bool          // keep everything in memory: lost with the server
	// Fair has questions delivered lane by lane (see lanes.go); without it they are
	// in one queue.
	Fair bool
	// Logger gets a line for a stream that was missing after a restart (see
	// package durable); nil discards it.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.Retention <= 0 {
		c.Retention = time.Hour
	}
	if c.MaxOpen <= 0 {
		c.MaxOpen = 10_000
	}
	return c
}

// MaxDeadline is the longest deadline a question may have under c: inner
// messages must outlive it.
func (c Config) MaxDeadline() time.Duration { return c.withDefaults().Retention * 5 / 6 }

// MostOpen is how many questions may be open at once under c; further ones are
// refused.
func (c Config) MostOpen() int64 { return c.withDefaults().MaxOpen }

// Stream returns the configuration of kind k's stream.
func (c Config) Stream(n messages.Names, k messages.Kind) jetstream.StreamConfig {
	c = c.withDefaults()
	s := jetstream.StreamConfig{
		Name: n.Stream(k), Subjects: []string{n.Filter(k)},
		Description: "hopstream " + string(k) + " messages",
		Retention:   jetstream.LimitsPolicy, Storage: jetstream.FileStorage,
		Replicas: c.Replicas, AllowDirect: true, Duplicates: time.Second,
		MaxMsgs: -1, MaxBytes: -1, MaxMsgsPerSubject: -1,
	}
	s.Duplicates = min(s.Duplicates, c.Retention) // the server insists
	if c.Memory {
		s.Storage = jetstream.MemoryStorage
	}
	if k.Inner() || k == messages.KindAnswer {
		// Blocks that are full are compressed. Passages stand in several messages of
		// a question, so its trace shrinks to a third or less.
		s.Compression = jetstream.S2Compression
	}
	switch {
	case k == messages.KindQuestion:
		s.Subjects = []string{n.Lane(messages.Lane{}), n.AllLanes()}
		s.Discard = jetstream.DiscardNew
		s.MaxMsgs = c.MaxOpen
		s.MaxMsgsPerSubject = 1
		s.DiscardNewPerSubject = true
		s.MaxMsgSize = 8 * messages.MaxQuestion // JSON may need six bytes for one
	case k == messages.KindAnswer:
		s.MaxAge = c.Answers
		// Whoever admits questions hears which have ended, whoever ended them.
		s.RePublish = &jetstream.RePublish{Source: n.Subject(k, messages.Key{ID: "*"}), Destination: n.Ended("{{wildcard(1)}}"), HeadersOnly: true}
	case k == messages.KindDead:
		s.MaxAge = c.Dead
	case k.Inner():
		s.MaxAge = c.Retention
		// The stream itself refuses a second message per subject. The header
		// that answers and questions carry does the same at a tenth more work
		// per hop.
		s.Discard = jetstream.DiscardNew
		s.MaxMsgsPerSubject = 1
		s.DiscardNewPerSubject = true
	}
	return s
}

// Ensure creates or updates the streams and the consumers of the given stages,
// so that they are there after the server's next start too (see package
// durable). The documents stream belongs to the index. It fails on streams and
// consumers that cannot be opened, or not be changed into what c says, with
// what to do about it.
func (l *Log) Ensure(ctx context.Context, c Config, table []stages.Stage) error {
	for _, k := range messages.Kinds() {
		if k == messages.KindDocument {
			continue
		}
		s := c.Stream(l.names, k)
		if !k.Inner() {
			l.tellAged(ctx, c, k, s.MaxAge)
		}
		if _, err := durable.Stream(ctx, l.js, s, c.Logger); err != nil {
			return fmt.Errorf("stream %s: %w", s.Name, err)
		}
	}
	for _, s := range table {
		if _, err := l.Consumer(ctx, c, s); err != nil {
			return err
		}
	}
	return nil
}

// EnsureStreams creates the streams of the given kinds, or of all, that do not exist
// yet and leaves the others as they are: for whoever uses the streams without running
// stages. It fails on streams that cannot be opened.
//
// It creates them without an age limit, which Ensure sets later. A stream that
// seems to be missing may still hold messages on disk (see package durable), and
// an age limit shorter than the configured one would delete some of them.
func (l *Log) EnsureStreams(ctx context.Context, c Config, kinds ...messages.Kind) error {
	if len(kinds) == 0 {
		kinds = messages.Kinds()
	}
	for _, k := range kinds {
		if k == messages.KindDocument {
			continue
		}
		s := c.Stream(l.names, k)
		s.MaxAge = 0
		if _, err := durable.StreamAsItIs(ctx, l.js, s, c.Logger); err != nil {
			return fmt.Errorf("stream %s: %w", s.Name, err)
		}
	}
	return nil
}

// Consumer creates or updates the durable pull consumer of a stage, which all
// of its replicas share. It fails on one that cannot be opened, or not be
// changed.
//
// A consumer that must be made anew without what it knew delivers its stream
// from the beginning. That repeats work, and changes nothing: what was stored
// before stays, and an input whose outputs are stored is done.
func (l *Log) Consumer(ctx context.Context, c Config, s stages.Stage) (jetstream.Consumer, error) {
	cfg := consumerConfig(s)
	if s.Input == messages.KindQuestion {
		if c.Fair {
			cfg.FilterSubjects = l.firstLane()
		} else if err := l.widen(ctx, cfg); err != nil {
			return nil, fmt.Errorf("consumer %s: %w", s.Name, err)
		}
	}
	consumer, err := durable.Consumer(ctx, l.js, l.names.Stream(s.Input), cfg, c.Logger)
	if err != nil {
		return nil, fmt.Errorf("consumer %s: %w", s.Name, err)
	}
	return consumer, nil
}

// consumerConfig is that of a stage's consumer of all its messages.
func consumerConfig(s stages.Stage) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable: s.Name, Description: "hopstream " + s.Name + " stage",
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: s.AckWait,
		MaxDeliver: -1, MaxAckPending: 64 * 1024, MaxWaiting: 4096,
	}
}

// Lag is how far a stage is behind: messages not yet delivered, and delivered
// but not yet done.
type Lag struct {
	Pending    uint64 `json:"pending"`
	AckPending int    `json:"ack_pending"`
	Redelivers int    `json:"redelivered"`
	Waiting    int    `json:"waiting"` // pull requests standing

	// Down is how many of the queue's copies on servers are away or behind.
	Down int `json:"-"`

	behind []backlog // of the consumers that have something yet to finish
	at     time.Time // when the server counted, by its clock
}

// Total is pending and ack pending together, as autoscalers read it.
func (l Lag) Total() uint64 { return l.Pending + uint64(max(0, l.AckPending)) }

// Lag asks the server how far stage s is behind. A stage whose consumer does
// not exist yet has no lag. That of the stage which reads the questions is the sum
// of their lanes'.
func (l *Log) Lag(ctx context.Context, s stages.Stage) (Lag, error) {
	if s.Input == messages.KindQuestion {
		return l.lagOfLanes(ctx, s)
	}
	c, err := l.js.Consumer(ctx, l.names.Stream(s.Input), s.Name)
	if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		return Lag{}, nil
	}
	if err != nil {
		return Lag{}, fmt.Errorf("lag of %s: %w", s.Name, err)
	}
	var lag Lag
	lag.add(c.CachedInfo())
	return lag, nil
}

// StreamState returns the state of kind k's stream; a stream that does not
// exist yet is empty.
func (l *Log) StreamState(ctx context.Context, k messages.Kind) (jetstream.StreamState, error) {
	s, err := l.js.Stream(ctx, l.names.Stream(k))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return jetstream.StreamState{}, nil
	}
	if err != nil {
		return jetstream.StreamState{}, fmt.Errorf("stream %s: %w", l.names.Stream(k), err)
	}
	return s.CachedInfo().State, nil
}
