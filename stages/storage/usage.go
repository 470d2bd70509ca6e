package storage

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/stages/log"
)

// Usage is what a group holds.
type Usage struct {
	Group
	Bytes    uint64
	Messages uint64
	Oldest   time.Time // when the oldest message was stored; zero where there is none
	states   []jetstream.StreamState
}

// Read asks the server what a group holds. It fails as the log does.
func Read(ctx context.Context, l *log.Log, g Group) (*Usage, error) {
	u := &Usage{Group: g}
	for _, k := range g.Kinds {
		st, err := l.StreamState(ctx, k)
		if err != nil {
			return nil, err
		}
		u.Bytes += st.Bytes
		u.Messages += st.Msgs
		if st.Msgs > 0 && (u.Oldest.IsZero() || st.FirstTime.Before(u.Oldest)) {
			u.Oldest = st.FirstTime
		}
		u.states = append(u.states, st)
	}
	return u, nil
}

// Full returns the share of its bound that the group holds, in bytes or in
// messages, whichever is more; 0 where it has no bound.
func (u *Usage) Full() float64 {
	share := func(is, bound uint64) float64 {
		if bound == 0 {
			return 0
		}
		return float64(is) / float64(bound)
	}
	return max(share(u.Bytes, u.Bound.Bytes), share(u.Messages, u.Bound.Messages))
}
