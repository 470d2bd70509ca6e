package durable_test

import (
	"fmt"
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/index/durable"
	"hopstream/stages/natstest"
)

// cluster returns a client of three servers that keep streams together.
func cluster(t *testing.T) jetstream.JetStream {
	t.Helper()
	var held []net.Listener
	var routes []*url.URL // each server wants to know them before it starts
	for range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, l)
		routes = append(routes, &url.URL{Scheme: "nats", Host: l.Addr().String()})
	}
	var all []*server.Server
	for i, l := range held {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		s, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprint("s", i), Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true,
			Cluster: server.ClusterOpts{Name: "c", Host: "127.0.0.1", Port: l.Addr().(*net.TCPAddr).Port}, Routes: routes,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			s.Shutdown()
			s.WaitForShutdown()
		})
		s.Start()
		all = append(all, s)
	}
	for i, s := range all {
		if !s.ReadyForConnections(30 * time.Second) {
			t.Fatalf("server %d does not start", i)
		}
	}
	// Nothing is made before the three have chosen who leads, and know one another.
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		for _, s := range all {
			if s.JetStreamIsLeader() && len(s.JetStreamClusterPeers()) == len(all) {
				_, js := natstest.Connect(t, s)
				return js
			}
		}
		select {
		case <-tick.C:
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		}
	}
}

// TestCopies holds that whoever names no number of copies leaves that of a stream
// which exists, and makes a stream with one; who names one changes it.
func TestCopies(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("three servers choose who leads")
	}
	js := cluster(t)
	for _, step := range []struct{ names, want int }{{0, 1}, {3, 3}, {0, 3}, {1, 1}, {0, 1}} {
		cfg := stream
		cfg.Replicas = step.names
		s, err := durable.Stream(t.Context(), js, cfg, nil)
		if err != nil {
			t.Fatalf("%+v: %v", step, err)
		}
		if n := s.CachedInfo().Config.Replicas; n != step.want {
			t.Errorf("who names %d finds %d copies; want %d", step.names, n, step.want)
		}
	}
}
