package runner

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/log"
)

// stamp puts the usage and trace of this delivery onto its outputs.
func stamp(j *job, outs []messages.Message, used messages.Usage) {
	span := childSpan(j.in.Meta().Trace)
	for _, out := range outs {
		if m, ok := out.(messages.Output); ok {
			m.Charge(used, span)
		}
	}
}

// store stores the outputs, acks the input when all are stored, and then calls
// settle. An output that an earlier delivery stored counts as stored.
func (s *worker) store(ctx context.Context, j *job, outs []messages.Message, settle func()) {
	var left atomic.Int32
	var failed atomic.Pointer[error]
	left.Store(int32(len(outs)))
	for _, out := range outs {
		s.log.PutAsync(out, func(err error) {
			if err = s.stored(j, out, err); err != nil {
				failed.Store(&err)
			}
			if left.Add(-1) > 0 {
				return
			}
			failure := failed.Load()
			if failure == nil && !(out.Kind() == messages.KindAnswer && j.in.Meta().Seq == 0) {
				s.ack(j, s.figures.done)
				settle()
				return
			}
			// This may wait for the log, which must not happen on the goroutine
			// that receives the log's confirmations.
			go func() {
				if failure != nil {
					s.decide(ctx, j, *failure)
				} else { // a message from before questions told their sequence
					s.decide(ctx, j, s.log.CloseQuestion(ctx, j.key.ID))
				}
				settle()
			}()
		})
	}
}

// stored handles the result of a put: a conflict is counted, and an answer that
// was stored closes its question.
func (s *worker) stored(j *job, out messages.Message, err error) error {
	if err != nil && !errors.Is(err, log.ErrStored) {
		return err
	}
	if err != nil {
		s.figures.conflicts.Inc()
	}
	a, ok := out.(*messages.Answer)
	if !ok {
		return nil
	}
	if err == nil {
		s.opts.Metrics.question(a)
	}
	if seq := j.in.Meta().Seq; seq > 0 {
		return s.log.DropQuestionAsync(seq)
	}
	return nil
}

// put stores one message; an answer also ends its question.
func (s *worker) put(ctx context.Context, m messages.Message) error {
	if a, ok := m.(*messages.Answer); ok {
		return s.end(ctx, a)
	}
	err := s.log.Put(ctx, m)
	if errors.Is(err, log.ErrStored) {
		s.figures.conflicts.Inc()
		return nil
	}
	return err
}

// end stores a question's answer and counts the question, unless it had ended
// before.
func (s *worker) end(ctx context.Context, a *messages.Answer) error {
	err := s.log.End(ctx, a)
	switch {
	case err == nil:
		s.opts.Metrics.question(a)
	case errors.Is(err, log.ErrStored):
		s.figures.conflicts.Inc()
		err = nil
	}
	return err
}

// decision returns the output that is a decision (messages.Decision), or nil if
// none is. A decision must be the only output.
func (s *worker) decision(outs []messages.Message) (messages.Decision, error) {
	for _, out := range outs {
		if d, ok := out.(messages.Decision); ok {
			if len(outs) > 1 {
				return nil, fault.Permanentf("stage %s wrote %d messages with its decision", s.stage.Name, len(outs)-1)
			}
			return d, nil
		}
	}
	return nil, nil
}

// decides reports whether messages of kind k are decisions.
func decides(k messages.Kind) bool {
	m, err := messages.New(k)
	_, ok := m.(messages.Decision)
	return err == nil && ok
}

// publishDecision stores the decision and then the messages that follow from the
// stored one, which may be an earlier delivery's.
func (s *worker) publishDecision(ctx context.Context, d messages.Decision) error {
	err := s.log.Put(ctx, d)
	if errors.Is(err, log.ErrStored) {
		s.figures.conflicts.Inc()
		stored, gerr := s.log.Get(ctx, d.Kind(), d.Key())
		if gerr != nil {
			return fmt.Errorf("read the %s that is stored: %w", d.Kind(), gerr)
		}
		return s.follow(ctx, stored)
	}
	if err != nil {
		return err
	}
	return s.fanOut(ctx, d)
}

// follow stores the messages that follow from a stored decision.
func (s *worker) follow(ctx context.Context, stored *log.Stored) error {
	m, err := stored.Decode(s.log.Names())
	if err != nil {
		return fault.AsPermanent(fmt.Errorf("the decision that is stored: %w", err))
	}
	return s.fanOut(ctx, m.(messages.Decision))
}

// fanOut stores the messages that follow from a decision, all at the same time.
func (s *worker) fanOut(ctx context.Context, d messages.Decision) error {
	subs := d.Follow()
	if len(subs) == 1 {
		return s.put(ctx, subs[0])
	}
	done := make(chan error, len(subs))
	for _, sub := range subs {
		s.log.PutAsync(sub, func(err error) { done <- err })
	}
	var failed error
	for range subs {
		if err := <-done; errors.Is(err, log.ErrStored) {
			s.figures.conflicts.Inc()
		} else if err != nil {
			failed = err
		}
	}
	return failed
}
