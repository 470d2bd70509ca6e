package log_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
)

func documentStream(t testing.TB, j *log.Log, description string) jetstream.Stream {
	t.Helper()
	s, err := j.JetStream().CreateStream(t.Context(), jetstream.StreamConfig{
		Name: j.Names().Stream(messages.KindDocument), Subjects: []string{j.Names().Filter(messages.KindDocument)},
		Description: description, MaxMsgsPerSubject: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func store(t *testing.T, j *log.Log, id string) uint64 {
	t.Helper()
	ack, err := j.JetStream().Publish(t.Context(), j.Names().Subject(messages.KindDocument, messages.Key{ID: id}), []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	return ack.Sequence
}

// TestDocumentsLostRequest holds that a request that nobody answers, as while another
// server takes over the stream, is sent again.
func TestDocumentsLostRequest(t *testing.T) {
	t.Parallel()
	nc, js := natstest.Connect(t, natstest.Plain(t))
	j := log.New(js, messages.DefaultNames())
	t.Cleanup(j.Close)
	var asked atomic.Int32
	if _, err := nc.Subscribe("$JS.API.STREAM.INFO."+j.Names().Stream(messages.KindDocument), func(m *nats.Msg) {
		if asked.Add(1) > 2 {
			_ = m.Respond([]byte(`{"state":{"messages":1,"last_seq":9}}`))
		}
	}); err != nil {
		t.Fatal(err)
	}
	if last, err := j.Documents(t.Context()); err != nil || last != 9 {
		t.Errorf("%d, %v after %d requests", last, err, asked.Load())
	}
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	j, nc := open(t, log.Config{})
	look := func(want uint64) {
		t.Helper()
		if got, err := j.Documents(t.Context()); got != want || err != nil {
			t.Errorf("%d, %v: want %d", got, err, want)
		}
	}
	look(0) // there is no stream
	s := documentStream(t, j, `tells of "state":{"messages":7,"last_seq":8}, and }`)
	look(0)
	for i := range uint64(12) {
		if seq := store(t, j, string(rune('a'+i%3))); seq != i+1 {
			t.Fatal(seq)
		}
		look(i + 1)
	}
	if err := s.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	look(12)
	if err := j.JetStream().DeleteStream(t.Context(), j.Names().Stream(messages.KindDocument)); err != nil {
		t.Fatal(err)
	}
	look(0)

	nc.Close()
	_, err := j.Documents(t.Context())
	if _, ok := errors.AsType[*log.BrokerError](err); !ok {
		t.Errorf("without a connection: %v", err)
	}
	j.Close()
	if _, err := j.Documents(t.Context()); err == nil {
		t.Error("a closed log looks")
	}
}

// TestDocumentsAreAskedOfTheLeader holds that a look is no direct read, which
// a replica that lags behind may answer, and that many share few.
func TestDocumentsAreAskedOfTheLeader(t *testing.T) {
	t.Parallel()
	j, _ := open(t, log.Config{})
	documentStream(t, j, "")
	var asked, direct atomic.Int64
	for subject, n := range map[string]*atomic.Int64{"$JS.API.STREAM.INFO." + j.Names().Stream(messages.KindDocument): &asked, "$JS.API.DIRECT.GET.>": &direct} {
		sub, err := j.JetStream().Conn().Subscribe(subject, func(*nats.Msg) { n.Add(1) })
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = sub.Unsubscribe() }()
	}
	const callers = 400
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			if _, err := j.Documents(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := j.JetStream().Conn().Flush(); err != nil {
		t.Fatal(err)
	}
	if n := asked.Load(); n < 1 || n > callers/4 {
		t.Errorf("%d callers asked %d times", callers, n)
	}
	if direct.Load() > 0 {
		t.Error("a direct read")
	}
}

// TestShared holds that nobody gets what was asked before they came.
func TestShared(t *testing.T) {
	t.Parallel()
	began, release := make(chan int), make(chan struct{})
	n := 0
	s := log.NewShared(0, func(ctx context.Context) (int, error) {
		n++
		mine := n
		select {
		case began <- mine:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		select {
		case <-release:
			return mine, nil
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	})
	first := s.Begin()
	if <-began != 1 {
		t.Fatal("another first")
	}
	// The first is under way: these share the second.
	var later []*log.Result[int]
	for range 5 {
		later = append(later, s.Begin())
	}
	release <- struct{}{}
	if got, err := first.Wait(t.Context()); got != 1 || err != nil {
		t.Errorf("the first: %d, %v", got, err)
	}
	if <-began != 2 {
		t.Fatal("another second")
	}
	last := s.Begin()
	release <- struct{}{}
	for _, r := range later {
		if got, err := r.Wait(t.Context()); got != 2 || err != nil {
			t.Errorf("while the first was under way: %d, %v", got, err)
		}
	}
	if <-began != 3 {
		t.Fatal("another third")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := last.Wait(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that went: %v", err)
	}
	s.Close()
	if _, err := last.Wait(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("an asking that was ended: %v", err)
	}
	if _, err := s.Get(t.Context()); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("after the end: %v", err)
	}
}

// TestSharedRests holds that who comes alone is not kept waiting, and who comes
// with many is.
func TestSharedRests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const rest = 300 * time.Millisecond
		s := log.NewShared(rest, func(context.Context) (time.Time, error) { return time.Now(), nil })
		defer s.Close()
		alone := time.Now()
		for range 20 {
			if _, err := s.Get(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(alone); took > 20*rest/4 {
			t.Errorf("one after the other took %v", took)
		}
		var all []*log.Result[time.Time]
		first, distinct := time.Now(), map[time.Time]bool{}
		for time.Since(first) < rest/3 { // more than one comes within one rest
			for range 10 {
				all = append(all, s.Begin())
			}
			time.Sleep(rest / 300)
		}
		for _, r := range all {
			at, err := r.Wait(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			distinct[at] = true
		}
		if len(all) < 1000 || len(distinct) > 3 {
			t.Errorf("%d callers within %v were told by %d askings", len(all), rest/3, len(distinct))
		}
	})
}

// BenchmarkDocuments is a look by a single caller, and by 64 that share them as
// a router's deliveries do. looks/op is how many requests a caller costs.
func BenchmarkDocuments(b *testing.B) {
	for _, callers := range []int{1, 64} {
		b.Run(strconv.Itoa(callers), func(b *testing.B) {
			j, nc := open(b, log.Config{})
			documentStream(b, j, "")
			before := nc.Stats().OutMsgs
			var left atomic.Int64
			left.Store(int64(b.N))
			b.ResetTimer()
			var wg sync.WaitGroup
			for range callers {
				wg.Go(func() {
					for left.Add(-1) >= 0 {
						if _, err := j.Documents(b.Context()); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(nc.Stats().OutMsgs-before)/float64(b.N), "looks/op")
		})
	}
}
