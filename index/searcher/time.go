package searcher

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// grace is how long a search may take, after its time is up, to return what it
// has. Whoever has not returned then is left behind.
const grace = time.Second

// limit is when a search's time is up.
type limit struct {
	at    time.Time // zero: never
	err   error     // of who does not return in that time
	cause error     // with which the contexts of roles end; nil: context.DeadlineExceeded
}

// limitKey is the key of a search's limit in its context.
type limitKey struct{}

// within returns a context for a search that has time until l: no role is asked
// after it, and stores have a moment more, so that what was found so far can be
// returned.
func within(ctx context.Context, l limit) (context.Context, context.CancelFunc) {
	return context.WithDeadline(context.WithValue(ctx, limitKey{}, l), l.at.Add(grace))
}

// asking returns the context in which a search asks roles: it ends when the
// search's time is up, a moment before ctx does.
func asking(ctx context.Context) (context.Context, context.CancelFunc) {
	l, ok := ctx.Value(limitKey{}).(limit)
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadlineCause(ctx, l.at, l.cause)
}

// leaving returns a context that ends a tenth of the time before ask does: what
// follows is short, but without it nothing is found.
func leaving(ask context.Context) (context.Context, context.CancelFunc) {
	end, ok := ask.Deadline()
	if !ok {
		return context.WithCancel(ask)
	}
	l, _ := ask.Value(limitKey{}).(limit)
	return context.WithDeadlineCause(ask, end.Add(-time.Until(end)/10), l.cause)
}

// asked asks a role, unless the time for that is up. A panic is the role's error.
func asked[T any](ctx context.Context, ask func(context.Context) (T, error)) (reply T, err error) {
	if ctx.Err() != nil {
		return reply, context.Cause(ctx)
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return ask(ctx)
}

// GiveUp is told what a search goes on without, such as "sparse refinement", and
// why. ctx is the search's own. It is called by several searches at once.
type GiveUp func(ctx context.Context, what string, err error)

// giveUp tells of an error that a search goes on without, be it that the time
// for it is up. Only when the caller has left is there an error to return.
func (g GiveUp) giveUp(ctx context.Context, what string, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	if g != nil {
		g(ctx, what, err)
	}
	return nil
}
