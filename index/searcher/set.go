package searcher

import (
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
	// Timeout is how long it may take, whether or not it minds its context;
	// 0 means as long as the caller waits.
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
	// Observe is told what became of each member's search and how long it
	// took; searches that the caller gave up are left out. It is called by
	// several searches at once.
	Observe func(name, outcome string, took time.Duration)
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
// found it; passages share these lists, so nobody may write to them.
//
// A member that fails, panics or is too slow is told in Degraded. Only when
// that is true of every one does the search fail: unavailable if any of them
// is away, busy or slow, permanent if all of them failed for good, otherwise
// to be tried again. It fails with ctx's error when ctx ends.
func (s *Set) Search(ctx context.Context, query string, k int) (messages.Found, error) {
	if len(s.members) == 0 {
		return messages.Found{}, fault.Permanentf("no searcher is configured")
	}
	replies := s.ask(ctx, query, k)
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
	err      error
	slow     bool // err says so
	took     time.Duration
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
		s.opts.Observe(s.members[r.member].Name, outcome, r.took)
	}
}

// ask asks all members at once and returns a reply of each, in their order,
// or when ctx ends. A member that does not return in time is left behind: its
// goroutine ends when it does.
func (s *Set) ask(ctx context.Context, query string, k int) []reply {
	replies := make([]reply, len(s.members))
	if len(s.members) == 1 && s.members[0].Timeout <= 0 {
		replies[0] = s.call(ctx, 0, query, k)
		return replies
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	start := time.Now()
	limits := make([]context.Context, len(s.members))
	done := make([]chan reply, len(s.members))
	for i, m := range s.members {
		limits[i], done[i] = ctx, make(chan reply, 1)
		if m.Timeout > 0 {
			limit, cancel := context.WithTimeout(ctx, m.Timeout)
			defer cancel()
			limits[i] = limit
		}
		go func() { done[i] <- s.call(limits[i], i, query, k) }()
	}
	for i := range replies {
		r := &replies[i]
		select {
		case *r = <-done[i]:
		case <-limits[i].Done():
			select {
			case *r = <-done[i]: // while another was waited for
			default:
				*r = reply{member: i, err: errSlow, slow: true, took: time.Since(start)}
			}
		}
	}
	return replies
}

// errSlow is the error of a member whose time was up, however it says so.
var errSlow = fault.AsUnavailable(errors.New("timeout"), 0)

// call asks one member, and makes an error of its panic: the caller's own
// recovery cannot see other goroutines.
func (s *Set) call(ctx context.Context, i int, query string, k int) (r reply) {
	start := time.Now()
	defer func() {
		if p := recover(); p != nil {
			r.err = fmt.Errorf("panic: %v", p)
		}
		if r.err != nil {
			r.passages = nil
			if ctx.Err() != nil || errors.Is(r.err, context.DeadlineExceeded) {
				r.err, r.slow = errSlow, true
			}
		}
		r.member, r.took = i, time.Since(start)
	}()
	r.passages, r.err = s.members[i].Search(ctx, query, k)
	return r
}
