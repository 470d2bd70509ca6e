package log_test

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
)

// disk is a server's store, with a log on the server that runs on it.
type disk struct {
	dir    string
	server *server.Server
	conn   *nats.Conn
	js     jetstream.JetStream
	log    *log.Log
}

func openDisk(t *testing.T) *disk {
	t.Helper()
	s := &disk{dir: t.TempDir()}
	s.start(t)
	return s
}

func (s *disk) start(t *testing.T) {
	t.Helper()
	s.server = natstest.ServerAt(t, s.dir, -1)
	s.conn, s.js = natstest.Connect(t, s.server)
	s.log = log.New(s.js, messages.DefaultNames())
	t.Cleanup(s.log.Close)
}

// restart stops the server cleanly and starts it again.
func (s *disk) restart(t *testing.T, between ...func()) {
	t.Helper()
	s.log.Close()
	s.conn.Close()
	s.server.Shutdown()
	s.server.WaitForShutdown()
	for _, fn := range between {
		fn()
	}
	s.start(t)
}

// kinds are those whose streams are the log's.
func kinds() []messages.Kind {
	return slices.DeleteFunc(slices.Clone(messages.Kinds()), func(k messages.Kind) bool { return k == messages.KindDocument })
}

// seen returns what the server has of itself: streams, and consumers.
func (s *disk) seen(t *testing.T) (found []string) {
	t.Helper()
	streams := s.js.StreamNames(t.Context())
	for name := range streams.Name() {
		found = append(found, name)
		stream, err := s.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		for consumer := range stream.ConsumerNames(t.Context()).Name() {
			found = append(found, name+" "+consumer)
		}
	}
	if err := streams.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

// trace is some of what a question leaves, in every kind of stream it can.
func trace() []messages.Message {
	plan := &messages.Plan{Head: head(1, 0, 0), Queries: []string{"a", "b"}}
	h := head(1, 0, 0)
	return append([]messages.Message{
		&messages.Question{ID: "q", Question: "whole?"}, &messages.Decompose{Head: head(1, 0, 0)}, plan, sub(1, 2),
		&messages.Dead{Stage: "filter", ID: "q", Seq: 3, Subject: "x", Error: "y"}, &messages.Generate{Head: head(1, 0, 0)},
		messages.NewAnswer(&h, messages.Answered, messages.Finding{}, "", time.Now()),
	}, plan.Retrieves()...)
}

func (s *disk) keeps(t *testing.T, n int) {
	t.Helper()
	if got, err := s.log.Trace(t.Context(), "q"); err != nil || len(got) != n {
		t.Errorf("%d of %d messages are left: %v", len(got), n, err)
	}
}

// TestEnsureOutOfSight has the server lose sight of every stream and consumer,
// as when it is killed while it writes their configurations.
func TestEnsureOutOfSight(t *testing.T) {
	t.Parallel()
	s := openDisk(t)
	if err := s.log.Ensure(t.Context(), log.Config{}, stages.Pipeline()); err != nil {
		t.Fatal(err)
	}
	all := trace()
	put(t, s.log, all...)
	whole := s.seen(t)
	if len(whole) != len(kinds())+len(stages.Pipeline()) {
		t.Fatalf("at first there are %q", whole)
	}
	s.restart(t, func() {
		for _, name := range whole {
			stream, consumer, ok := strings.Cut(name, " ")
			if ok {
				natstest.LoseSum(t, s.dir, stream, consumer)
			} else {
				natstest.LoseSum(t, s.dir, stream)
			}
		}
	})
	if left := s.seen(t); len(left) != 0 {
		t.Fatalf("the server still sees %q", left)
	}
	var logged bytes.Buffer
	c := log.Config{Logger: slog.New(slog.NewTextHandler(&logged, nil))}
	if err := s.log.Ensure(t.Context(), c, stages.Pipeline()); err != nil {
		t.Fatal(err)
	}
	if name := s.log.Names().Stream(messages.KindQuestion); !strings.Contains(logged.String(), "stream="+name) {
		t.Errorf("logged\n%s", &logged)
	}
	s.keeps(t, len(all))
	for range 2 {
		s.restart(t)
		if again := s.seen(t); !slices.Equal(again, whole) {
			t.Errorf("after a restart the server sees %q", again)
		}
		s.keeps(t, len(all))
	}
}

// TestEnsureStreamsOutOfSight has somebody without stages, and with another
// configuration, make the streams that are out of sight.
func TestEnsureStreamsOutOfSight(t *testing.T) {
	t.Parallel()
	s := openDisk(t)
	if err := s.log.Ensure(t.Context(), log.Config{}, nil); err != nil {
		t.Fatal(err)
	}
	all := trace()
	put(t, s.log, all...)
	stored := time.Now()
	s.restart(t, func() {
		for _, k := range kinds() {
			natstest.LoseSum(t, s.dir, messages.DefaultNames().Stream(k))
		}
	})
	short := log.Config{Retention: 100 * time.Millisecond, MaxOpen: 1}
	natstest.Eventually(t, "the messages are older than that", func() bool { return time.Since(stored) > short.Retention })
	if err := s.log.EnsureStreams(t.Context(), short); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s.keeps(t, len(all))
		s.restart(t)
	}
	if err := s.log.Ensure(t.Context(), log.Config{}, nil); err != nil {
		t.Fatal(err)
	}
	s.keeps(t, len(all))
	for _, k := range kinds() {
		stream, err := s.js.Stream(t.Context(), s.log.Names().Stream(k))
		if err != nil {
			t.Fatal(err)
		}
		if have, want := stream.CachedInfo().Config.MaxAge, (log.Config{}).Stream(s.log.Names(), k).MaxAge; have != want {
			t.Errorf("stream of %s keeps messages for %v instead of %v", k, have, want)
		}
	}
}
