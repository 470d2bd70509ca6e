package main

import (
	"context"
	"errors"
	"fmt"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/node"
	"hopstream/index"
	"hopstream/messages"
	"hopstream/stages/client"
	"hopstream/stages/log"
)

// session is what a command that asks questions needs: a connection, a client
// and, unless somebody else's workers do the work, a node of its own.
type session struct {
	app  *cli.App
	conn *broker.Conn
	node *node.Node // nil where the workers are elsewhere
	// private is set where the store is this session's and goes with it.
	private bool
	*client.Client
	log *log.Log
}

// sessionOptions say where the documents come from.
type sessionOptions struct {
	docs  []string // index these first; without --nats, into a temporary store
	parts node.Options
}

// openSession connects, starts workers if nobody else does, and indexes o.docs.
func openSession(ctx context.Context, a *cli.App, o sessionOptions) (*session, error) {
	private := len(o.docs) > 0 && a.Config.NATS.URL == ""
	s := &session{app: a, private: private}
	var err error
	if private {
		s.conn, err = broker.Temporary(a.Config, a.Log)
	} else {
		s.conn, err = broker.Connect(ctx, a.Config, "", a.Log)
	}
	if err != nil {
		return nil, err
	}
	if err := s.start(ctx, o); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *session) start(ctx context.Context, o sessionOptions) (err error) {
	a := s.app
	if s.conn.Own {
		if o.parts.Table == nil {
			if o.parts.Table, err = a.Config.Table("all"); err != nil {
				return err
			}
		}
		o.parts.InMemory = o.parts.InMemory || s.private
		if s.node, err = node.Start(ctx, a.Config, a.Log, s.conn, o.parts); err != nil {
			return err
		}
		s.log, s.Client = s.node.Log, s.node.Client
	} else {
		s.log = log.New(s.conn.JS, s.conn.Names)
		s.Client = client.New(s.log)
		if err := s.log.EnsureStreams(ctx, node.LogConfig(a.Config, a.Log)); err != nil {
			return err
		}
	}
	if len(o.docs) > 0 {
		_, err = s.ingest(ctx, o.docs)
	} else if s.node != nil && len(s.node.Stores) > 0 {
		err = s.awaitIndex(ctx)
	}
	return err
}

// openEmpty starts a node over a temporary store without documents.
func openEmpty(ctx context.Context, a *cli.App, o node.Options) (*session, error) {
	l, err := broker.Temporary(a.Config, a.Log)
	if err != nil {
		return nil, err
	}
	// Every question looks at the document stream, also where nothing is read.
	if _, err := index.EnsureStream(ctx, l.JS, l.Names, node.DocumentStream(a.Config, l.Names), a.Log); err != nil {
		l.Close()
		return nil, err
	}
	s := &session{app: a, conn: l, private: true}
	if s.node, err = node.Start(ctx, a.Config, a.Log, l, o); err != nil {
		l.Close()
		return nil, err
	}
	s.log, s.Client = s.node.Log, s.node.Client
	return s, nil
}

// inspect runs fn over a session that looks at the log without working on it.
func inspect(ctx context.Context, a *cli.App, fn func(*session) error) (err error) {
	l, err := broker.Connect(ctx, a.Config, "", a.Log)
	if err != nil {
		return err
	}
	s := &session{app: a, conn: l, log: log.New(l.JS, l.Names)}
	defer func() { err = errors.Join(err, s.close()) }()
	s.Client = client.New(s.log)
	if err := s.log.EnsureStreams(ctx, node.LogConfig(a.Config, a.Log)); err != nil {
		return err
	}
	return fn(s)
}

// inspectQuestion is inspect for a command that is given a question's ID.
func inspectQuestion(ctx context.Context, a *cli.App, id string, fn func(*session) error) error {
	if err := messages.CheckID(id); err != nil {
		return cli.Usage(err)
	}
	return inspect(ctx, a, fn)
}

// awaitIndex waits until the own index has taken in what is stored: a question
// would wait for it too, and its time would run.
func (s *session) awaitIndex(ctx context.Context) error {
	stream, err := s.conn.JS.Stream(ctx, index.DocumentStream(s.conn.Names).Name)
	if err != nil {
		return fmt.Errorf("document stream: %w", err)
	}
	return s.node.Stores.WaitFor(ctx, stream.CachedInfo().State.LastSeq)
}

// close ends the own workers, then the connection.
func (s *session) close() error {
	var err error
	if s.node != nil {
		err = s.node.Close()
	} else if s.log != nil {
		s.log.Close()
	}
	s.conn.Close()
	return err
}
