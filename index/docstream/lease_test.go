package docstream

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages/fault"
	"hopstream/stages/natstest"
)

// tenure runs a lease until it is ended, and tells when fn runs.
type tenure struct {
	held chan context.Context // fn's, each time it starts
	end  context.CancelFunc
	done chan error
}

func contend(t *testing.T, js jetstream.JetStream, ttl time.Duration) *tenure {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	n := &tenure{make(chan context.Context, 100), end, make(chan error, 1)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		n.done <- Lease(ctx, js, names, "thing", LeaseOptions{TTL: ttl, Holder: t.Name()}, func(ctx context.Context) error {
			n.held <- ctx
			<-ctx.Done()
			return nil
		})
	}()
	t.Cleanup(func() { end(); <-ended })
	return n
}

// holds waits until fn runs, and returns its context.
func (n *tenure) holds(t *testing.T) context.Context {
	t.Helper()
	select {
	case ctx := <-n.held:
		return ctx
	case err := <-n.done:
		t.Fatalf("the lease ended: %v", err)
	case <-time.After(20 * time.Second):
		t.Fatal("the lease is not held")
	}
	return nil
}

func (n *tenure) waits(t *testing.T, d time.Duration) {
	t.Helper()
	select {
	case <-n.held:
		t.Fatal("a second one holds the lease")
	case <-time.After(d):
	}
}

// TestLeaseOneHolder: of five contenders, each ended now and then, at most one
// runs at any time.
func TestLeaseOneHolder(t *testing.T) {
	s := startServer(t, t.TempDir())
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	var running, most atomic.Int32
	var runs [5]atomic.Int32
	var wg sync.WaitGroup
	for i := range runs {
		js := connect(t, s)
		wg.Go(func() {
			for ctx.Err() == nil {
				one, end := context.WithTimeout(ctx, 50*time.Millisecond+rand.N(300*time.Millisecond))
				held := false
				err := Lease(one, js, names, "thing", LeaseOptions{TTL: 2 * time.Second, OnHeld: func(h bool) {
					if h == held {
						t.Errorf("held %v twice", h)
					}
					held = h
				}}, func(ctx context.Context) error {
					if n := running.Add(1); n > 1 {
						most.Store(n)
					}
					runs[i].Add(1)
					select {
					case <-ctx.Done():
					case <-time.After(rand.N(60 * time.Millisecond)):
					}
					time.Sleep(rand.N(10 * time.Millisecond)) // it does not end at once
					running.Add(-1)
					return nil
				})
				end()
				if err != nil || held {
					t.Errorf("held %v, %v", held, err)
				}
			}
		})
	}
	wg.Wait()
	if most.Load() > 0 {
		t.Errorf("%d hold the lease at once", most.Load())
	}
	var all int32
	for i := range runs {
		all += runs[i].Load()
	}
	if all < 20 {
		t.Errorf("only %d runs", all)
	}
	t.Logf("%d runs", all)
}

// TestLeaseHandedOver: a holder that ends hands over at once, and not by the
// end of its time.
func TestLeaseHandedOver(t *testing.T) {
	s := startServer(t, t.TempDir())
	a := contend(t, connect(t, s), time.Minute)
	a.holds(t)
	b := contend(t, connect(t, s), time.Minute)
	b.waits(t, 200*time.Millisecond)
	a.end()
	if err := <-a.done; err != nil {
		t.Error(err)
	}
	b.holds(t)
}

// TestLeaseOfTheDead: a holder that can no longer reach the server ends, and
// another takes over. That its time is over in both is as a process that dies.
func TestLeaseOfTheDead(t *testing.T) {
	t.Parallel()
	const ttl = 2 * time.Second // a busy machine may stand still for a part of it
	s := startServer(t, t.TempDir())
	js := connect(t, s)
	a := contend(t, js, ttl)
	mine := a.holds(t)
	b := contend(t, connect(t, s), ttl)
	b.waits(t, 2*ttl) // renewed again and again
	if mine.Err() != nil {
		t.Fatal("a lease is lost for no reason")
	}
	died := time.Now()
	js.Conn().Close()
	b.holds(t)
	took := time.Since(died)
	if mine.Err() == nil {
		t.Error("the former holder still runs")
	}
	if context.Cause(mine) != errLost {
		t.Errorf("it ended by %v", context.Cause(mine))
	}
	if took > 10*ttl {
		t.Errorf("another takes over after %v", took)
	}
	t.Logf("another takes over after %v", took)
	if err := <-a.done; err == nil {
		t.Error("a closed connection is no error")
	} else if class, _ := fault.Of(err); class != fault.Permanent {
		t.Errorf("%v is %v", err, class)
	}
}

// TestLeaseLost: a key that is taken away ends fn, and is acquired again.
func TestLeaseLost(t *testing.T) {
	js := startNATS(t)
	a := contend(t, js, 600*time.Millisecond)
	for _, take := range []func(jetstream.KeyValue) error{
		func(kv jetstream.KeyValue) error { return kv.Delete(within(t), "thing") },
		func(kv jetstream.KeyValue) error { _, err := kv.PutString(within(t), "thing", "mine"); return err },
		func(jetstream.KeyValue) error { return js.DeleteKeyValue(within(t), "hop-v1-leases") },
	} {
		mine := a.holds(t)
		kv, err := js.KeyValue(within(t), "hop-v1-leases")
		if err == nil {
			err = take(kv)
		}
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-mine.Done():
		case <-time.After(10 * time.Second):
			t.Fatal("the holder goes on")
		}
	}
	a.holds(t)
}

// TestLeaseSlowEnd: as long as fn is ending nobody else begins.
func TestLeaseSlowEnd(t *testing.T) {
	const ttl = 300 * time.Millisecond
	s := startServer(t, t.TempDir())
	js := connect(t, s)
	ctx, end := context.WithCancel(t.Context())
	began, leave, done := make(chan bool, 1), make(chan bool), make(chan error, 1)
	wrong := errors.New("wrong")
	go func() {
		done <- Lease(ctx, js, names, "thing", LeaseOptions{TTL: ttl}, func(ctx context.Context) error {
			began <- true
			<-leave
			return wrong
		})
	}()
	<-began
	b := contend(t, connect(t, s), ttl)
	end()
	b.waits(t, 4*ttl)
	close(leave)
	if err := <-done; !errors.Is(err, wrong) {
		t.Error(err)
	}
	b.holds(t)
}

// TestLeaseServerRestart: the lease is found again with the server.
func TestLeaseServerRestart(t *testing.T) {
	dir := t.TempDir()
	var at swapped
	first := startServer(t, dir)
	at.set(first)
	js := connect(t, &at, nats.MaxReconnects(-1), nats.ReconnectWait(20*time.Millisecond))
	a := contend(t, js, 500*time.Millisecond)
	a.holds(t)
	first.Shutdown()
	first.WaitForShutdown()
	time.Sleep(time.Second)
	at.set(startServer(t, dir))
	a.holds(t)
}

// TestLeaseOutOfSight: the server loses sight of the bucket, and once only.
func TestLeaseOutOfSight(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bucket := names.Stream("leases")
	var s *server.Server
	var js jetstream.JetStream
	start := func() {
		s = startServer(t, dir)
		js = connect(t, s)
	}
	stop := func() {
		js.Conn().Close()
		s.Shutdown()
		s.WaitForShutdown()
	}
	lead := func() {
		n := contend(t, js, 10*time.Second)
		n.holds(t)
		n.end()
		if err := <-n.done; err != nil {
			t.Error(err)
		}
	}
	start()
	lead()
	stop()
	natstest.LoseSum(t, dir, "KV_"+bucket)
	start()
	if _, err := js.KeyValue(within(t), bucket); !errors.Is(err, jetstream.ErrBucketNotFound) {
		t.Errorf("the bucket is still seen: %v", err)
	}
	lead()
	stop()
	start()
	if _, err := js.KeyValue(within(t), bucket); err != nil {
		t.Errorf("after a restart: %v", err)
	}
}

// TestLeaseBadBucket: a bucket that keeps its entries is refused.
func TestLeaseBadBucket(t *testing.T) {
	js := startNATS(t)
	if _, err := js.CreateKeyValue(within(t), jetstream.KeyValueConfig{Bucket: names.Stream("leases")}); err != nil {
		t.Fatal(err)
	}
	err := Lease(within(t), js, names, "thing", LeaseOptions{}, func(context.Context) error { t.Error("runs"); return nil })
	if class, _ := fault.Of(err); class != fault.Permanent {
		t.Errorf("%v is %v", err, class)
	}
}
