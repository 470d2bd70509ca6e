package runner

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/log"
	"hopstream/stages/meter"
)

// settleTimeout bounds what is done to end a message whose own time is over.
const settleTimeout = 5 * time.Second

// decide is the one place that says what becomes of a message after err: it is
// done, tried again later, or given up, and then its question ends with the
// reason.
func (s *worker) decide(ctx context.Context, j *job, err error) {
	stopping := ctx.Err() != nil
	// The message's own context may be over; ending it must still work.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTimeout)
	defer cancel()
	class, _ := fault.Of(err)
	waits, isWaiting := errors.AsType[*waiting](err)
	j.span.fails(err)
	switch {
	case err == nil:
		s.ack(j, s.figures.done)
	case errors.Is(err, errAnswered) && class != fault.Permanent:
		s.closeAndAck(ctx, j)
	case errors.Is(err, errCancelled):
		s.ack(j, s.figures.cancelled)
	case errors.Is(err, errExpired):
		s.finish(ctx, j, messages.Expired, s.late(j), s.figures.expired)
	case isWaiting:
		s.wait(ctx, j, waits)
	case class == fault.Cancelled && stopping: // another worker goes on, whatever the attempts
		s.handBack(j.delivery)
		s.figures.retried.Inc()
	case errors.Is(err, meter.ErrSpent), errors.Is(err, meter.ErrLate), s.heldUp(j, class): // others go on without it
		s.finish(ctx, j, messages.Failed, reason(err), s.figures.done)
	case class == fault.Unavailable: // however often, until the deadline
		s.discount(ctx, j)
		s.retry(j, err, awayDelay(err, int(j.meta.NumDelivered), s.left(j)))
	case errors.Is(err, messages.ErrNewer) && int(j.meta.NumDelivered) < 4*s.stage.Attempts:
		// Workers are being upgraded, and a newer one may get it. Its deadline
		// cannot be read, so the deliveries bound it.
		s.retry(j, err, backoff(int(j.meta.NumDelivered)))
	case class == fault.Permanent || !isBroker(err) && s.tried(ctx, j, s.stage.Attempts):
		s.deadLetter(ctx, j, err)
	case isBroker(err):
		s.history.change(j.msg.Subject(), func(m *attempts) { m.discounted = int(j.meta.NumDelivered) })
		s.retry(j, err, s.soon(j, retryDelay(err, int(j.meta.NumDelivered))))
	default:
		s.retry(j, err, s.soon(j, retryDelay(err, int(j.meta.NumDelivered)-s.history.get(j.msg.Subject()).discounted)))
	}
}

// soon is a delay that leaves the question time for another attempt: a quarter of
// what is left of it, at most.
func (s *worker) soon(j *job, after time.Duration) time.Duration {
	if j.deadline.IsZero() { // it could not be read
		return after
	}
	return min(after, max(leastAway, j.deadline.Sub(s.opts.Now())/4))
}

// left is how long a message may be tried: until the question's deadline, or, where
// a round waits for it, until the time that is kept for the final answer.
func (s *worker) left(j *job) time.Duration {
	end := j.deadline
	if awaited(j) {
		end = meter.FinalFrom(j.in.Meta())
	}
	return end.Sub(s.opts.Now())
}

// awaited reports whether a round waits for the message's sub-answer.
func awaited(j *job) bool {
	_, sub := j.in.(messages.SubQuery)
	h := j.in.Meta()
	return sub && h.Branch > 0 && !h.Single()
}

// heldUp reports whether the message failed because a service is away, and the round
// must not wait for it any longer: the question would expire with all that other
// branches and rounds found.
func (s *worker) heldUp(j *job, class fault.Class) bool {
	return class == fault.Unavailable && awaited(j) && s.left(j) <= 0
}

// late returns the reason of an expired question: that the deadline passed, and
// what the message waited for, if that is known.
func (s *worker) late(j *job) string {
	text := "the deadline passed in stage " + s.stage.Name
	if s.logic.Lacks != nil {
		if lacks := s.logic.Lacks(j.in.Meta()); lacks != "" {
			text += ": " + lacks
		}
	}
	return text
}

// retry hands a message back to be tried again after a while, by this process
// or another, and remembers what this attempt used of models.
func (s *worker) retry(j *job, err error, after time.Duration) {
	s.sayRetry(j, err)
	if !j.used.IsZero() {
		s.history.change(j.msg.Subject(), func(m *attempts) { m.used = m.used.Add(j.used) })
	}
	s.nak(j.delivery, after)
	s.figures.retried.Inc()
}

// sayRetry logs a retry. Retries because a service is away or a worker out of date
// concern all messages alike, so they are logged once a second at most.
func (s *worker) sayRetry(j *job, err error) {
	class, _ := fault.Of(err)
	if isBroker(err) || class == fault.Unavailable || errors.Is(err, messages.ErrNewer) {
		now := s.opts.Now().Unix()
		if s.said.Swap(now) == now {
			return
		}
	}
	s.about(j).Warn("trying again", "deliveries", j.meta.NumDelivered, "error", err)
}

// isBroker reports whether err came from the log and not from the stage's work. A
// message is never given up for such an error.
func isBroker(err error) bool {
	_, ok := errors.AsType[*log.BrokerError](err)
	return ok
}

// finish ends the question, or the branch, for a reason other than success.
// If that cannot be stored, the message is delivered again.
func (s *worker) finish(ctx context.Context, j *job, status messages.Status, reason string, outcome counter) {
	if status == messages.Expired {
		if err := collect(ctx, s.log, j.in.Meta()); err != nil {
			s.about(j).Warn("cannot read what an expired question has found", "error", err)
		}
	}
	if err := s.storeEnding(ctx, j, ending(j, status, reason, s.opts.Now())); err != nil {
		s.about(j).Warn("cannot end the question; trying again", "error", err)
		s.nak(j.delivery, retryDelay(err, int(j.meta.NumDelivered)))
		s.figures.retried.Inc()
		return
	}
	s.ack(j, outcome)
}

// storeEnding stores a message's ending. An answer too large for the server is
// stored without its hops.
func (s *worker) storeEnding(ctx context.Context, j *job, m messages.Message) error {
	s.sign(j, m)
	err := s.put(ctx, j, m)
	if a, ok := m.(*messages.Answer); ok && errors.Is(err, log.ErrTooLarge) {
		bare := *a
		bare.Hops, bare.Citations = []messages.Hop{}, []messages.Source{}
		return s.put(ctx, j, &bare)
	}
	return err
}

// reason is an error's text for an answer or a dead letter, cut to 2,000 bytes.
func reason(err error) string {
	text := strings.ToValidUTF8(err.Error(), "\uFFFD")
	if len(text) > 2000 {
		text = strings.ToValidUTF8(text[:2000], "") + " …"
	}
	return text
}

// ending returns what is stored in place of a message's outputs when it is given
// up: a failed sub-answer if a round waits for one, or else the question's answer.
func ending(j *job, status messages.Status, reason string, now time.Time) messages.Message {
	head := *j.in.Meta()
	if sub, ok := j.in.(messages.SubQuery); ok && head.Branch > 0 {
		pair := sub.Pair()
		pair.Failed, pair.Error = true, reason
		if status == messages.Failed && !head.Single() {
			return &messages.Subanswer{Head: head, Pair: pair}
		}
		head.Pairs = append(slices.Clip(head.Pairs), pair)
	}
	return messages.NewAnswer(&head, status, messages.Finding{}, reason, now)
}

// closeAndAck drops a question that has its answer already.
func (s *worker) closeAndAck(ctx context.Context, j *job) {
	if err := s.log.DropQuestion(ctx, j.meta.Sequence.Stream); err != nil {
		s.nak(j.delivery, retryDelay(err, int(j.meta.NumDelivered)))
		return
	}
	s.gone(j)
	s.ack(j, s.figures.done)
}

// ack settles a message for good. It does not wait for the server to confirm:
// an ack that is lost leads to a redelivery, which finds everything stored,
// and a confirmation costs a fifth of a hop.
func (s *worker) ack(j *job, outcome counter) {
	s.forget(j)
	if err := j.msg.Ack(); err != nil {
		s.about(j).Warn("cannot ack; the message will come again", "error", err)
	}
	outcome.Inc()
}

// forget removes a settled message from the history.
func (s *worker) forget(j *job) {
	if j.redelivered() { // else nothing was remembered
		s.history.forget(j.msg.Subject())
	}
}

// nak asks for the message again after a while. Without a connection it comes
// again when its ack timer runs out.
func (s *worker) nak(d *delivery, after time.Duration) {
	if err := d.msg.NakWithDelay(after); err != nil {
		s.logger.Warn("cannot hand back; the ack timer will", "subject", d.msg.Subject(), "error", err)
	}
}

// handBack returns a message to the queue when this worker stops. The delay makes
// sure that this worker's last fetch, which is still open, does not get it again.
func (s *worker) handBack(d *delivery) { s.nak(d, fetchWait) }
