package log_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
)

// TestLagAge holds that the age of a stage's lag is that of the oldest message
// that is not settled, by the server's clock, also where the one before it was
// removed, and that there is none where nothing waits.
func TestLagAge(t *testing.T) {
	t.Parallel()
	c := log.Config{}
	j, _ := open(t, c)
	stage := stages.Pipeline()[1] // the decomposer
	consumer, err := j.Consumer(t.Context(), c, stage)
	if err != nil {
		t.Fatal(err)
	}
	age := func() (time.Duration, log.Lag) {
		t.Helper()
		lag, err := j.Lag(t.Context(), stage)
		if err != nil {
			t.Fatal(err)
		}
		age, err := j.LagAge(t.Context(), stage, lag)
		if err != nil {
			t.Fatal(err)
		}
		return age, lag
	}
	if a, lag := age(); a != 0 || time.Since(lag.At()).Abs() > time.Minute {
		t.Errorf("nothing waits, for %v, at %v", a, lag.At())
	}
	for i := range 3 {
		put(t, j, &messages.Decompose{Head: head(i+1, 0, 0)})
	}
	stream, err := j.JetStream().Stream(t.Context(), j.Names().Stream(stage.Input))
	if err != nil {
		t.Fatal(err)
	}
	holds := func(name string, oldest uint64) {
		t.Helper()
		a, lag := age()
		m, err := stream.GetMsg(t.Context(), oldest)
		if err != nil {
			t.Fatal(err)
		}
		if want := lag.At().Sub(m.Time); a != want || a <= 0 {
			t.Errorf("%s: %v, want %v", name, a, want)
		}
	}
	holds("none is delivered", 1)
	batch, err := consumer.Fetch(3, jetstream.FetchMaxWait(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	var got []jetstream.Msg
	for m := range batch.Messages() {
		got = append(got, m)
	}
	if len(got) != 3 {
		t.Fatal(fmt.Sprint(len(got), " messages"))
	}
	holds("all are delivered", 1)
	for _, m := range got[:1] {
		if err := m.DoubleAck(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	holds("the first is settled", 2)
	if err := stream.DeleteMsg(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	holds("the second is removed", 3)
}

// TestLagOfLanes holds that what waits in any lane counts into the stage's lag and
// its age, that what another consumer of the stream has yet to read does not, and
// that a settled question which stands between makes the lag no older.
func TestLagOfLanes(t *testing.T) {
	t.Parallel()
	c := log.Config{Fair: true}
	j, _ := open(t, c)
	stage := stages.Pipeline()[0] // the router
	lanes := []messages.Lane{{}, messages.NewLane("acme", messages.Interactive), messages.NewLane("acme", messages.Bulk)}
	var consumers []jetstream.Consumer
	for _, lane := range lanes {
		consumer, err := j.LaneConsumer(t.Context(), c, stage, lane)
		if err != nil {
			t.Fatal(err)
		}
		consumers = append(consumers, consumer)
	}
	stream, err := j.JetStream().Stream(t.Context(), j.Names().Stream(stage.Input))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.CreateConsumer(t.Context(), jetstream.ConsumerConfig{Durable: "somebody"}); err != nil {
		t.Fatal(err)
	}
	// The bulk question was stored first, and waits longest.
	for i, lane := range []int{2, 1, 0, 1} {
		tenant, p := lanes[lane].Of()
		q := &messages.Question{ID: fmt.Sprint("q", i), Question: "whole?", Tenant: tenant, Priority: p}
		put(t, j, q)
	}
	holds := func(name string, n, oldest uint64) {
		t.Helper()
		lag, err := j.Lag(t.Context(), stage)
		if err != nil || lag.Total() != n || time.Since(lag.At()).Abs() > time.Minute {
			t.Errorf("%s: lag %+v, %v; want %d", name, lag, err, n)
		}
		age, err := j.LagAge(t.Context(), stage, lag)
		if err != nil {
			t.Fatal(err)
		}
		var want time.Duration
		if oldest > 0 {
			m, err := stream.GetMsg(t.Context(), oldest)
			if err != nil {
				t.Fatal(err)
			}
			want = lag.At().Sub(m.Time)
		}
		if age != want || oldest > 0 && age <= 0 {
			t.Errorf("%s: %v old, want %v", name, age, want)
		}
	}
	settle := func(lane int) {
		t.Helper()
		m, err := consumers[lane].Next(jetstream.FetchMaxWait(10 * time.Second))
		if err == nil {
			err = m.DoubleAck(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	natstest.Eventually(t, "the consumers to count what was stored", func() bool {
		lag, err := j.Lag(t.Context(), stage)
		return err == nil && lag.Total() == 4
	})
	holds("all wait", 4, 1)
	settle(1)
	holds("the bulk question is still the oldest", 3, 1)
	settle(2)
	holds("the first two are settled, and open", 2, 3)
	settle(0)
	holds("the last waits", 1, 4)
	settle(1)
	holds("none waits", 0, 0)
}
