package docstream

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/index"
	"hopstream/index/bleve"
	"hopstream/messages"
)

// follow runs a follower until the test ends, or stop is called.
func follow(tb testing.TB, js jetstream.JetStream, b index.Store, opts FollowOptions) (f *Follower, stop func()) {
	tb.Helper()
	if opts.Check == 0 {
		opts.Check = 50 * time.Millisecond
	}
	f, err := Follow(within(tb), js, names, b, opts)
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := f.Run(ctx); err != nil {
			tb.Errorf("follower: %v", err)
		}
	})
	stop = func() { cancel(); wg.Wait() }
	tb.Cleanup(stop)
	return f, stop
}

func waitFor(tb testing.TB, f *Follower, seq uint64) {
	tb.Helper()
	if err := f.WaitFor(within(tb), seq); err != nil {
		tb.Fatal(err)
	}
}

// eventually waits until ok, which it asks often, since nothing announces it.
func eventually(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	ctx := within(tb)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			tb.Fatalf("waited in vain: %s", what)
		}
	}
}

func TestFollow(t *testing.T) {
	t.Parallel()
	stores(t, func(t *testing.T, b *bleve.Store) {
		js := startNATS(t)
		ensure(t, js)
		docs := numbered(300, "words")
		waitSeq := publish(t, js, docs[:200]...).LastSeq
		f, _ := follow(t, js, b, FollowOptions{Batch: 64})
		waitFor(t, f, waitSeq)
		wantCounts(t, b, 200, 200)
		docs[3].Deleted = true
		docs[4].Text = "unusual"
		waitFor(t, f, publish(t, js, docs...).LastSeq)
		wantCounts(t, b, 299, 299)
		wantFound(t, b, "number299", "doc 299")
		wantFound(t, b, "unusual", "doc 4")
		if lag, err := f.Lag(within(t)); lag != 0 || err != nil {
			t.Errorf("lag %d, %v", lag, err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		if err := f.WaitFor(ctx, 1<<40); err == nil {
			t.Error("waited for a message that does not exist, and got it")
		}
	})
}

// counting counts what a follower applies.
type counting struct {
	*bleve.Store
	mu   sync.Mutex
	docs int
}

func (c *counting) Apply(ctx context.Context, docs []messages.Document, p index.Position) error {
	c.mu.Lock()
	c.docs += len(docs)
	c.mu.Unlock()
	return c.Store.Apply(ctx, docs, p)
}

func TestFollowResumes(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	ensure(t, js)
	dir := filepath.Join(t.TempDir(), "index")
	b := openTest(t, dir)
	f, stop := follow(t, js, b, FollowOptions{})
	waitFor(t, f, publish(t, js, numbered(100, "x")...).LastSeq)
	stop()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	seq := publish(t, js, doc("new", "", "newest")).LastSeq
	again := &counting{Store: openTest(t, dir)}
	f, err := Follow(within(t), js, names, again, FollowOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if lag, err := f.Lag(within(t)); lag != 1 || err != nil {
		t.Errorf("lag %d, %v", lag, err)
	}
	f, _ = follow(t, js, again, FollowOptions{})
	waitFor(t, f, seq)
	wantCounts(t, again.Store, 101, 101)
	if again.docs != 1 {
		t.Errorf("%d documents were read again", again.docs-1)
	}
}

func TestFollowStreamMadeAnew(t *testing.T) {
	t.Parallel()
	stores(t, func(t *testing.T, b *bleve.Store) {
		js := startNATS(t)
		for round := range 3 {
			ensure(t, js)
			if round == 1 { // while one follows
				f, stop := follow(t, js, b, FollowOptions{})
				publish(t, js, numbered(20, "old")...)
				eventually(t, "20 old documents", func() bool { return b.Documents() == 20 })
				_ = f
				if err := js.DeleteStream(within(t), names.Stream(messages.KindDocument)); err != nil {
					t.Fatal(err)
				}
				ensure(t, js)
				publish(t, js, numbered(30, "new")...)
				eventually(t, "30 new documents", func() bool { return b.Documents() == 30 })
				wantFound(t, b, "old")
				stop()
			} else { // while none follows
				want := 10 + round
				publish(t, js, numbered(want, fmt.Sprint("round", round))...)
				f, stop := follow(t, js, b, FollowOptions{})
				waitFor(t, f, uint64(want))
				wantCounts(t, b, want, want)
				stop()
			}
			if err := js.DeleteStream(within(t), names.Stream(messages.KindDocument)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestFollowPurged(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	s := ensure(t, js)
	b := openTest(t, "")
	f, stop := follow(t, js, b, FollowOptions{})
	waitFor(t, f, publish(t, js, numbered(20, "x")...).LastSeq)
	stop()
	if err := s.Purge(within(t)); err != nil {
		t.Fatal(err)
	}
	f, _ = follow(t, js, b, FollowOptions{})
	waitFor(t, f, 20)
	eventually(t, "an empty store", func() bool { return b.Documents() == 0 })
	waitFor(t, f, publish(t, js, doc("a", "", "x")).LastSeq)
	wantCounts(t, b, 1, 1)
}

func TestFollowBadMessages(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	ensure(t, js)
	good := doc("good", "", "text")
	publish(t, js, good)
	for i, data := range []string{"garbage", `{"id":"another","text":"t"}`, `{"v":99,"id":"bad2","text":"t"}`, "\xff"} {
		d := doc(fmt.Sprint("bad", i), "", "")
		if _, err := js.Publish(within(t), names.Of(&d), []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	var bad []messages.Dead
	b := openTest(t, "")
	f, _ := follow(t, js, b, FollowOptions{OnBad: func(d messages.Dead) {
		mu.Lock()
		defer mu.Unlock()
		bad = append(bad, d)
	}})
	waitFor(t, f, 5)
	wantCounts(t, b, 1, 1)
	mu.Lock()
	defer mu.Unlock()
	if len(bad) != 4 {
		t.Fatalf("reported %+v", bad)
	}
	for i, d := range bad {
		if err := d.Validate(); err != nil || d.ID != fmt.Sprint("bad", i) || d.Error == "" || len(d.Data) == 0 || d.Stage != "index" {
			t.Errorf("%+v: %v", d, err)
		}
	}
}

// TestFollowServerRestart takes the server away below a follower.
func TestFollowServerRestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, dir)
	swap := &swapped{}
	swap.set(s)
	again := make(chan struct{})
	js := connect(t, swap, nats.MaxReconnects(-1), nats.ReconnectWait(5*time.Millisecond),
		nats.ReconnectHandler(func(*nats.Conn) { close(again) }))
	ensure(t, js)
	b := openTest(t, "")
	f, _ := follow(t, js, b, FollowOptions{})
	waitFor(t, f, publish(t, js, numbered(20, "x")...).LastSeq)
	s.Shutdown()
	s.WaitForShutdown()
	swap.set(startServer(t, dir))
	select {
	case <-again:
	case <-within(t).Done():
		t.Fatal("no new connection")
	}
	seq := publish(t, js, numbered(40, "x")...).LastSeq
	waitFor(t, f, seq)
	wantCounts(t, b, 40, 40)
}

func TestFollowConsumerLost(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	s := ensure(t, js)
	b := openTest(t, "")
	f, _ := follow(t, js, b, FollowOptions{})
	waitFor(t, f, publish(t, js, numbered(5, "x")...).LastSeq)
	for name := range s.ConsumerNames(within(t)).Name() {
		if err := s.DeleteConsumer(within(t), name); err != nil {
			t.Fatal(err)
		}
	}
	waitFor(t, f, publish(t, js, numbered(9, "x")...).LastSeq)
	wantCounts(t, b, 9, 9)
}

func TestFollowClosedStore(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	ensure(t, js)
	b := openTest(t, "")
	f, err := Follow(within(t), js, names, b, FollowOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_ = b.Close()
	publish(t, js, doc("a", "", "x"))
	if err := f.Run(within(t)); !permanent(err) {
		t.Errorf("run over a closed store: %v", err)
	}
}
