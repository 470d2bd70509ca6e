package storage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"hopstream/messages"
	"hopstream/stages/log"
)

// target is the share of its bound to which a group is trimmed, so that not every
// look drops a little.
const target = 0.9

// closed is the share of its bound beyond which a group closes the gate: what
// could be dropped is dropped by then, and the rest is needed.
const closed = 1.25

// Trimmer drops the oldest messages of what is over its bound. It is safe to have
// several, in any processes.
type Trimmer struct {
	log      *log.Log
	bounds   Bounds
	skew     time.Duration
	archived func(context.Context) (uint64, error)
	now      func() time.Time
	logger   *slog.Logger
}

// Options adjust a trimmer; zero fields take the defaults named.
type Options struct {
	Bounds Bounds
	// Archived returns the sequence of the last answer that was archived. Younger
	// ones are kept. Nil: answers are not archived, and may be dropped.
	Archived func(context.Context) (uint64, error)
	// Skew is how far the clocks of a cluster's servers may be apart: what was stored
	// less than that before an open question counts as its own. 30 s.
	Skew   time.Duration
	Now    func() time.Time // time.Now
	Logger *slog.Logger     // discarded
}

// New returns a trimmer of the streams of l.
func New(l *log.Log, o Options) *Trimmer {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Skew <= 0 {
		o.Skew = 30 * time.Second
	}
	return &Trimmer{log: l, bounds: o.Bounds, skew: o.Skew, archived: o.Archived, now: o.Now, logger: o.Logger}
}

// Trim looks at every group that has a bound and drops the oldest messages of
// those that hold more. It returns an error that says so if one is still far over
// its bound, since what it holds is needed; otherwise it fails as the log does.
func (t *Trimmer) Trim(ctx context.Context) error {
	settled, err := t.settled(ctx)
	if err != nil {
		return err
	}
	var full error
	for _, g := range t.bounds.Groups() {
		if g.Bound == (Bound{}) {
			continue
		}
		u, err := Read(ctx, t.log, g)
		if err != nil {
			return err
		}
		if u.Full() > 1 || t.aged(u) {
			if u, err = t.drop(ctx, u, settled); err != nil {
				return err
			}
		}
		if share := u.Full(); share > closed {
			full = errors.Join(full, fmt.Errorf("the %s hold %d bytes in %d messages, which is %.0f %% of their bound, and are needed", u.Name, u.Bytes, u.Messages, 100*share))
		}
	}
	return full
}

// settled is the time before which every stored message belongs to a question
// that has ended.
func (t *Trimmer) settled(ctx context.Context) (time.Time, error) {
	at := t.now()
	st, err := t.log.StreamState(ctx, messages.KindQuestion)
	if err != nil {
		return at, err
	}
	if st.Msgs > 0 && st.FirstTime.Before(at) {
		at = st.FirstTime
	}
	return at.Add(-t.skew), nil
}

// aged reports whether the group holds answers that are to be dropped for their
// age from here: the server does not, where they are archived first.
func (t *Trimmer) aged(u *Usage) bool {
	return u.Name == Answers && t.archived != nil && u.Bound.Age > 0 && !u.Oldest.IsZero() && t.now().Sub(u.Oldest) > u.Bound.Age
}

// drop removes the oldest messages of a group: as many as are too many, and none
// that is needed. It returns what the group holds then.
func (t *Trimmer) drop(ctx context.Context, u *Usage, settled time.Time) (*Usage, error) {
	cut, err := t.cut(ctx, u)
	if err != nil {
		return nil, err
	}
	if t.aged(u) {
		if by := t.now().Add(-u.Bound.Age); by.After(cut) {
			cut = by
		}
	}
	if settled.Before(cut) {
		cut = settled
	}
	if young := t.now().Add(-t.bounds.Least - t.skew); u.Name == Answers && young.Before(cut) {
		cut = young
	}
	for i, k := range u.Kinds {
		st := u.states[i]
		if st.Msgs == 0 || !st.FirstTime.Before(cut) {
			continue
		}
		seq, err := t.log.FirstSince(ctx, k, cut)
		if errors.Is(err, log.ErrNotFound) {
			seq, err = st.LastSeq+1, nil
		}
		if err == nil {
			seq, err = t.unarchived(ctx, k, seq)
		}
		if err != nil {
			return nil, err
		}
		if seq <= st.FirstSeq {
			continue
		}
		if err := t.log.DropBefore(ctx, k, seq); err != nil {
			return nil, err
		}
	}
	after, err := Read(ctx, t.log, u.Group)
	if err != nil {
		return nil, err
	}
	if n := u.Messages - min(u.Messages, after.Messages); n > 0 {
		level := slog.LevelDebug // traces come and go
		if u.Name != Trace {
			level = slog.LevelInfo
		}
		t.logger.Log(ctx, level, "the oldest messages were dropped, to keep within the bound", "of", u.Name, "messages", n, "before", cut)
	}
	return after, nil
}

// unarchived lowers seq to the first answer that is not archived.
func (t *Trimmer) unarchived(ctx context.Context, k messages.Kind, seq uint64) (uint64, error) {
	if k != messages.KindAnswer || t.archived == nil {
		return seq, nil
	}
	last, err := t.archived(ctx)
	return min(seq, last+1), err
}

// cut is the time before which as much is stored as is too much. All streams of a
// group are cut at the same time, so that a trace is there as a whole or not at
// all; where that is tells the stream with the most messages.
func (t *Trimmer) cut(ctx context.Context, u *Usage) (time.Time, error) {
	share := 1 - target/max(target, u.Full())
	if u.Full() <= 1 {
		return time.Time{}, nil
	}
	largest := 0
	for i, st := range u.states {
		if st.Msgs > u.states[largest].Msgs {
			largest = i
		}
	}
	st := u.states[largest]
	seq := st.FirstSeq + uint64(math.Round(share*float64(st.LastSeq-st.FirstSeq+1)))
	at, err := t.log.StoredAt(ctx, u.Kinds[largest], seq)
	if errors.Is(err, log.ErrNotFound) {
		return t.now(), nil
	}
	return at, err
}
