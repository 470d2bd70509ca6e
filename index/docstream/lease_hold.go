package docstream

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

var errLost = errors.New("the lease was lost")

// hold runs fn until it returns, and reports whether the lease was lost
// meanwhile.
func (l *lease) hold(ctx context.Context, fn func(context.Context) error) (lost bool, err error) {
	run, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	l.opts.OnHeld(true)
	done := make(chan error, 1)
	go func() { done <- fn(run) }()
	next := time.NewTimer(time.Until(l.renewed.Add(l.ttl / 3)))
	defer next.Stop()
	for {
		select {
		case err := <-done:
			l.opts.OnHeld(false)
			l.release()
			return false, err
		case <-next.C:
		}
		// Also while fn is ending after ctx.
		ok, err := l.renew()
		switch {
		case ok:
			next.Reset(time.Until(l.renewed.Add(l.ttl / 3)))
		case errors.Is(err, errLost), time.Until(l.expires()) <= 0:
			l.opts.Logger.Warn("a lease is lost", "lease", l.key, "error", err)
			cancel(errLost)
			err = <-done
			l.opts.OnHeld(false)
			l.rev = 0
			return ctx.Err() == nil, err
		default:
			next.Reset(min(l.ttl/12, time.Until(l.expires())))
		}
	}
}

// expires is when the holder gives up, a little before the server does.
func (l *lease) expires() time.Time { return l.renewed.Add(l.ttl * 5 / 6) }

// renew gives the key its whole time again. The error is errLost if that
// cannot be.
func (l *lease) renew() (ok bool, err error) {
	sent := time.Now()
	limit := sent.Add(max(l.ttl/6, 20*time.Millisecond))
	if e := l.expires(); e.Before(limit) {
		limit = e
	}
	ctx, cancel := context.WithDeadline(context.Background(), limit)
	defer cancel()
	rev, err := l.kv.Update(ctx, l.key, l.value, l.rev)
	if conflict(err) {
		e, getErr := l.kv.Get(ctx, l.key)
		switch {
		case errors.Is(getErr, jetstream.ErrKeyNotFound), getErr == nil && string(e.Value()) != string(l.value):
			return false, errLost
		case getErr != nil:
			return false, getErr
		}
		// An earlier renewal came through, though its answer did not.
		l.rev = e.Revision()
		return false, err
	}
	if err != nil {
		return false, err
	}
	l.rev, l.renewed = rev, sent
	return true, nil
}

// release lets another have the lease at once.
func (l *lease) release() {
	if l.kv == nil || l.rev == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), max(l.ttl/6, 100*time.Millisecond))
	defer cancel()
	if err := l.kv.Delete(ctx, l.key, jetstream.LastRevision(l.rev)); err != nil {
		l.opts.Logger.Debug("a lease is not given back, and ends by itself", "lease", l.key, "error", err)
	}
	l.rev = 0
}

// conflict reports whether err says that the key is not at the revision it
// should be at.
func conflict(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyRevisionMismatch) ||
		errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}
