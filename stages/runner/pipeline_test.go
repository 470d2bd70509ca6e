package runner_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/assembly"
	"hopstream/stages/client"
	"hopstream/stages/engine/scripted"
	"hopstream/stages/journal"
	"hopstream/stages/natstest"
	"hopstream/stages/runner"
)

// rig is a pipeline on a real server.
type rig struct {
	server  *server.Server
	journal *journal.Journal
	client  *client.Client
	follow  *client.Follower
	stop    func() // ends the first runner and waits for it
}

// quick is the table with short times, so that redeliveries do not take long.
func quick() []stages.Stage {
	table := stages.Pipeline()
	for i := range table {
		table[i].AckWait = 600 * time.Millisecond
		table[i].Attempts = 3
	}
	return table
}

func options() runner.Options {
	return runner.Options{Table: quick(), Sweep: 100 * time.Millisecond, Grace: 5 * time.Second,
		Policy: messages.Policy{Deadline: time.Minute}}
}

func newRig(t testing.TB, e *scripted.Engine, o runner.Options) *rig {
	t.Helper()
	r := &rig{server: natstest.Server(t)}
	_, js := natstest.Connect(t, r.server)
	r.journal = journal.New(js, messages.DefaultNames())
	t.Cleanup(r.journal.Close)
	r.client = client.New(r.journal)
	if err := r.journal.Ensure(t.Context(), o.Streams, o.Table); err != nil {
		t.Fatal(err)
	}
	r.stop = r.run(t, e, o)
	f, err := r.client.Follow(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	r.follow = f
	return r
}

// run starts a runner of all stages on a connection of its own.
func (r *rig) run(t testing.TB, e *scripted.Engine, o runner.Options) (stop func()) {
	t.Helper()
	_, js := natstest.Connect(t, r.server)
	j := journal.New(js, messages.DefaultNames())
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	ready := make(chan struct{})
	go func() {
		ended <- runner.New(j, o).Run(ctx, assembly.Logics(o.Table, assembly.Parts{Engine: e, Search: e, Branches: j}), func() { close(ready) })
	}()
	select {
	case <-ready:
	case err := <-ended:
		t.Fatal(err)
	}
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("run: %v", err)
		}
		j.Close()
	}
	t.Cleanup(stop)
	return stop
}

func (r *rig) ask(t testing.TB, q messages.Question) *messages.Answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	a, err := r.follow.Ask(ctx, r.client, &q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// eventually waits for a condition.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func passages(n int) []messages.Passage {
	var out []messages.Passage
	for i := range n {
		out = append(out, messages.Passage{ID: fmt.Sprintf("p%d", i), Title: "T", Text: "A text of some length about things.", Rank: i + 1})
	}
	return out
}

func classOf(question string) messages.Class {
	return messages.Class(strings.Fields(question)[0])
}

// fullEngine answers every class; the first word of a question is its class.
func fullEngine() *scripted.Engine {
	return &scripted.Engine{
		ClassifyFunc: func(_ context.Context, q string) (messages.Class, error) { return classOf(q), nil },
		SplitFunc: func(_ context.Context, q string) ([]string, error) {
			return []string{q + " a", q + " b", q + " c"}, nil
		},
		RefineFunc: func(_ context.Context, q string, pairs []messages.Pair) (string, error) {
			return fmt.Sprintf("%s #%d", q, len(pairs)+1), nil
		},
		SearchFunc: func(context.Context, string, int) ([]messages.Passage, error) { return passages(10), nil },
		AnswerFunc: func(_ context.Context, q string, w []messages.Window) (messages.Finding, error) {
			return messages.Finding{Text: "<" + q + ">", Confidence: 1, Sources: []messages.Source{{ID: w[0].Passage}}}, nil
		},
		EnoughFunc: func(_ context.Context, _ string, pairs []messages.Pair) (bool, error) { return len(pairs) >= 2, nil },
	}
}

func TestFourClasses(t *testing.T) {
	t.Parallel()
	r := newRig(t, fullEngine(), options())
	for _, c := range []struct {
		question, answer string
		steps, hops      int
	}{
		{"straightforward one", "yes", 0, 0},
		{"single one", "<single one>", 1, 1},
		{"compound one", "<compound one c>", 1, 3},
		{"complex one", "<complex one #2>", 2, 2},
	} {
		a := r.ask(t, messages.Question{Question: c.question})
		if a.Status != messages.Answered || a.Answer != c.answer || a.Steps != c.steps || len(a.Hops) != c.hops || a.Class != classOf(c.question) {
			t.Errorf("%s: %+v", c.question, a)
		}
		eventually(t, c.question+" is closed", func() bool {
			_, err := r.journal.Get(t.Context(), messages.KindQuestion, messages.Key{ID: a.ID})
			return errors.Is(err, journal.ErrNotFound)
		})
	}
}

func BenchmarkPipeline(b *testing.B) {
	for _, class := range messages.Classes() {
		b.Run(string(class), func(b *testing.B) {
			r := newRig(b, fullEngine(), options())
			b.ReportAllocs()
			b.ResetTimer()
			sem := make(chan struct{}, 256)
			for i := range b.N {
				sem <- struct{}{}
				go func() {
					defer func() { <-sem }()
					q := messages.Question{Question: string(class) + " q" + fmt.Sprint(i)}
					if _, err := r.follow.Ask(context.Background(), r.client, &q); err != nil {
						b.Error(err)
					}
				}()
			}
			for range cap(sem) {
				sem <- struct{}{}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "questions/s")
		})
	}
}
