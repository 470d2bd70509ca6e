package natstest

import (
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/client"
	"hopstream/stages/log"
)

// Rig is a client on a server of its own, with no pipeline behind it.
type Rig struct {
	Server *server.Server
	Conn   *nats.Conn
	Log    *log.Log
	Client *client.Client
	Follow *client.Follower
}

// NewRig returns a rig with the streams and consumers of a table's stages. It
// closes when the test ends.
func NewRig(t testing.TB, c log.Config, table []stages.Stage) *Rig {
	t.Helper()
	r := &Rig{Server: Server(t)}
	nc, js := Connect(t, r.Server)
	r.Conn, r.Log = nc, log.New(js, messages.DefaultNames())
	t.Cleanup(r.Log.Close)
	r.Client = client.New(r.Log)
	if err := r.Log.Ensure(t.Context(), c, table); err != nil {
		t.Fatal(err)
	}
	f, err := r.Client.Follow(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	r.Follow = f
	return r
}

// Restart stops the server and starts it again on its store and port. The
// functions in between run while it is down, with the store's folder.
func (r *Rig) Restart(t testing.TB, between ...func(dir string)) {
	t.Helper()
	dir, port := filepath.Dir(r.Server.StoreDir()), r.Server.Addr().(*net.TCPAddr).Port
	r.Server.Shutdown()
	r.Server.WaitForShutdown()
	for _, fn := range between {
		fn(dir)
	}
	r.Server = ServerAt(t, dir, port)
}

// Eventually polls until ok, and fails the test after 30 seconds.
func Eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
