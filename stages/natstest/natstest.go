// Package natstest starts real NATS servers for tests, and puts clients on them.
//
//	natstest.go  Server, Connect: a server in this process, and a connection
//	rig.go       Rig: a server with the streams of a table, and a client on it
//	lose.go      what a server leaves on disk that was killed while it wrote
package natstest

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Server starts a JetStream server in this process on a temporary store and a
// free loopback port, and stops it when the test ends.
func Server(t testing.TB) *server.Server {
	t.Helper()
	return ServerAt(t, t.TempDir(), -1)
}

// ServerAt is Server on a given store and port. A server that was stopped is
// started again by giving its own.
func ServerAt(t testing.TB, dir string, port int) *server.Server {
	t.Helper()
	return start(t, &server.Options{Port: port, JetStream: true, StoreDir: dir})
}

// Plain is Server without JetStream: what answers its requests, the test says.
func Plain(t testing.TB) *server.Server {
	t.Helper()
	return start(t, &server.Options{Port: -1})
}

func start(t testing.TB, o *server.Options) *server.Server {
	t.Helper()
	o.Host, o.NoSigs, o.NoLog = "127.0.0.1", true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the NATS server did not come up")
	}
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	return s
}

// Connect returns a connection to s that closes when the test ends.
func Connect(t testing.TB, s *server.Server) (*nats.Conn, jetstream.JetStream) {
	t.Helper()
	nc, err := nats.Connect(s.ClientURL(), nats.MaxReconnects(-1), nats.ReconnectWait(20*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return nc, js
}
