package runner_test

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/engine/roles"
	"hopstream/stages/engine/scripted"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
	"hopstream/stages/retriever"
	"hopstream/stages/runner"
	"hopstream/stages/work"
)

// TestMain lets more tests run at once than there are cores: they wait more
// than they compute.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(max(6, runtime.GOMAXPROCS(0)))); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// rig is a pipeline on a real server.
type rig struct {
	*natstest.Rig
	worker *worker // the first one
}

// worker is one process of the pipeline: a runner on its own connection.
type worker struct {
	conn *nats.Conn
	stop func() // ends it and waits for it
	kill func() // cuts its connection at once, and then ends it
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

// setup is a runner's options and the table of its stages.
type setup struct {
	runner.Options
	Table []stages.Stage
	Share bool // work on sub-queries, between all workers
}

func options() setup {
	return setup{Table: quick(), Options: runner.Options{Sweep: 100 * time.Millisecond, Grace: 5 * time.Second,
		Admission: runner.AdmissionOptions{Fair: true},
		Policy:    messages.Policy{Deadline: time.Minute}}}
}

// newRig returns a rig with one worker of all stages.
func newRig(t testing.TB, e *scripted.Engine, o setup) *rig {
	t.Helper()
	r := idleRig(t, o)
	r.worker = r.run(t, e, o)
	return r
}

// idleRig returns a rig without a worker.
func idleRig(t testing.TB, o setup) *rig {
	t.Helper()
	return &rig{Rig: natstest.NewRig(t, o.Streams, o.Table)}
}

// run starts a worker of all stages in the table.
func (r *rig) run(t testing.TB, e *scripted.Engine, o setup) *worker {
	t.Helper()
	return r.runLogics(t, o, func(j *log.Log) []stages.Logic {
		return stages.Assemble(o.Table, stages.Parts{Engine: e, Search: retriever.Plain(e), Branches: j})
	})
}

func (r *rig) runLogics(t testing.TB, o setup, logics func(*log.Log) []stages.Logic) *worker {
	t.Helper()
	nc, js := natstest.Connect(t, r.Server)
	j := log.New(js, messages.DefaultNames())
	if o.Share {
		o.Options.Share = work.New(j, o.Streams, "", time.Now)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	ready := make(chan struct{})
	go func() {
		ended <- runner.New(j, o.Options).Run(ctx, logics(j), func() { close(ready) })
	}()
	select {
	case <-ready:
	case err := <-ended:
		t.Fatal(err)
	}
	stopped := false
	w := &worker{conn: nc}
	w.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("run: %v", err)
		}
		j.Close()
		nc.Close()
	}
	w.kill = func() {
		nc.Close()
		w.stop()
	}
	t.Cleanup(w.stop)
	return w
}

func (r *rig) ask(t testing.TB, q messages.Question) *messages.Answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	a, err := r.Follow.Ask(ctx, r.Client, &q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// submit stores a question and returns its ID.
func (r *rig) submit(t testing.TB, q messages.Question) string {
	t.Helper()
	if a, err := r.Client.Submit(t.Context(), &q); err != nil || a != nil {
		t.Fatal(a, err)
	}
	return q.ID
}

// answer waits for a question's answer. If there is none, it logs what the streams
// hold of the question.
func (r *rig) answer(t testing.TB, id string) (a *messages.Answer) {
	t.Helper()
	defer func() {
		if a == nil {
			r.show(t, id)
		}
	}()
	natstest.Eventually(t, "an answer to "+id, func() bool {
		var err error
		a, err = r.Log.Answer(t.Context(), id)
		return err == nil
	})
	return a
}

// show logs what the streams hold of a question, and what their consumers wait for.
func (r *rig) show(t testing.TB, id string) {
	ctx := context.WithoutCancel(t.Context())
	js, err := jetstream.New(r.Conn)
	if err != nil {
		t.Fatal(err)
	}
	for name := range js.StreamNames(ctx).Name() {
		s, err := js.Stream(ctx, name)
		if err != nil {
			t.Log(name, err)
			continue
		}
		info, err := s.Info(ctx, jetstream.WithSubjectFilter(">"))
		if err != nil {
			t.Log(name, err)
			continue
		}
		for subject := range info.State.Subjects {
			if strings.Contains(subject+".", "."+id+".") {
				t.Log("stored:", subject)
			}
		}
		for c := range s.ListConsumers(ctx).Info() {
			t.Logf("%s %s: %d pending, %d unacknowledged, %d again, delivered %d, floor %d, stream %d to %d",
				name, c.Name, c.NumPending, c.NumAckPending, c.NumRedelivered, c.Delivered.Stream, c.AckFloor.Stream, info.State.FirstSeq, info.State.LastSeq)
		}
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
		SearchFunc: func(context.Context, string, int) ([]messages.Passage, error) { return passages(10), nil },
		Set: roles.Set{
			ClassifyFunc: func(_ context.Context, q string) (messages.Class, error) { return classOf(q), nil },
			SplitFunc: func(_ context.Context, q string) ([]string, error) {
				return []string{q + " a", q + " b", q + " c"}, nil
			},
			RefineFunc: func(_ context.Context, q string, pairs []messages.Pair) (string, error) {
				return fmt.Sprintf("%s #%d", q, len(pairs)+1), nil
			},
			AnswerFunc: func(_ context.Context, q string, w []messages.Window) (messages.Finding, error) {
				return messages.Finding{Text: "<" + q + ">", Confidence: 1, Sources: []messages.Source{{ID: w[0].Passage}}}, nil
			},
			EnoughFunc: func(_ context.Context, _ string, pairs []messages.Pair) (bool, error) { return len(pairs) >= 2, nil },
		},
	}
}
