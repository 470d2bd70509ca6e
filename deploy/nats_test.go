package deploy

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// startNATS runs the server compose runs, with its configuration; only the
// folder and the ports are the test's.
func startNATS(t *testing.T) *server.Server {
	t.Helper()
	opts, err := server.ProcessConfigFile("nats.conf")
	if err != nil {
		t.Fatal(err)
	}
	if !opts.JetStream || opts.StoreDir != "/data" || opts.Port != 4222 || opts.HTTPPort != 8222 {
		t.Fatalf("nats.conf does not fit compose.yaml: store %q, ports %d and %d", opts.StoreDir, opts.Port, opts.HTTPPort)
	}
	opts.StoreDir = t.TempDir()
	opts.Host, opts.Port = "127.0.0.1", server.RANDOM_PORT
	opts.HTTPHost, opts.HTTPPort = "127.0.0.1", server.RANDOM_PORT
	opts.NoSigs, opts.NoLog = true, true
	srv, err := server.NewServer(opts)
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	t.Cleanup(func() {
		srv.Shutdown()
		srv.WaitForShutdown()
	})
	if !srv.ReadyForConnections(30 * time.Second) {
		t.Fatal("NATS is not ready")
	}
	return srv
}

func TestNATSRunsWithItsConfiguration(t *testing.T) {
	srv := startNATS(t)
	nc, err := nats.Connect(srv.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{
		Name: "T", Subjects: []string{"t"}, Storage: jetstream.FileStorage, AllowDirect: true,
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(t.Context(), "t", []byte("x"), jetstream.WithExpectLastSequencePerSubject(0)); err != nil {
		t.Fatal(err)
	}
	// The address of compose's health check.
	url := fmt.Sprintf("http://127.0.0.1:%d/healthz?js-enabled-only=true", srv.MonitorAddr().Port)
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("health check: %s", resp.Status)
	}
}
