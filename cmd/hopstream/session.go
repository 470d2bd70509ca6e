package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"hopstream/index/docstream"
	"hopstream/messages"
	"hopstream/stages/client"
	"hopstream/stages/log"
)

// session is what a command that asks questions needs: a connection, a client
// and, unless somebody else's workers do the work, a node of its own.
type session struct {
	app  *app
	link *link
	node *node // nil where the workers are elsewhere
	// private is set where the store is this session's and goes with it.
	private bool
	*client.Client
	log *log.Log
}

// sessionOptions say where the documents come from.
type sessionOptions struct {
	docs  []string // index these first; without --nats, into a temporary store
	parts nodeParts
}

// open connects, starts workers if nobody else does, and indexes o.docs.
func (a *app) open(ctx context.Context, o sessionOptions) (*session, error) {
	private := len(o.docs) > 0 && a.cfg.NATS.URL == ""
	s := &session{app: a, private: private}
	var err error
	if private {
		s.link, err = a.temporary()
	} else {
		s.link, err = a.connect(ctx, "")
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
	if s.link.own {
		if o.parts.table == nil {
			if o.parts.table, err = a.cfg.table("all"); err != nil {
				return err
			}
		}
		o.parts.inMem = o.parts.inMem || s.private
		if s.node, err = a.startNode(ctx, s.link, o.parts); err != nil {
			return err
		}
		s.log, s.Client = s.node.log, s.node.client
	} else {
		s.log = log.New(s.link.js, s.link.names)
		s.Client = client.New(s.log)
		if err := s.log.EnsureStreams(ctx, a.streams()); err != nil {
			return err
		}
	}
	if len(o.docs) > 0 {
		_, err = a.ingest(ctx, s, o.docs)
	} else if s.node != nil && len(s.node.shelves) > 0 {
		err = s.awaitIndex(ctx)
	}
	return err
}

// inspect runs fn over a session that looks at the log without working on it.
func (a *app) inspect(cmd *cobra.Command, fn func(*session) error) (err error) {
	l, err := a.connect(cmd.Context(), "")
	if err != nil {
		return err
	}
	s := &session{app: a, link: l, log: log.New(l.js, l.names)}
	defer func() { err = errors.Join(err, s.close()) }()
	s.Client = client.New(s.log)
	if err := s.log.EnsureStreams(cmd.Context(), a.streams()); err != nil {
		return err
	}
	return fn(s)
}

// inspectQuestion is inspect for a command that is given a question's ID.
func (a *app) inspectQuestion(cmd *cobra.Command, id string, fn func(*session) error) error {
	if err := messages.CheckID(id); err != nil {
		return usageError{err}
	}
	return a.inspect(cmd, fn)
}

// awaitIndex waits until the own index has taken in what is stored: a question
// would wait for it too, and its time would run.
func (s *session) awaitIndex(ctx context.Context) error {
	stream, err := s.link.js.Stream(ctx, docstream.Config(s.link.names).Name)
	if err != nil {
		return fmt.Errorf("document stream: %w", err)
	}
	return s.node.shelves.waitFor(ctx, stream.CachedInfo().State.LastSeq)
}

// close ends the own workers, then the connection.
func (s *session) close() error {
	var err error
	if s.node != nil {
		err = s.node.close()
	} else if s.log != nil {
		s.log.Close()
	}
	s.link.close()
	return err
}

// documentStream is the document stream's configuration.
func (a *app) documentStream(l *link) jetstream.StreamConfig {
	cfg := docstream.Config(l.names)
	cfg.Replicas = a.cfg.NATS.Replicas
	return cfg
}
