package durable_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/index/durable"
	"hopstream/stages/natstest"
)

// makers are the functions that ensure a stream.
var makers = map[string]func(context.Context, jetstream.JetStream, jetstream.StreamConfig, *slog.Logger) (jetstream.Stream, error){
	"Stream": durable.Stream, "StreamAsItIs": durable.StreamAsItIs,
}

// TestServer shows what this package is for: a server that finds no checksum
// has no stream, and loses sight of it again after it was created anew. When
// this fails with a new server, the package may have done its service.
func TestServer(t *testing.T) {
	t.Parallel()
	p := open(t)
	if _, err := p.js.CreateStream(t.Context(), stream); err != nil {
		t.Fatal(err)
	}
	if _, err := p.js.CreateConsumer(t.Context(), stream.Name, consumer); err != nil {
		t.Fatal(err)
	}
	p.publish(t, 3)
	p.restart(t, p.loseSum(t, consumer.Durable))
	for range 2 {
		if _, err := p.js.Consumer(t.Context(), stream.Name, consumer.Durable); !errors.Is(err, jetstream.ErrConsumerNotFound) {
			t.Fatalf("the consumer: %v", err)
		}
		if _, err := p.js.CreateConsumer(t.Context(), stream.Name, consumer); err != nil {
			t.Fatal(err)
		}
		p.restart(t)
	}
	p.restart(t, p.loseSum(t))
	for range 2 {
		if _, err := p.js.Stream(t.Context(), stream.Name); !errors.Is(err, jetstream.ErrStreamNotFound) {
			t.Fatalf("the stream: %v", err)
		}
		if _, err := p.js.CreateStream(t.Context(), stream); err != nil {
			t.Fatal(err)
		}
		p.holds(t, 3)
		p.restart(t)
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	for name, ensure := range makers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := open(t)
			for damage, fn := range map[string]func(){
				"no sum":      p.loseSum(t),
				"another sum": p.spoil(t, "meta.sum", "0123456789abcdef"),
				"cut short":   p.spoil(t, "meta.inf", "{"),
				"empty":       p.spoil(t, "meta.inf", ""),
			} {
				if _, err := ensure(t.Context(), p.js, stream, nil); err != nil {
					t.Fatal(err)
				}
				s, err := p.js.Stream(t.Context(), stream.Name)
				if err != nil {
					t.Fatal(err)
				}
				before := s.CachedInfo().State.Msgs
				p.publish(t, 10)
				p.restart(t, fn)
				if _, err := p.js.Stream(t.Context(), stream.Name); !errors.Is(err, jetstream.ErrStreamNotFound) {
					t.Fatalf("%s: the stream is still seen: %v", damage, err)
				}
				var log bytes.Buffer
				s, err = ensure(t.Context(), p.js, stream, slog.New(slog.NewTextHandler(&log, nil)))
				if err != nil {
					t.Fatalf("%s: %v", damage, err)
				}
				if got := s.CachedInfo().State.Msgs; got != before+10 {
					t.Errorf("%s: %d messages instead of %d", damage, got, before+10)
				}
				if !strings.Contains(log.String(), "lost sight") {
					t.Errorf("%s: logged %q", damage, &log)
				}
				p.publish(t, 1) // is acknowledged, and stays
				for range 2 {
					p.restart(t)
					p.holds(t, before+11)
				}
			}
		})
	}
}

func TestConsumer(t *testing.T) {
	t.Parallel()
	p := open(t)
	if _, err := durable.Stream(t.Context(), p.js, stream, nil); err != nil {
		t.Fatal(err)
	}
	p.publish(t, 10)
	c, err := durable.Consumer(t.Context(), p.js, stream.Name, consumer, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.work(t, c, 4)
	for damage, fn := range map[string]func(){
		"of the consumer":               p.loseSum(t, consumer.Durable),
		"of the stream":                 p.loseSum(t),
		"of both":                       func() { p.loseSum(t)(); p.loseSum(t, consumer.Durable)() },
		"configuration of the consumer": p.spoil(t, "meta.inf", "{", consumer.Durable),
	} {
		p.restart(t, fn)
		if _, err := p.js.Consumer(t.Context(), stream.Name, consumer.Durable); err == nil {
			t.Fatalf("%s: the consumer is still seen", damage)
		}
		if _, err := durable.Stream(t.Context(), p.js, stream, nil); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		if _, err := durable.Consumer(t.Context(), p.js, stream.Name, consumer, slog.New(slog.NewTextHandler(&log, nil))); err != nil {
			t.Fatalf("%s: %v", damage, err)
		}
		if !strings.Contains(log.String(), "lost sight") {
			t.Errorf("%s: logged %q", damage, &log)
		}
		for range 2 {
			p.restart(t)
			p.holds(t, 10)
			p.worked(t, 4)
		}
	}
}

// TestFound makes sure that what is there and has the mark is looked at only:
// an update writes to the server's disk.
func TestFound(t *testing.T) {
	t.Parallel()
	p := open(t)
	all := func() {
		t.Helper()
		for _, ensure := range makers {
			if _, err := ensure(t.Context(), p.js, stream, nil); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := durable.Consumer(t.Context(), p.js, stream.Name, consumer, nil); err != nil {
			t.Fatal(err)
		}
	}
	all()
	p.restart(t)
	sub, err := p.nc.SubscribeSync("$JS.API.>")
	if err != nil {
		t.Fatal(err)
	}
	all()
	if err := p.nc.Flush(); err != nil { // then sub has what was asked before
		t.Fatal(err)
	}
	var asked []string
	for m, err := sub.NextMsg(time.Millisecond); err == nil; m, err = sub.NextMsg(time.Millisecond) {
		asked = append(asked, m.Subject)
	}
	if got, want := strings.Join(asked, " "), "$JS.API.STREAM.INFO.S $JS.API.STREAM.INFO.S $JS.API.CONSUMER.INFO.S.c"; got != want {
		t.Errorf("asked the server for\n%s\ninstead of\n%s", got, want)
	}
}

// TestOthers takes over what another program made, keeps its metadata, and
// changes the rest where it is told to.
func TestOthers(t *testing.T) {
	t.Parallel()
	p := open(t)
	other := stream
	other.MaxAge, other.Metadata = 2*time.Hour, map[string]string{"team": "search"}
	if _, err := p.js.CreateStream(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name string
		age  time.Duration
	}{{"StreamAsItIs", 2 * time.Hour}, {"Stream", time.Hour}} {
		s, err := makers[step.name](t.Context(), p.js, stream, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := s.CachedInfo().Config
		if c.MaxAge != step.age || c.Metadata["team"] != "search" || c.Metadata[durable.Mark] == "" {
			t.Errorf("%s: %+v", step.name, c)
		}
	}
	worker := consumer
	worker.Metadata = other.Metadata
	if _, err := p.js.CreateConsumer(t.Context(), stream.Name, worker); err != nil {
		t.Fatal(err)
	}
	worker.Metadata, worker.AckWait = nil, time.Second
	c, err := durable.Consumer(t.Context(), p.js, stream.Name, worker, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := c.CachedInfo().Config; c.AckWait != time.Second || c.Metadata["team"] != "search" || c.Metadata[durable.Mark] == "" {
		t.Errorf("%+v", c)
	}
}

// TestTogether has processes start at once over a stream that is not seen.
func TestTogether(t *testing.T) {
	t.Parallel()
	p := open(t)
	if _, err := durable.Stream(t.Context(), p.js, stream, nil); err != nil {
		t.Fatal(err)
	}
	p.publish(t, 10)
	c, err := durable.Consumer(t.Context(), p.js, stream.Name, consumer, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.work(t, c, 4)
	p.restart(t, p.loseSum(t), p.loseSum(t, consumer.Durable))
	var wg sync.WaitGroup
	for range 4 {
		_, js := natstest.Connect(t, p.s)
		for _, ensure := range makers {
			wg.Go(func() {
				if _, err := ensure(t.Context(), js, stream, nil); err != nil {
					t.Error(err)
				}
				if _, err := durable.Consumer(t.Context(), js, stream.Name, consumer, nil); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	for range 2 {
		p.restart(t)
		p.holds(t, 10)
		p.worked(t, 4)
	}
}

// TestRefused makes sure that what cannot be made says what to do.
func TestRefused(t *testing.T) {
	t.Parallel()
	p := open(t)
	says := func(what string, err error, words ...string) {
		t.Helper()
		for _, w := range words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v does not say %q", what, err, w)
			}
		}
	}
	if _, err := durable.Stream(t.Context(), p.js, stream, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := durable.Consumer(t.Context(), p.js, stream.Name, consumer, nil); err != nil {
		t.Fatal(err)
	}
	p.publish(t, 1)

	memory := stream
	memory.Storage = jetstream.MemoryStorage
	_, err := durable.Stream(t.Context(), p.js, memory, nil)
	says("another storage", err, "storage type", "delete the stream")
	twin := stream
	twin.Name = "TWIN"
	_, err = durable.Stream(t.Context(), p.js, twin, nil)
	says("the same subjects", err, "overlap", "another prefix")
	all := consumer
	all.AckPolicy = jetstream.AckAllPolicy
	_, err = durable.Consumer(t.Context(), p.js, stream.Name, all, nil)
	says("another ack policy", err, "ack policy", "delete consumer c of stream S")

	p.restart(t, p.loseSum(t, consumer.Durable), p.spoil(t, "o.dat", "nonsense", consumer.Durable))
	_, err = durable.Consumer(t.Context(), p.js, stream.Name, consumer, nil)
	says("a consumer that cannot be read", err, "stop the server and remove the folder S/obs/c")
	p.restart(t, func() {
		if err := os.RemoveAll(natstest.Kept(p.dir, stream.Name, consumer.Durable)); err != nil {
			t.Fatal(err)
		}
	})
	if _, err = durable.Consumer(t.Context(), p.js, stream.Name, consumer, nil); err != nil {
		t.Errorf("as told: %v", err)
	}

	p.restart(t, p.loseSum(t), p.spoil(t, "meta.key", "nonsense"))
	_, err = durable.Stream(t.Context(), p.js, stream, nil)
	says("a stream that cannot be read", err, "the server's log says why")
}
