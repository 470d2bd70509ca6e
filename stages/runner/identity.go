package runner

import (
	"context"
	"errors"
	"fmt"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/log"
)

// An ID stands for one question. The question stream holds one message of an ID in
// each lane, so that clients may use one for two questions, or put one question into
// two lanes. The router works on the one that was stored first, and lets go of the
// other: of the same question nothing is lost by that, and another question becomes
// a dead letter. It never gets the first one's answer.

// answeredBefore removes a question that was already answered, or stands in another
// lane too, and refuses one whose ID belongs to another question.
func (s *worker) answeredBefore(ctx context.Context, j *job) error {
	q, ok := j.in.(*messages.Question)
	if !ok {
		return nil
	}
	// The lanes first: what is not there any more has its answer.
	if err := s.first(ctx, j, q); err != nil {
		return err
	}
	a, err := s.log.Answer(ctx, j.key.ID)
	switch {
	case errors.Is(err, log.ErrNotFound):
		return nil
	case err != nil:
		return err
	case a.Question != q.Question:
		return clash(j, a.Question)
	}
	return errAnswered
}

// first fails if a question was stored before j under its ID, in another lane.
func (s *worker) first(ctx context.Context, j *job, q *messages.Question) error {
	s.lanes.see(j.key.Lane)
	lanes := s.lanes.all()
	if len(lanes) == 0 {
		return nil
	}
	stored, err := s.log.Rivals(ctx, j.key.ID, lanes)
	if err != nil {
		return err
	}
	for _, other := range stored {
		if other.Seq >= j.meta.Sequence.Stream {
			continue
		}
		m, err := other.Decode(s.log.Names())
		if err != nil {
			continue // it becomes a dead letter, and its answer is looked for below
		}
		if text := m.(*messages.Question).Question; text != q.Question {
			return clash(j, text)
		}
		if j.msg.Headers().Get(log.AskedHeader) == "" {
			return errAnswered // it will be
		}
		// A question that was moved does not yield: what stands in the zero lane may
		// be itself, and is removed there because this one is here.
	}
	return nil
}

// clash is the permanent fault that j's ID belongs to a question of another text.
func clash(j *job, text string) error {
	return fault.AsPermanent(fmt.Errorf("%w: ID %s was used for another question, %.80q: choose a new ID", errAnswered, j.key.ID, text))
}

// taken fails if an output of j was stored before for another question.
func (s *worker) taken(ctx context.Context, j *job, out messages.Message) error {
	stored, err := s.log.Get(ctx, out.Kind(), out.Key())
	if errors.Is(err, log.ErrNotFound) {
		return nil // it has aged out
	}
	if err != nil {
		return err
	}
	return s.same(j, stored)
}

// same fails if j is a question and stored belongs to another of the same ID.
func (s *worker) same(j *job, stored *log.Stored) error {
	q, ok := j.in.(*messages.Question)
	if !ok {
		return nil
	}
	m, err := stored.Decode(s.log.Names())
	if err != nil {
		return nil // its stage says what is wrong with it
	}
	text := q.Question
	switch m := m.(type) {
	case *messages.Answer:
		text = m.Question
	case messages.Carrier:
		text = m.Meta().Question
	}
	if text != q.Question {
		return clash(j, text)
	}
	return nil
}

// gone tells the admission of a question that has ended without an answer of its
// own. The server tells of all others.
func (s *worker) gone(j *job) {
	if s.admit != nil {
		s.admit.queue.End(j.key.ID)
	}
}
