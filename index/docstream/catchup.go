package docstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/index"
)

// A store that has read every message there is may still stand before the
// stream's end: the last messages were deleted, or purged, before they were
// read. A question that was accepted while they were there needs the store to
// get past them. So a follower that hears nothing looks, now and then and when
// somebody waits, whether there is anything between it and the end.

// errOther says that the store does not belong to the stream as it is now: the
// next session empties it.
var errOther = errors.New("the store does not belong to this document stream")

// nudge has a follower that hears nothing look soon.
func (f *Follower) nudge() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.nudged = true
	if f.wake != nil {
		f.wake()
	}
}

// next waits for a message. While the follower is idle a nudge cuts the wait
// to what one would wait within a batch.
func (f *Follower) next(ctx context.Context, it jetstream.MessagesContext, idle bool) (jetstream.Msg, error) {
	wait := f.opts.Idle
	if idle && !f.isNudged() {
		wait = f.opts.Check
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if wait > f.opts.Idle {
		f.wakeBy(cancel)
		defer f.wakeBy(nil)
	}
	return it.Next(jetstream.NextContext(ctx))
}

func (f *Follower) isNudged() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.nudged
}

// wakeBy says how a nudge ends the wait for a message.
func (f *Follower) wakeBy(cancel context.CancelFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wake = cancel
	if cancel != nil && f.nudged {
		cancel()
	}
}

// answerNudge reports whether there was one; a later one leads to a look of
// its own.
func (f *Follower) answerNudge() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.nudged
	f.nudged = false
	return was
}

// catchUp looks where the stream ends, while nothing comes that the consumer
// sent, and takes the store there if there is no message in between. It
// returns errOther where the stream is another by now, or was purged.
func (f *Follower) catchUp(ctx context.Context, cons jetstream.Consumer, seen uint64, pos *index.Position) error {
	ctx, cancel := context.WithTimeout(ctx, max(f.opts.Check, time.Second)) // a server may be gone
	defer cancel()
	// First where it ends: what is stored from here on lies behind that.
	s, err := f.js.Stream(ctx, f.stream)
	if err != nil {
		return err
	}
	info := s.CachedInfo()
	last := info.State.LastSeq
	if ID(info) != pos.Stream || !f.fits(info) {
		return errOther
	}
	if last <= pos.Sequence {
		return nil
	}
	// Two must agree that there is nothing more. A consumer learns of a message
	// a moment after the stream has it, and a stream that is being closed
	// answers that it has none.
	sent, err := cons.Info(ctx)
	if err != nil {
		return err
	}
	if sent.NumPending > 0 || sent.Delivered.Consumer > seen {
		return nil // it will come
	}
	more, err := f.holdsMore(ctx, pos.Sequence)
	if err != nil || more {
		return err
	}
	pos.Sequence = last
	return f.apply(ctx, nil, *pos)
}

// codeNoMessage is the server's word for a message that is not there.
const codeNoMessage = 10037

// holdsMore reports whether the stream holds a document behind seq. It asks
// the stream's leader; a direct read, which the client library would do, may
// be answered by a replica that lags behind.
func (f *Follower) holdsMore(ctx context.Context, seq uint64) (bool, error) {
	body := fmt.Sprintf(`{"seq":%d,"next_by_subj":%q,"no_hdr":true}`, seq+1, f.filter)
	msg, err := f.js.Conn().RequestWithContext(ctx, "$JS.API.STREAM.MSG.GET."+f.stream, []byte(body))
	if err != nil {
		return false, err
	}
	var r struct {
		Error *jetstream.APIError `json:"error"`
	}
	if err := json.Unmarshal(msg.Data, &r); err != nil {
		return false, err
	}
	switch {
	case r.Error == nil:
		return true, nil
	case r.Error.ErrorCode == codeNoMessage:
		return false, nil
	}
	return false, r.Error
}
