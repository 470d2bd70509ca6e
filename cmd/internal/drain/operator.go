package drain

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/cli"
)

// Workers answer within replyWait, and are asked again every askEvery. One that is
// draining and silent for silence is gone.
const (
	replyWait = time.Second
	askEvery  = 250 * time.Millisecond
	silence   = 5 * time.Second
)

// ErrNobody says that no worker that was asked for answers.
var ErrNobody = errors.New("no such worker answers: `hopstream drain --list` shows those that do; workers of releases before this one do not, and end on a signal")

// operator gathers what workers report.
type operator struct {
	conn    *broker.Conn
	inbox   string
	reports chan *nats.Msg
	known   map[string]Report
	heard   map[string]time.Time
}

// listen opens an inbox; stop closes it.
func listen(conn *broker.Conn) (o *operator, stop func(), err error) {
	o = &operator{conn: conn, inbox: conn.NC.NewInbox(), reports: make(chan *nats.Msg, 1024), known: map[string]Report{}, heard: map[string]time.Time{}}
	sub, err := conn.NC.ChanSubscribe(o.inbox, o.reports)
	if err != nil {
		return nil, nil, err
	}
	return o, func() { _ = sub.Unsubscribe() }, nil
}

func (o *operator) ask(q Request) error {
	b, err := json.Marshal(q)
	if err != nil {
		return err
	}
	return o.conn.NC.PublishRequest(o.conn.Names.Drain(), o.inbox, b)
}

// gather takes in reports for a while, or until ctx ends. Of workers that were not
// known before it takes note where more says so.
func (o *operator) gather(ctx context.Context, wait time.Duration, more bool) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case m := <-o.reports:
			var r Report
			if json.Unmarshal(m.Data, &r) != nil || r.Instance == "" {
				continue
			}
			old, known := o.known[r.Instance]
			if (known || more) && !old.ended() {
				o.known[r.Instance], o.heard[r.Instance] = r, time.Now()
			}
		case <-timer.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// all returns the reports in the order of the workers' names.
func (o *operator) all() []Report {
	return slices.SortedFunc(maps.Values(o.known), func(a, b Report) int { return cmp.Compare(a.Instance, b.Instance) })
}

// Workers returns what the workers that q chooses report; nothing is begun.
func Workers(ctx context.Context, conn *broker.Conn, q Request) ([]Report, error) {
	o, stop, err := listen(conn)
	if err != nil {
		return nil, err
	}
	defer stop()
	q.Begin = false
	if err := o.ask(q); err != nil {
		return nil, err
	}
	err = o.gather(ctx, replyWait, true)
	return o.all(), err
}

// Drain has the workers that q chooses end, and waits until all that answered have.
// say is called with the reports whenever one has changed. It fails with ErrNobody
// where none answers, and when ctx ends before they have.
func Drain(ctx context.Context, conn *broker.Conn, q Request, say func([]Report)) ([]Report, error) {
	o, stop, err := listen(conn)
	if err != nil {
		return nil, err
	}
	defer stop()
	q.Begin = true
	if err := o.ask(q); err != nil {
		return nil, err
	}
	if err := o.gather(ctx, replyWait, true); err != nil {
		return nil, err
	}
	if len(o.known) == 0 {
		return nil, ErrNobody
	}
	q.Begin = false
	for said := ""; ; {
		o.missing()
		all := o.all()
		if now := fmt.Sprint(all); now != said {
			say(all)
			said = now
		}
		left := slices.DeleteFunc(slices.Clone(all), Report.ended)
		if len(left) == 0 {
			return all, nil
		}
		err := o.ask(q)
		if err == nil {
			err = o.gather(ctx, askEvery, false)
		}
		if err != nil {
			return all, fmt.Errorf("%s not drained: %w", cli.Plural(len(left), "worker"), err)
		}
	}
}

// missing marks workers that have not been heard of for a while.
func (o *operator) missing() {
	for name, r := range o.known {
		if !r.ended() && time.Since(o.heard[name]) > silence {
			r.State, r.InFlight = Gone, 0
			o.known[name] = r
		}
	}
}
