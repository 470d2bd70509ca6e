package docstream

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	mathrand "math/rand/v2"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// A lease lets one process at a time do what all could do, such as fill a
// store that they share. It is a key in a bucket whose entries end by
// themselves:
//
//	acquire   create the key, or watch it until it is gone or was not renewed
//	hold      run, renewing the key at every third of its time (lease_hold.go)
//	          lost, or not renewed when its time is nearly over: end the run, acquire again
//	release   once the run has ended, delete the key
//
// A holder counts its time from before it sent a renewal, and so gives up
// before the server lets another have the lease. A run that does not end when
// its context does can still outlast it; and so can one in a process that was
// halted. What it guards must therefore bear two at once for a moment.

// LeaseOptions is useful as its zero value.
type LeaseOptions struct {
	// TTL is after how long without a renewal the lease is another's; 0 means
	// 15 s. A bucket that exists keeps its own.
	TTL time.Duration
	// Replicas is how many servers keep the bucket, if it is made here.
	Replicas int
	// Holder is what the key tells people about who holds it.
	Holder string
	// OnHeld is told before fn runs and after it has ended.
	OnHeld func(held bool)
	// Logger is told of leases lost; nil means nobody is.
	Logger *slog.Logger
}

func (o LeaseOptions) withDefaults() LeaseOptions {
	if o.TTL <= 0 {
		o.TTL = 15 * time.Second
	}
	if o.OnHeld == nil {
		o.OnHeld = func(bool) {}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return o
}

// Lease runs fn while this process holds the lease called what, which at most
// one process does at a time, and returns what fn returns. It waits until the
// lease is free. When the lease is lost fn's context ends, and after fn has
// ended Lease waits for the lease again. When ctx ends fn's context does too,
// and the lease is kept up until fn has returned; if fn was not running, Lease
// returns nil. Lost connections are borne; other errors than fn's own are
// permanent.
func Lease(ctx context.Context, js jetstream.JetStream, names messages.Names, what string, opts LeaseOptions, fn func(ctx context.Context) error) error {
	l := &lease{
		js: js, bucket: names.Stream("leases"), key: what, opts: opts.withDefaults(),
		value: []byte(fmt.Sprintf("%s %s", cmp.Or(opts.Holder, "?"), rand.Text())),
	}
	l.ttl = l.opts.TTL
	for wait := minWait; ; wait = min(2*wait, maxWait) {
		err := l.acquire(ctx)
		if err == nil && ctx.Err() == nil {
			wait = minWait
			if lost, err := l.hold(ctx, fn); !lost {
				return err
			}
		}
		if ctx.Err() != nil {
			l.release() // if it was acquired just now
			return nil
		}
		if err == nil {
			continue
		}
		l.kv = nil // the bucket may be gone
		if class, _ := fault.Of(err); class == fault.Permanent {
			return fmt.Errorf("lease %s: %w", what, err)
		}
		l.opts.Logger.Warn("waiting for a lease was interrupted", "lease", what, "error", err, "again_in", wait)
		pause(ctx, wait/2+mathrand.N(wait))
	}
}

type lease struct {
	js     jetstream.JetStream
	bucket string
	key    string
	value  []byte // nobody else's
	opts   LeaseOptions

	kv      jetstream.KeyValue
	ttl     time.Duration // the bucket's
	rev     uint64        // of the key, while it is ours
	renewed time.Time     // before the last renewal was sent
}

// EnsureLeases makes the bucket of the leases, unless it is there. Of opts it takes
// TTL and Replicas. It fails with what the server says, and permanently on a bucket
// whose entries do not end by themselves.
func EnsureLeases(ctx context.Context, js jetstream.JetStream, names messages.Names, opts LeaseOptions) error {
	l := &lease{js: js, bucket: names.Stream("leases"), opts: opts.withDefaults()}
	return l.open(ctx)
}

// open opens the bucket, which it makes if there is none.
func (l *lease) open(ctx context.Context) error {
	if l.kv != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	kv, err := l.js.KeyValue(ctx, l.bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		cfg := jetstream.KeyValueConfig{
			Bucket: l.bucket, Description: "hopstream: who does what only one process may do",
			TTL: l.opts.TTL, Replicas: l.opts.Replicas,
		}
		kv, err = l.js.CreateKeyValue(ctx, cfg)
		switch {
		case err == nil: // lest the server lose sight of it: see package durable
			kv, err = l.js.UpdateKeyValue(ctx, cfg)
		case errors.Is(err, jetstream.ErrBucketExists): // somebody was faster
			kv, err = l.js.KeyValue(ctx, l.bucket)
		}
	}
	if err != nil {
		return explain(err)
	}
	status, err := kv.Status(ctx)
	if err != nil {
		return explain(err)
	}
	if status.TTL() <= 0 {
		return fault.Permanentf("entries of bucket %s do not end by themselves: delete it, and it is made anew", l.bucket)
	}
	l.kv, l.ttl = kv, status.TTL()
	return nil
}

// acquire returns when the lease is held, or with the error that is in the
// way.
func (l *lease) acquire(ctx context.Context) error {
	var seen seen
	for ctx.Err() == nil {
		if err := l.open(ctx); err != nil {
			return err
		}
		held, err := l.try(ctx)
		if held || err != nil {
			return err
		}
		if err := l.wait(ctx, &seen); err != nil {
			return err
		}
	}
	return nil
}

// try creates the key. An attempt is not cut short by the end of ctx: it might
// have come through, and would keep others waiting.
func (l *lease) try(ctx context.Context) (held bool, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	sent := time.Now()
	rev, err := l.kv.Create(ctx, l.key, l.value)
	if conflict(err) {
		e, getErr := l.kv.Get(ctx, l.key)
		if getErr != nil || string(e.Value()) != string(l.value) {
			return false, nil // another's, or just gone
		}
		// Ours: an earlier attempt came through, though its answer did not.
		sent = time.Now()
		if rev, err = l.kv.Update(ctx, l.key, l.value, e.Revision()); conflict(err) {
			return false, nil
		}
	}
	if err != nil {
		return false, explain(err)
	}
	l.rev, l.renewed = rev, sent
	return true, nil
}

// seen is what was last seen of another's key.
type seen struct {
	rev uint64
	at  time.Time
}

// wait returns when the key is gone, or when it was not renewed for so long
// that it should be.
func (l *lease) wait(ctx context.Context, last *seen) error {
	w, err := l.kv.Watch(ctx, l.key)
	if err != nil {
		return explain(err)
	}
	defer func() { _ = w.Stop() }()
	// A key that is overdue is looked at more often: the server takes a
	// moment to remove it.
	left := max(l.ttl/8, time.Until(last.at.Add(l.ttl)))
	if last.at.IsZero() {
		left = l.ttl
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	for there := false; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			return nil
		case e, ok := <-w.Updates():
			switch {
			case !ok:
				return errors.New("the watch of the key ended")
			case e == nil && !there, e != nil && e.Operation() != jetstream.KeyValuePut:
				pause(ctx, mathrand.N(max(l.ttl/100, time.Millisecond))) // not all at once
				return nil
			case e == nil: // that was all there is
			case e.Revision() != last.rev:
				*last = seen{e.Revision(), time.Now()}
				timer.Reset(l.ttl)
			}
			there = true
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
