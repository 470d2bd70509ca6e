package main

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/node"
	"hopstream/cmd/internal/serve"
	"hopstream/cmd/internal/telemetry"
	"hopstream/index"
	"hopstream/index/docstream"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
)

// slow is a store that takes in half of what it is given, and the rest when it
// is let.
type slow struct {
	node.Store
	half chan struct{} // closed when the first half is in
	let  chan struct{} // closed: everything
	once sync.Once
}

func newSlow() *slow { return &slow{half: make(chan struct{}), let: make(chan struct{})} }

func (s *slow) under(store node.Store) node.Store { s.Store = store; return s }

func (s *slow) Apply(ctx context.Context, docs []messages.Document, p index.Position) error {
	select {
	case <-s.let:
	default:
		n := len(docs) / 2
		if err := s.Store.Apply(ctx, docs[:n], index.Position{Stream: p.Stream, Sequence: p.Sequence - uint64(len(docs)-n)}); err != nil {
			return err
		}
		s.once.Do(func() { close(s.half) })
		select {
		case <-s.let:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return s.Store.Apply(ctx, docs, p)
}

// slowUp is up with a store of its own making.
func slowUp(t *testing.T, url, list string, s *slow, change ...func(*config.Config)) *cmdtest.Worker {
	t.Helper()
	data := t.TempDir()
	return cmdtest.Start(t, data, func(ctx context.Context, std cli.Stdio) int {
		a := &cli.App{Stdio: std, Config: config.Default()}
		a.Config.NATS.URL, a.Config.Data = url, data
		for _, c := range change {
			c(&a.Config)
		}
		a.Config.FillIn()
		table, err := a.Config.Table(list)
		if err == nil {
			a.Log, err = cli.NewLogger(std.Err, a.Config.Log, true)
		}
		if err == nil {
			err = serve.Run(ctx, a, serve.Options{Node: node.Options{Table: table, Registry: telemetry.NewRegistry(), Serves: true, Wrap: s.under}, HTTP: "127.0.0.1:0"})
		}
		if err != nil {
			fmt.Fprintln(std.Err, err)
			return 1
		}
		return 0
	})
}

const withoutRetriever = "router,decomposer,filter,aligner,generator,aggregator,judge"

// asker is a client beside the program.
type asker struct {
	t  *testing.T
	js jetstream.JetStream
	j  *log.Log
}

func newAsker(t *testing.T, url string) *asker {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	j := log.New(js, messages.DefaultNames())
	t.Cleanup(j.Close)
	return &asker{t, js, j}
}

func (a *asker) ask(id, question string, deadline time.Duration) {
	a.t.Helper()
	if err := a.j.Put(a.t.Context(), &messages.Question{ID: id, Question: question, Deadline: messages.Deadline{After: deadline}}); err != nil {
		a.t.Fatal(err)
	}
}

func (a *asker) answered(id string) bool {
	_, err := a.j.Answer(a.t.Context(), id)
	return err == nil
}

func (a *asker) answer(id string) (got *messages.Answer) {
	a.t.Helper()
	cmdtest.Eventually(a.t, "an answer to "+id, func() (ok bool) {
		var err error
		got, err = a.j.Answer(a.t.Context(), id)
		return err == nil
	})
	return got
}

// store publishes a document and returns its sequence.
func (a *asker) store(id, text string) uint64 {
	a.t.Helper()
	st, err := docstream.Publish(a.t.Context(), a.js, messages.DefaultNames(), func(yield func(messages.Document) bool) {
		yield(messages.Document{ID: id, Text: text})
	}, docstream.PublishOptions{})
	if err != nil {
		a.t.Fatal(err)
	}
	return st.LastSeq
}

func (a *asker) lag(stage string) log.Lag {
	a.t.Helper()
	table, err := stages.Select(stage)
	if err != nil {
		a.t.Fatal(err)
	}
	lag, err := a.j.Lag(a.t.Context(), table[0])
	if err != nil {
		a.t.Fatal(err)
	}
	return lag
}
