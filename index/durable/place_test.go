package durable_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"hopstream/stages/natstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stream and consumer are as a program would want them.
var (
	stream   = jetstream.StreamConfig{Name: "S", Subjects: []string{"s.>"}, MaxMsgs: -1, MaxBytes: -1, MaxMsgsPerSubject: -1, Replicas: 1, MaxAge: time.Hour, Duplicates: time.Second}
	consumer = jetstream.ConsumerConfig{Durable: "c", AckPolicy: jetstream.AckExplicitPolicy, AckWait: time.Minute}
)

// place is a server's store, and the server that runs on it.
type place struct {
	dir string
	s   *server.Server
	nc  *nats.Conn
	js  jetstream.JetStream
}

func open(t *testing.T) *place {
	t.Helper()
	p := &place{dir: t.TempDir()}
	p.start(t)
	return p
}

func (p *place) start(t *testing.T) {
	t.Helper()
	p.s = natstest.ServerAt(t, p.dir, -1)
	p.nc, p.js = natstest.Connect(t, p.s)
}

func (p *place) stop() {
	p.nc.Close()
	p.s.Shutdown()
	p.s.WaitForShutdown()
}

// restart stops the server cleanly, changes its store, and starts it again.
func (p *place) restart(t *testing.T, change ...func()) {
	t.Helper()
	p.stop()
	for _, c := range change {
		c()
	}
	p.start(t)
}

func (p *place) publish(t *testing.T, n int) {
	t.Helper()
	for i := range n {
		if _, err := p.js.Publish(t.Context(), fmt.Sprint("s.", i), []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
}

// work has the consumer do n messages.
func (p *place) work(t *testing.T, c jetstream.Consumer, n int) {
	t.Helper()
	batch, err := c.Fetch(n)
	if err != nil {
		t.Fatal(err)
	}
	for m := range batch.Messages() {
		if err := m.DoubleAck(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// holds checks that the server has the stream of itself, with n messages.
func (p *place) holds(t *testing.T, n uint64) {
	t.Helper()
	s, err := p.js.Stream(t.Context(), stream.Name)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.CachedInfo().State.Msgs; got != n {
		t.Errorf("%d messages instead of %d", got, n)
	}
}

// worked checks that the server has the consumer of itself, which did n
// messages.
func (p *place) worked(t *testing.T, n uint64) {
	t.Helper()
	c, err := p.js.Consumer(t.Context(), stream.Name, consumer.Durable)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.CachedInfo().AckFloor.Stream; got != n {
		t.Errorf("the consumer has done %d messages instead of %d", got, n)
	}
}

func (p *place) loseSum(t *testing.T, consumer ...string) func() {
	return func() { natstest.LoseSum(t, p.dir, stream.Name, consumer...) }
}

// spoil writes data into a file of the stream, or of its consumer.
func (p *place) spoil(t *testing.T, file, data string, consumer ...string) func() {
	return func() {
		if err := os.WriteFile(filepath.Join(natstest.Kept(p.dir, stream.Name, consumer...), file), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
