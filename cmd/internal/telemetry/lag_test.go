package telemetry

import (
	"context"
	"log/slog"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
)

// figures returns the values of a metric, by their only label or by nothing.
func figures(t *testing.T, reg *prometheus.Registry, name string) map[string]float64 {
	t.Helper()
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() != name {
				continue
			}
			label := ""
			if len(m.GetLabel()) > 0 {
				label = m.GetLabel()[0].GetValue()
			}
			out[label] = m.GetGauge().GetValue()
		}
	}
	return out
}

// TestLagFigures holds that a process tells of every stage how many messages wait
// and for how long, and how far its clock is off; and that it tells nothing of it,
// at once, where the server is away.
func TestLagFigures(t *testing.T) {
	t.Parallel()
	nc, js := natstest.Connect(t, natstest.Server(t))
	l := log.New(js, messages.DefaultNames())
	t.Cleanup(l.Close)
	table := stages.Pipeline()
	if err := l.Ensure(t.Context(), log.Config{}, table); err != nil {
		t.Fatal(err)
	}
	for _, s := range table {
		if _, err := l.Consumer(t.Context(), log.Config{}, s); err != nil {
			t.Fatal(err)
		}
	}
	reg := prometheus.NewRegistry()
	index := &countedIndex{}
	reg.MustRegister(NewLagCollector(l, index, table, slog.New(slog.DiscardHandler)))
	now := time.Now()
	plan := &messages.Decompose{Head: messages.Head{ID: "q", Class: messages.Compound, Round: 1, Question: "whole?",
		Asked: now, Deadline: now.Add(time.Minute), Budget: messages.DefaultBudget()}}
	if err := l.Put(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	natstest.Eventually(t, "the message that waits is seen", func() bool { return figures(t, reg, "hopstream_stage_lag")["decomposer"] == 1 })
	ages := figures(t, reg, "hopstream_stage_lag_age_seconds")
	if len(ages) != len(table) || ages["decomposer"] <= 0 || ages["decomposer"] > time.Since(now).Seconds()+1 || ages["judge"] != 0 {
		t.Errorf("ages: %v", ages)
	}
	if off := figures(t, reg, "hopstream_clock_offset_seconds"); len(off) != 1 || math.Abs(off[""]) > 5 {
		t.Errorf("the clock of the same machine is off by %v", off)
	}
	if down := figures(t, reg, "hopstream_nats_replicas_down"); len(down) != 1 || down[""] != 0 {
		t.Errorf("copies down on a single server: %v", down)
	}
	if lag := figures(t, reg, "hopstream_index_lag"); lag[""] != 3 {
		t.Errorf("the index's lag: %v", lag)
	}
	nc.Close()
	asked := index.asked.Load()
	if lag := figures(t, reg, "hopstream_stage_lag"); len(lag) != 0 {
		t.Errorf("without a server: %v", lag)
	}
	if documents := figures(t, reg, "hopstream_index_documents"); documents[""] != 7 || index.asked.Load() != asked {
		t.Errorf("without a server: %v documents, the server asked for %d times", documents, index.asked.Load()-asked)
	}
}

// countedIndex is an index that counts how often it would ask the server.
type countedIndex struct{ asked atomic.Int32 }

func (*countedIndex) Documents() int      { return 7 }
func (*countedIndex) Passages() int       { return 9 }
func (*countedIndex) Lacks(uint64) string { return "" }
func (i *countedIndex) Lag(context.Context) (uint64, error) {
	i.asked.Add(1)
	return 3, nil
}
