package docstream

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
)

var names = messages.DefaultNames()

// startNATS runs a real server in this process, and returns a client of it.
// It holds one more stream: when an account's last stream is deleted, the
// server answers first and removes the folder of all streams behind its
// answer, and a stream that is made in between cannot be created (twice in
// 4,000 times with version 2.15.2).
func startNATS(tb testing.TB, change ...func(*server.Options)) jetstream.JetStream {
	tb.Helper()
	js := connect(tb, startServer(tb, tb.TempDir(), change...))
	if _, err := js.CreateStream(within(tb), jetstream.StreamConfig{Name: "other", Subjects: []string{"other"}}); err != nil {
		tb.Fatal(err)
	}
	return js
}

func startServer(tb testing.TB, dir string, change ...func(*server.Options)) *server.Server {
	tb.Helper()
	opts := &server.Options{JetStream: true, StoreDir: dir, DontListen: true, NoSigs: true, NoLog: true}
	for _, c := range change {
		c(opts)
	}
	s, err := server.NewServer(opts)
	if err != nil {
		tb.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		tb.Fatal("NATS server is not ready")
	}
	tb.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	return s
}

func connect(tb testing.TB, s nats.InProcessConnProvider, opts ...nats.Option) jetstream.JetStream {
	tb.Helper()
	nc, err := nats.Connect("", append(opts, nats.InProcessServer(s))...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		tb.Fatal(err)
	}
	return js
}

func ensure(tb testing.TB, js jetstream.JetStream) jetstream.Stream {
	tb.Helper()
	s, err := Ensure(within(tb), js, names, Config(names), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// within is a context for what must not take long.
func within(tb testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	tb.Cleanup(cancel)
	return ctx
}

// swapped is an in-process server that can be replaced below its clients.
type swapped struct {
	mu sync.Mutex
	s  *server.Server
}

func (w *swapped) set(s *server.Server) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.s = s
}

// InProcessConn connects to the present server.
func (w *swapped) InProcessConn() (net.Conn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.s.InProcessConn()
}
