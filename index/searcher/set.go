package searcher

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// Member is one way of searching in a Set.
type Member struct {
	Name     string // as results, figures and reasons name it
	Searcher        // asked
	// Timeout is how long it may take, at most, to find what it returns; 0 means
	// as long as the caller's time allows.
	Timeout time.Duration
}

// What can become of a member's search.
const (
	OutcomeOK      = "ok"
	OutcomeEmpty   = "empty" // no error, and no passage
	OutcomeFailed  = "failed"
	OutcomeTimeout = "timeout"
)

// SetOptions adjust a Set.
type SetOptions struct {
	// Depth is how many passages each of several members is asked for, at least
	// its share of those wanted; 0 means as many as are wanted. One that is low in
	// each list may be high when the lists are fused.
	Depth int
	// Deadline returns by when a search should have returned what it has, if its
	// caller's context knows; nil means that only the context's own end bounds it.
	Deadline func(ctx context.Context) (t time.Time, ok bool)
	// Late is the cause with which the contexts of roles end by then; nil means
	// context.DeadlineExceeded.
	Late error
	// Begin returns the context of a member's search; nil: the caller's.
	Begin func(ctx context.Context) context.Context
	// Observe is told what became of each member's search and how long it
	// took, with the search's context; searches that the caller gave up are left
	// out. It is called by several searches at once.
	Observe func(ctx context.Context, name, outcome string, took time.Duration)
}

// Set asks several searchers side by side and makes one list of theirs.
type Set struct {
	members []Member
	by      [][]string // each member's name as a list of its own
	opts    SetOptions
}

// NewSet returns the set of members. Their order decides nothing but the order
// in which failures are told.
func NewSet(members []Member, o SetOptions) *Set {
	s := &Set{members: members, opts: o}
	for _, m := range members {
		s.by = append(s.by, []string{m.Name})
	}
	return s
}

// Search returns the k best passages of all members, fused by reciprocal rank.
// A single member's keep its scores and its order. By tells of each passage who
// found it; passages share these lists, so nobody may write to them. Queries are
// what members searched for in place of query.
//
// When a member's time is up it asks no further role and returns what it has. One
// that has not returned a second later, whether or not it minds its context, is
// left behind.
//
// A member that fails, panics or is too slow is told in Degraded. Only when
// that is true of every one does the search fail: unavailable if any of them
// is away, busy or slow, permanent if all of them failed for good, otherwise
// to be tried again. It fails with ctx's error when ctx ends.
func (s *Set) Search(ctx context.Context, query string, k int) (messages.Found, error) {
	if len(s.members) == 0 {
		return messages.Found{}, fault.Permanentf("no searcher is configured")
	}
	replies := s.ask(ctx, query, s.each(k))
	if err := ctx.Err(); err != nil {
		return messages.Found{}, err
	}
	for i := range replies {
		s.observe(&replies[i])
	}
	return s.merge(replies, k)
}

// reply is what a member's search came to.
type reply struct {
	member   int
	passages []messages.Passage
	queries  []string // searched for in place of the caller's
	err      error
	slow     bool // err says so
	took     time.Duration
	ctx      context.Context // the search's
}

func (s *Set) observe(r *reply) {
	outcome := OutcomeOK
	switch {
	case r.slow:
		outcome = OutcomeTimeout
	case r.err != nil:
		outcome = OutcomeFailed
	case len(r.passages) == 0:
		outcome = OutcomeEmpty
	}
	if s.opts.Observe != nil {
		s.opts.Observe(r.ctx, s.members[r.member].Name, outcome, r.took)
	}
}

// errSlow is the error of a member that took longer than it may, however it says
// so; errNoTime that of one for which the caller had no time left.
var (
	errSlow   = fault.AsUnavailable(errors.New("timeout"), 0)
	errNoTime = fault.AsUnavailable(errors.New(messages.NoTime), 0)
)

// limit returns the earliest of the member's own limit, the caller's deadline, and
// a moment before the caller's context ends; now where that has passed, so that
// stores are searched all the same.
func (s *Set) limit(ctx context.Context, i int, now time.Time) (l limit) {
	if timeout := s.members[i].Timeout; timeout > 0 {
		l = limit{now.Add(timeout), errSlow, nil}
	}
	sooner := func(t time.Time) {
		if t.Before(now) {
			t = now
		}
		if l.at.IsZero() || t.Before(l.at) {
			l = limit{t, errNoTime, s.opts.Late}
		}
	}
	if s.opts.Deadline != nil {
		if t, ok := s.opts.Deadline(ctx); ok {
			sooner(t)
		}
	}
	if end, ok := ctx.Deadline(); ok {
		sooner(end.Add(-min(grace, end.Sub(now)/4)))
	}
	return l
}

// each is how many passages a member is asked for.
func (s *Set) each(k int) int {
	n := len(s.members)
	if n == 1 || s.opts.Depth <= 0 {
		return k
	}
	return max(s.opts.Depth, k/n+min(1, k%n))
}

// ask asks all members at once and returns a reply of each, in their order,
// or when ctx ends. A member that does not return in time is left behind: its
// goroutine ends when it does.
func (s *Set) ask(ctx context.Context, query string, k int) []reply {
	replies := make([]reply, len(s.members))
	start := time.Now()
	limits := make([]limit, len(s.members))
	bounded := false
	for i := range limits {
		limits[i] = s.limit(ctx, i, start)
		bounded = bounded || !limits[i].at.IsZero()
	}
	if len(s.members) == 1 && !bounded {
		replies[0] = s.call(s.begin(ctx), 0, query, k, errSlow)
		return replies
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ends := make([]context.Context, len(s.members))
	done := make([]chan reply, len(s.members))
	for i, l := range limits {
		member := s.begin(ctx)
		if !l.at.IsZero() {
			limited, cancel := within(member, l)
			defer cancel()
			member = limited
		}
		ends[i], done[i] = member, make(chan reply, 1)
		go func() { done[i] <- s.call(member, i, query, k, l.err) }()
	}
	for i := range replies {
		r := &replies[i]
		select {
		case *r = <-done[i]:
		case <-ends[i].Done():
			select {
			case *r = <-done[i]: // while another was waited for
			default:
				*r = reply{member: i, err: limits[i].err, slow: true, took: time.Since(start), ctx: ends[i]}
			}
		}
	}
	return replies
}

// begin returns the context of a member's search.
func (s *Set) begin(ctx context.Context) context.Context {
	if s.opts.Begin == nil {
		return ctx
	}
	return s.opts.Begin(ctx)
}

// call asks one member, and makes an error of its panic: the caller's own
// recovery cannot see other goroutines. late is its error if its time ran out.
func (s *Set) call(ctx context.Context, i int, query string, k int, late error) (r reply) {
	start := time.Now()
	defer func() {
		if p := recover(); p != nil {
			r.err = fmt.Errorf("panic: %v", p)
		}
		if r.err != nil {
			r.passages = nil
			if ctx.Err() != nil || errors.Is(r.err, context.DeadlineExceeded) {
				r.err, r.slow = cmp.Or(late, errSlow), true
			}
		}
		r.member, r.took, r.ctx = i, time.Since(start), ctx
	}()
	if m, ok := s.members[i].Searcher.(Telling); ok {
		r.passages, r.queries, r.err = m.SearchTold(ctx, query, k)
	} else {
		r.passages, r.err = s.members[i].Search(ctx, query, k)
	}
	return r
}
