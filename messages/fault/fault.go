// Package fault classifies errors by what should happen next.
//
// Engines and indexes say which class an error has; only the runner acts on
// it. An error of no class is transient: it is tried again with backoff until
// the attempts are used up.
package fault

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Class is what should happen after an error.
type Class int

// The classes.
const (
	Transient   Class = iota // try again, with backoff
	Permanent                // trying again cannot help
	Cancelled                // nobody waits for the result any more
	Unavailable              // what is needed is away or busy: try again until it is back
)

// String returns the class's name.
func (c Class) String() string {
	return [...]string{"transient", "permanent", "cancelled", "unavailable"}[c]
}

type fault struct {
	class Class
	after time.Duration
	err   error
}

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

// AsPermanent marks err as one that trying again cannot mend. nil stays nil.
func AsPermanent(err error) error {
	if err == nil {
		return nil
	}
	return &fault{class: Permanent, err: err}
}

// Permanentf is AsPermanent of a formatted error.
func Permanentf(format string, args ...any) error {
	return AsPermanent(fmt.Errorf(format, args...))
}

// RetryAfter marks err as transient, not to be tried again before d.
func RetryAfter(err error, d time.Duration) error {
	if err == nil {
		return nil
	}
	return &fault{class: Transient, after: d, err: err}
}

// AsUnavailable marks err as one that is nobody's mistake but a service's that
// is away or busy; it does not count against a message's attempts. d is how
// long to wait before the next attempt, 0 for the caller's own backoff. nil
// stays nil.
func AsUnavailable(err error, d time.Duration) error {
	if err == nil {
		return nil
	}
	return &fault{class: Unavailable, after: d, err: err}
}

// Of returns err's class, and how long to wait before the next attempt (0:
// the caller's own backoff).
func Of(err error) (Class, time.Duration) {
	if f, ok := errors.AsType[*fault](err); ok {
		return f.class, f.after
	}
	if errors.Is(err, context.Canceled) {
		return Cancelled, 0
	}
	return Transient, 0
}
