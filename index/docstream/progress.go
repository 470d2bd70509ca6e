package docstream

import (
	"context"
	"fmt"
	"strconv"
)

// Progress is how far a store has read the document stream.
type Progress struct {
	// Applied is the sequence up to which the store holds every document.
	Applied uint64
	// Loading is set until the store has read up to End.
	Loading bool
	// End is the last sequence of the stream when its follower began, or when
	// the store was last emptied.
	End uint64
	// Interrupted says why the stream is not followed at present; it is empty
	// while it is. The stream may be another one by now.
	Interrupted string
	// Epoch changes whenever the store is emptied.
	Epoch uint64
}

// Lacks says what keeps the store from holding every document up to seq, as in
// "the index holds documents up to 10 of 11"; it is empty if nothing does.
func (p Progress) Lacks(seq uint64) string {
	switch {
	case p.Interrupted != "":
		return "the index does not follow the document stream: " + p.Interrupted
	case p.Loading:
		return fmt.Sprintf("the index is loading: documents up to %s of %s", Grouped(p.Applied), Grouped(max(p.End, seq)))
	case p.Applied < seq:
		return fmt.Sprintf("the index holds documents up to %s of %s", Grouped(p.Applied), Grouped(seq))
	}
	return ""
}

// Grouped is n for people: 43,158.
func Grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Progress returns how far the store is.
func (f *Follower) Progress() Progress {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.progress
}

// change changes the progress and tells who waits for it.
func (f *Follower) change(fn func(*Progress)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	fn(&f.progress)
	if f.progress.Applied >= f.progress.End {
		f.progress.Loading = false
	}
	close(f.changed)
	f.changed = make(chan struct{})
}

// begin notes that the store stands at seq in a stream that ends at last. A
// store that stands further back than it did was emptied.
func (f *Follower) begin(seq, last uint64) {
	f.change(func(p *Progress) {
		if seq < p.Applied {
			p.Epoch++
			p.Loading = true
		}
		p.Applied = seq
		if p.Loading {
			p.End = last
		}
	})
}

func (f *Follower) advance(seq uint64) {
	f.change(func(p *Progress) { p.Applied = seq })
}

// interrupted notes why the stream is not followed; nil means that it is.
func (f *Follower) interrupted(err error) {
	f.change(func(p *Progress) {
		p.Interrupted = ""
		if err != nil {
			p.Interrupted = err.Error()
		}
	})
}

// until waits for progress that is enough. A follower that sits idle while
// somebody waits looks whether the stream has ended further on.
func (f *Follower) until(ctx context.Context, enough func(Progress) bool) (Progress, error) {
	for nudged := false; ; {
		f.mu.Lock()
		p, changed := f.progress, f.changed
		f.mu.Unlock()
		if enough(p) {
			return p, nil
		}
		if !nudged {
			f.nudge()
			nudged = true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return p, ctx.Err()
		}
	}
}

// WaitFor returns when the store holds everything up to seq (as Publish
// reports it), or when ctx ends. seq must be one of the stream now followed:
// it means nothing across a stream that is made anew meanwhile.
func (f *Follower) WaitFor(ctx context.Context, seq uint64) error {
	p, err := f.until(ctx, func(p Progress) bool { return p.Applied >= seq })
	if err != nil {
		return fmt.Errorf("the index has read the document stream up to %d, waiting for %d: %w", p.Applied, seq, err)
	}
	return nil
}

// Ready returns when the stream is followed and the store is not loading, or
// with ctx's error.
func (f *Follower) Ready(ctx context.Context) error {
	_, err := f.until(ctx, func(p Progress) bool { return p.Interrupted == "" && !p.Loading })
	return err
}

// Reach returns when the store can be searched for what was stored up to seq:
// it is Ready and holds every document up to there. It also returns the store's
// progress: who searches and finds the same Epoch afterwards has searched a
// store that was whole. Its error is ctx's, and says what the store lacks.
func (f *Follower) Reach(ctx context.Context, seq uint64) (Progress, error) {
	p, err := f.until(ctx, func(p Progress) bool { return p.Lacks(seq) == "" })
	if err != nil {
		return p, fmt.Errorf("%s: %w", p.Lacks(seq), err)
	}
	return p, nil
}

// Epoch returns the store's present one; see Progress.
func (f *Follower) Epoch(context.Context) (uint64, error) { return f.Progress().Epoch, nil }

// Lag returns how many messages of the stream the store has not read yet: at
// most so many, since those replaced meanwhile are counted too.
func (f *Follower) Lag(ctx context.Context) (uint64, error) {
	s, err := f.js.Stream(ctx, f.stream)
	if err != nil {
		return 0, fmt.Errorf("lag of the index: %w", explain(err))
	}
	state, applied := s.CachedInfo().State, f.Progress().Applied
	if applied >= state.LastSeq {
		return 0, nil
	}
	return min(state.LastSeq-applied, state.Msgs), nil
}
