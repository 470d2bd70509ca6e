package docstream

import (
	"bytes"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/stages/natstest"
)

// blind restarts a server that does not see the document stream any more, as
// one that was killed while it wrote the stream's configuration.
func blind(t *testing.T, s *server.Server, dir string) *server.Server {
	t.Helper()
	s.Shutdown()
	s.WaitForShutdown()
	natstest.LoseSum(t, dir, names.Stream(messages.KindDocument))
	return startServer(t, dir)
}

func TestEnsureStreamOutOfSight(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, dir)
	js := connect(t, s)
	ensure(t, js)
	publish(t, js, numbered(10, "x")...)
	s = blind(t, s, dir)
	js = connect(t, s)
	if _, err := js.Stream(within(t), names.Stream(messages.KindDocument)); !errors.Is(err, jetstream.ErrStreamNotFound) {
		t.Fatalf("the stream is still seen: %v", err)
	}
	var log bytes.Buffer
	if _, err := Ensure(within(t), js, names, Config(names), slog.New(slog.NewTextHandler(&log, nil))); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "messages=10") {
		t.Errorf("logged %q", &log)
	}
	publish(t, js, numbered(12, "x")...)
	for range 2 {
		s.Shutdown()
		s.WaitForShutdown()
		s = startServer(t, dir)
		js = connect(t, s)
		stats, err := Publish(within(t), js, names, slices.Values(numbered(12, "x")), PublishOptions{})
		if err != nil || stats.Unchanged != 12 {
			t.Errorf("after a restart: %+v, %v", stats, err)
		}
	}
}

// TestFollowOutOfSight restarts the server below a follower, and nobody else
// makes the document stream again.
func TestFollowOutOfSight(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, dir)
	at := &swapped{}
	at.set(s)
	js := connect(t, at, nats.MaxReconnects(-1), nats.ReconnectWait(5*time.Millisecond))
	ensure(t, js)
	b := openTest(t, "")
	cfg := Config(names)
	f, _ := follow(t, js, b, FollowOptions{Stream: &cfg})
	waitFor(t, f, publish(t, js, numbered(20, "x")...).LastSeq)
	at.set(blind(t, s, dir))
	eventually(t, "the stream is there again", func() bool {
		stream, err := js.Stream(within(t), cfg.Name)
		return err == nil && stream.CachedInfo().State.Msgs == 20
	})
	waitFor(t, f, publish(t, js, numbered(25, "x")...).LastSeq)
	wantCounts(t, b, 25, 25)
}
