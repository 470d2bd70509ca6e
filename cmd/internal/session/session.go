package session

import (
	"context"
	"errors"
	"fmt"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/node"
	"hopstream/cmd/internal/telemetry"
	"hopstream/index/docstream"
	"hopstream/messages"
	"hopstream/stages/client"
	"hopstream/stages/log"
)

// Session is what a command that asks questions needs: a connection, a client
// and, unless other processes have workers, a node of its own.
type Session struct {
	App  *cli.App
	Conn *broker.Conn
	Node *node.Node // nil where the workers are elsewhere
	// private is set if the store is temporary, and removed with the session.
	private bool
	tracing *telemetry.Tracing
	*client.Client
	Log *log.Log
}

// Options say where the documents come from.
type Options struct {
	Docs []string // index these first; without --nats, into a temporary store
	Node node.Options
}

// Open connects, starts workers if nobody else does, and indexes o.Docs. It fails
// where no server can be reached or started, where the workers cannot start, where
// there is no document to index, and, without o.Docs, where none is stored though
// one of the searchers reads documents.
func Open(ctx context.Context, a *cli.App, o Options) (*Session, error) {
	private := len(o.Docs) > 0 && a.Config.NATS.URL == ""
	s := &Session{App: a, private: private}
	if len(o.Docs) == 0 {
		if err := neverUsed(&a.Config); err != nil {
			return nil, err
		}
	}
	var err error
	if private {
		s.Conn, err = broker.Temporary(a.Config, a.Log)
	} else {
		s.Conn, err = broker.Connect(ctx, a.Config, "", a.Log)
	}
	if err != nil {
		return nil, err
	}
	if s.tracing, err = telemetry.NewTracing(ctx, &a.Config.Tracing, a.Name, a.Log); err != nil {
		return nil, errors.Join(cli.Usage(err), s.Close())
	}
	o.Node.Tracer = s.tracing.Of()
	if err := s.start(ctx, o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Session) start(ctx context.Context, o Options) (err error) {
	a := s.App
	if s.Conn.Own {
		if o.Node.Table == nil {
			if o.Node.Table, err = a.Config.Table("all"); err != nil {
				return err
			}
		}
		o.Node.InMemory = o.Node.InMemory || s.private
		if s.Node, err = node.Start(ctx, a.Config, a.Log, s.Conn, o.Node); err != nil {
			return err
		}
		s.Log, s.Client = s.Node.Log, s.Node.Client
	} else {
		s.Log = log.New(s.Conn.JS, s.Conn.Names)
		s.Client = client.New(s.Log).Traced(o.Node.Tracer)
		// Whoever only asks need not know of the others.
		if err := s.Log.EnsureStreams(ctx, node.LogConfig(a.Config, a.Log), messages.KindQuestion, messages.KindAnswer); err != nil {
			return err
		}
	}
	if len(o.Docs) > 0 {
		return s.ingest(ctx, o.Docs)
	}
	if err := s.needDocuments(ctx); err != nil {
		return err
	}
	if s.Node != nil && len(s.Node.Stores) > 0 {
		return s.awaitIndex(ctx)
	}
	return nil
}

// OpenEmpty starts a node over a temporary store without documents.
func OpenEmpty(ctx context.Context, a *cli.App, o node.Options) (*Session, error) {
	l, err := broker.Temporary(a.Config, a.Log)
	if err != nil {
		return nil, err
	}
	// The router reads the document stream's end for every question, so the
	// stream must exist even if it stays empty.
	if _, err := docstream.Ensure(ctx, l.JS, l.Names, node.DocumentStream(a.Config, l.Names), a.Log); err != nil {
		l.Close()
		return nil, err
	}
	s := &Session{App: a, Conn: l, private: true}
	if s.tracing, err = telemetry.NewTracing(ctx, &a.Config.Tracing, a.Name, a.Log); err != nil {
		l.Close()
		return nil, cli.Usage(err)
	}
	o.Tracer = s.tracing.Of()
	if s.Node, err = node.Start(ctx, a.Config, a.Log, l, o); err != nil {
		s.tracing.Close()
		l.Close()
		return nil, err
	}
	s.Log, s.Client = s.Node.Log, s.Node.Client
	return s, nil
}

// Inspect runs fn over a session without workers, which only looks at the log. It
// returns the error of fn, or that of connecting.
func Inspect(ctx context.Context, a *cli.App, fn func(*Session) error) (err error) {
	l, err := broker.Connect(ctx, a.Config, "", a.Log)
	if err != nil {
		return err
	}
	s := &Session{App: a, Conn: l, Log: log.New(l.JS, l.Names)}
	defer func() { err = errors.Join(err, s.Close()) }()
	s.Client = client.New(s.Log)
	if err := s.Log.EnsureStreams(ctx, node.LogConfig(a.Config, a.Log)); err != nil {
		return err
	}
	return fn(s)
}

// InspectQuestion is Inspect for a command that is given a question's ID; a wrong
// one is wrong use.
func InspectQuestion(ctx context.Context, a *cli.App, id string, fn func(*Session) error) error {
	if err := messages.CheckID(id); err != nil {
		return cli.Usage(err)
	}
	return Inspect(ctx, a, fn)
}

// awaitIndex waits until this process's index has read all stored documents. A
// question asked earlier would wait for the same, at the cost of its deadline.
func (s *Session) awaitIndex(ctx context.Context) error {
	stream, err := s.Conn.JS.Stream(ctx, docstream.Config(s.Conn.Names).Name)
	if err != nil {
		return fmt.Errorf("document stream: %w", err)
	}
	return s.Node.Stores.WaitFor(ctx, stream.CachedInfo().State.LastSeq)
}

// Close ends this process's workers, then the connection.
func (s *Session) Close() error {
	var err error
	if s.Node != nil {
		err = s.Node.Close()
	} else if s.Log != nil {
		s.Log.Close()
	}
	s.Conn.Close()
	s.tracing.Close()
	return err
}
