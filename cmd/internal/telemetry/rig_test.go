package telemetry_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/telemetry"
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

// rig is a pipeline whose processes export their spans to a receiver.
type rig struct {
	*natstest.Rig
	spans *cmdtest.Spans
	table []stages.Stage
}

func newRig(t *testing.T) *rig {
	t.Helper()
	table := stages.Pipeline()
	for i := range table {
		table[i].AckWait, table[i].Attempts = 600*time.Millisecond, 3
	}
	return &rig{natstest.NewRig(t, log.Config{}, table), cmdtest.ReceiveSpans(t), table}
}

// tracing starts the export of a process.
func (r *rig) tracing(t *testing.T, share float64) *telemetry.Tracing {
	t.Helper()
	// A batch that is full is sent at once; what is left, when the process ends.
	tr, err := telemetry.NewTracing(t.Context(), &config.TracingConfig{Endpoint: r.spans.URL, Sample: share}, "hopstream", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// process runs the named stages as a process of its own, until stop is called.
func (r *rig) process(t *testing.T, names string, share float64, e *scripted.Engine, change func(*runner.Options)) (stop func()) {
	t.Helper()
	_, js := natstest.Connect(t, r.Server)
	j := log.New(js, messages.DefaultNames())
	spans := r.tracing(t, share)
	o := runner.Options{Sweep: 100 * time.Millisecond, Grace: 5 * time.Second, Policy: messages.Policy{Deadline: time.Minute}, Tracer: spans.Of()}
	if change != nil {
		change(&o)
	}
	var rows []stages.Stage
	for _, s := range r.table {
		if strings.Contains(names, s.Name) {
			rows = append(rows, s)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended, ready := make(chan error, 1), make(chan struct{})
	logics := stages.Assemble(rows, stages.Parts{Engine: e, Search: retriever.Plain(e), Branches: j})
	go func() { ended <- runner.New(j, o).Run(ctx, logics, func() { close(ready) }) }()
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
		spans.Close()
	}
	t.Cleanup(stop)
	return stop
}

// The stages of two processes.
const (
	deciding = "router decomposer aggregator judge"
	finding  = "retriever filter aligner generator"
)

func (r *rig) ask(t *testing.T, q messages.Question) *messages.Answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	a, err := r.Follow.Ask(ctx, r.Client, &q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// sharing lets the questions of a process share work.
func (r *rig) sharing(o *runner.Options) { o.Share = work.New(r.Log, o.Streams, "", time.Now) }

// tree is the spans of one trace.
type tree struct {
	t     *testing.T
	spans []cmdtest.Span
}

// arrived returns a question's spans once ok says that they are all there. Every
// span must stand under one that is there, but for one.
func (r *rig) arrived(t *testing.T, traceparent string, ok func(tree) bool) tree {
	t.Helper()
	all := tree{t: t}
	defer func() {
		if t.Failed() {
			t.Log(all)
		}
	}()
	cmdtest.Eventually(t, "the spans of "+traceparent, func() bool {
		all.spans = r.spans.Of(traceparent)
		return ok(all)
	})
	roots, seen := 0, map[string]bool{}
	for _, s := range all.spans {
		if seen[string(s.SpanId)] {
			t.Errorf("%s arrived twice", s.Name)
		}
		seen[string(s.SpanId)] = true
	}
	for _, s := range all.spans {
		if len(s.ParentSpanId) == 0 {
			roots++
		} else if !seen[string(s.ParentSpanId)] {
			t.Errorf("%s stands under a span that did not arrive", s.Name)
		}
	}
	if roots != 1 {
		t.Errorf("%d spans stand under none", roots)
	}
	return all
}

// String draws the spans as they arrived.
func (all tree) String() string {
	var b strings.Builder
	for _, s := range all.spans {
		fmt.Fprintf(&b, "%s %s under %s: %v %s\n", hex.EncodeToString(s.SpanId), s.Name, hex.EncodeToString(s.ParentSpanId), s.GetStatus().GetCode(), s.GetStatus().GetMessage())
	}
	return b.String()
}

// named returns the spans of a name.
func (all tree) named(name string) (some []cmdtest.Span) {
	for _, s := range all.spans {
		if s.Name == name {
			some = append(some, s)
		}
	}
	return some
}

// count returns how many spans have a name.
func (all tree) count(name string) int { return len(all.named(name)) }

// path are the names of the deliveries from a span up to the first.
func (all tree) path(s cmdtest.Span) string {
	var names []string
	for at := &s; at != nil; {
		names = append(names, strings.TrimPrefix(at.Name, "process "))
		up := at.ParentSpanId
		at = nil
		for i := range all.spans {
			if string(all.spans[i].SpanId) == string(up) {
				at = &all.spans[i]
			}
		}
	}
	return strings.Join(names, " ")
}

// fullEngine answers every class; the first word of a question is its class.
func fullEngine() *scripted.Engine {
	return &scripted.Engine{
		SearchFunc: func(context.Context, string, int) ([]messages.Passage, error) {
			return []messages.Passage{{ID: "p", Title: "T", Text: "A text of some length about things.", Rank: 1}}, nil
		},
		Set: roles.Set{
			ClassifyFunc: func(_ context.Context, q string) (messages.Class, error) {
				return messages.Class(strings.Fields(q)[0]), nil
			},
			SplitFunc: func(_ context.Context, q string) ([]string, error) {
				return []string{q + " a", q + " b", q + " c"}, nil
			},
			PlanFunc: func(_ context.Context, q string) ([]string, error) {
				return []string{q + " 1", q + " 2, after $1"}, nil
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
