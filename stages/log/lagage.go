package log

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/stages"
)

// At is when the server counted the lag, by the server's clock. It is zero for
// a stage whose consumer does not exist yet.
func (l Lag) At() time.Time { return l.at }

// backlog is what one consumer has yet to finish: messages of these subjects after
// floor, up to which all is settled.
type backlog struct {
	floor    uint64
	subjects []string
}

// add counts what a consumer has yet to finish.
func (l *Lag) add(i *jetstream.ConsumerInfo) {
	l.Pending += i.NumPending
	l.AckPending += i.NumAckPending
	l.Redelivers += i.NumRedelivered
	l.Waiting += i.NumWaiting
	l.Down = max(l.Down, copiesDown(i.Cluster))
	if i.TimeStamp.After(l.at) {
		l.at = i.TimeStamp
	}
	if i.NumPending == 0 && i.NumAckPending == 0 {
		return
	}
	subjects := i.Config.FilterSubjects
	if len(subjects) == 0 {
		subjects = []string{cmp.Or(i.Config.FilterSubject, ">")}
	}
	l.behind = append(l.behind, backlog{i.AckFloor.Stream, subjects})
}

// LagAge returns how long ago the oldest message was stored that stage s has not
// finished, at the moment of its lag; both times are the server's. It is zero
// where nothing waits. It costs one request, at most two for each lane in which
// questions wait, and none where nothing waits.
func (l *Log) LagAge(ctx context.Context, s stages.Stage, lag Lag) (time.Duration, error) {
	if len(lag.behind) == 0 {
		return 0, nil
	}
	stream, err := l.js.Stream(ctx, l.names.Stream(s.Input))
	if err != nil {
		return 0, fmt.Errorf("lag age of %s: %w", s.Name, err)
	}
	var oldest *jetstream.RawStreamMsg
	for _, b := range slices.SortedFunc(slices.Values(lag.behind), func(x, y backlog) int { return cmp.Compare(x.floor, y.floor) }) {
		if oldest != nil && b.floor >= oldest.Sequence {
			break // all that waits there was stored later
		}
		for _, subject := range b.subjects {
			// The message after the floor may have been removed: the next one counts.
			m, err := stream.GetMsg(ctx, b.floor+1, jetstream.WithGetMsgSubject(subject))
			if errors.Is(err, jetstream.ErrMsgNotFound) {
				continue // settled or removed since
			}
			if err != nil {
				return 0, fmt.Errorf("lag age of %s: %w", s.Name, err)
			}
			if oldest == nil || m.Sequence < oldest.Sequence {
				oldest = m
			}
		}
	}
	if oldest == nil {
		return 0, nil
	}
	return max(0, lag.at.Sub(oldest.Time)), nil
}

// copiesDown counts the followers that are away, or lack what the leader has.
func copiesDown(c *jetstream.ClusterInfo) int {
	n := 0
	if c != nil {
		for _, r := range c.Replicas {
			if r.Offline || !r.Current {
				n++
			}
		}
	}
	return n
}
