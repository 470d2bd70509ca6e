package telemetry

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
	"hopstream/stages/storage"
)

// TestStorageMetrics holds that a scrape tells what is stored then, and leaves out
// what cannot be read.
func TestStorageMetrics(t *testing.T) {
	t.Parallel()
	r := natstest.NewRig(t, log.Config{}, stages.Pipeline())
	for _, id := range []string{"a", "b"} {
		if err := r.Log.Put(t.Context(), &messages.Answer{ID: id, Status: messages.Answered}); err != nil {
			t.Fatal(err)
		}
	}
	bounds := storage.Bounds{Answers: storage.Bound{Bytes: 5000}, Trace: storage.Bound{Bytes: 7000}}
	var gone error
	total := func(context.Context) (uint64, uint64, error) { return 123, 456, gone }
	reg := prometheus.NewRegistry()
	reg.MustRegister(NewStorageCollector(r.Log, bounds.Groups(), total, slog.New(slog.DiscardHandler)))
	const want = `
# HELP hopstream_jetstream_bytes Bytes that JetStream stores for this account, whatever they are.
# TYPE hopstream_jetstream_bytes gauge
hopstream_jetstream_bytes 123
# HELP hopstream_jetstream_limit_bytes Bytes that JetStream may store for this account; 0: as many as the server has, which it does not tell.
# TYPE hopstream_jetstream_limit_bytes gauge
hopstream_jetstream_limit_bytes 456
# HELP hopstream_storage_limit_bytes Bytes to which what is stored is trimmed; 0: it is not.
# TYPE hopstream_storage_limit_bytes gauge
hopstream_storage_limit_bytes{stream="answers"} 5000
hopstream_storage_limit_bytes{stream="dead"} 0
hopstream_storage_limit_bytes{stream="documents"} 0
hopstream_storage_limit_bytes{stream="questions"} 0
hopstream_storage_limit_bytes{stream="trace"} 7000
# HELP hopstream_storage_messages Messages stored.
# TYPE hopstream_storage_messages gauge
hopstream_storage_messages{stream="answers"} 2
hopstream_storage_messages{stream="dead"} 0
hopstream_storage_messages{stream="documents"} 0
hopstream_storage_messages{stream="questions"} 0
hopstream_storage_messages{stream="trace"} 0
`
	if err := testutil.GatherAndCompare(reg, strings.NewReader(want), "hopstream_jetstream_bytes", "hopstream_jetstream_limit_bytes", "hopstream_storage_limit_bytes", "hopstream_storage_messages"); err != nil {
		t.Error(err)
	}
	if problems, err := testutil.GatherAndLint(reg); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	gone = errors.New("away")
	if n, err := testutil.GatherAndCount(reg, "hopstream_storage_bytes", "hopstream_jetstream_bytes"); err != nil || n != 5 {
		t.Errorf("%d figures, %v", n, err)
	}
}

// TestStorageMetricsWithoutServer holds that a scrape asks nothing while no server is
// reached: it would wait in vain.
func TestStorageMetricsWithoutServer(t *testing.T) {
	t.Parallel()
	r := natstest.NewRig(t, log.Config{}, stages.Pipeline())
	r.Log.JetStream().Conn().Close()
	total := func(context.Context) (uint64, uint64, error) {
		t.Error("the server is asked")
		return 0, 0, nil
	}
	reg := prometheus.NewRegistry()
	reg.MustRegister(NewStorageCollector(r.Log, (&storage.Bounds{}).Groups(), total, slog.New(slog.DiscardHandler)))
	if n, err := testutil.GatherAndCount(reg); n != 0 || err != nil {
		t.Errorf("%d figures, %v", n, err)
	}
}
