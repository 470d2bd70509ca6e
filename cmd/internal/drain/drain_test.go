package drain_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/drain"
	"hopstream/messages"
	"hopstream/stages/natstest"
)

func connect(t *testing.T, url string) *broker.Conn {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return &broker.Conn{NC: nc, Names: messages.DefaultNames()}
}

// worker is one that has n messages in flight.
func worker(t *testing.T, conn *broker.Conn, name string, n *atomic.Int64, stages ...string) *drain.Worker {
	t.Helper()
	w, err := drain.NewWorker(conn.NC, conn.Names.Drain(), drain.Report{Instance: name, Stages: stages}, func() int { return int(n.Load()) })
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.NC.Flush(); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestDrainFollowsTheWork holds that whoever drains is told what is in flight until
// the worker has ended, and not before, and that workers which were not chosen are
// not asked.
func TestDrainFollowsTheWork(t *testing.T) {
	t.Parallel()
	url := natstest.Server(t).ClientURL()
	conn, inFlight, none := connect(t, url), new(atomic.Int64), new(atomic.Int64)
	inFlight.Store(3)
	a := worker(t, conn, "a", inFlight, "retriever")
	b := worker(t, conn, "b", none, "retriever", "filter")
	var said [][]drain.Report
	all, err := drain.Drain(t.Context(), connect(t, url), drain.Request{Stages: []string{"retriever"}}, func(now []drain.Report) {
		said = append(said, now)
		switch now[0].InFlight {
		case 3:
			inFlight.Store(1)
		case 1:
			inFlight.Store(0)
		case 0:
			if now[0].State == drain.Draining {
				go a.Ended() // ends with its last report
			}
		}
	})
	if err != nil || len(all) != 1 || all[0].Instance != "a" || all[0].State != drain.Drained {
		t.Fatalf("%+v, %v", all, err)
	}
	var counts []int
	for _, now := range said[:len(said)-1] {
		counts = append(counts, now[0].InFlight)
		if now[0].State != drain.Draining {
			t.Errorf("drained while it had work: %+v", now)
		}
	}
	if !slices.Equal(counts, []int{3, 1, 0}) {
		t.Errorf("in flight: %v", counts)
	}
	select {
	case <-b.Asked:
		t.Error("a worker with other stages was asked to end")
	default:
	}
}

// TestDrainGivesUp holds that waiting ends with its time, and says for what, and that
// asking nobody fails.
func TestDrainGivesUp(t *testing.T) {
	t.Parallel()
	url := natstest.Server(t).ClientURL()
	conn := connect(t, url)
	if _, err := drain.Drain(t.Context(), conn, drain.Request{}, nil); !errors.Is(err, drain.ErrNobody) {
		t.Errorf("%v", err)
	}
	n := new(atomic.Int64)
	n.Store(1)
	worker(t, connect(t, url), "slow", n, "generator")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	all, err := drain.Drain(ctx, conn, drain.Request{}, func([]drain.Report) {})
	if !errors.Is(err, context.DeadlineExceeded) || len(all) != 1 || all[0].State != drain.Draining {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestDeadWorkerIsGone holds that nobody waits for a worker that dies while it drains.
func TestDeadWorkerIsGone(t *testing.T) {
	t.Parallel()
	url := natstest.Server(t).ClientURL()
	own := connect(t, url)
	worker(t, own, "dying", new(atomic.Int64), "judge")
	all, err := drain.Drain(t.Context(), connect(t, url), drain.Request{}, func([]drain.Report) { own.NC.Close() })
	if err != nil || len(all) != 1 || all[0].State != drain.Gone {
		t.Errorf("%+v, %v", all, err)
	}
}
