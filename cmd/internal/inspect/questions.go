package inspect

import (
	"cmp"
	"context"
	"slices"
	"time"

	"hopstream/cmd/internal/session"
	"hopstream/messages"
	"hopstream/stages/log"
)

// Question is a question that the log holds, or the answer that it ended with.
type Question struct {
	ID       string         `json:"id"`
	Question string         `json:"question"`
	Status   string         `json:"status"` // open, or the answer's
	Class    messages.Class `json:"class,omitempty"`
	Answer   string         `json:"answer,omitempty"`
	At       time.Time      `json:"at"` // asked, or ended
}

// statusOpen is that of a question without an answer.
const statusOpen = "open"

// Questions returns the n questions that were asked or ended last, newest first.
func Questions(ctx context.Context, s *session.Session, n int) ([]Question, error) {
	ended, err := lastAnswers(ctx, s, n)
	if err != nil {
		return nil, err
	}
	open, err := openQuestions(ctx, s)
	if err != nil {
		return nil, err
	}
	all := ended
	for _, q := range open {
		// One that has just ended may still stand among the open ones.
		if !slices.ContainsFunc(ended, func(e Question) bool { return e.ID == q.ID }) {
			all = append(all, q)
		}
	}
	slices.SortStableFunc(all, func(a, b Question) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.ID, b.ID)) })
	return all[:min(n, len(all))], nil
}

// page is how many messages are read at once.
const page = 256

// lastAnswers returns at least n answers from the end of their stream, or all if
// there are fewer.
func lastAnswers(ctx context.Context, s *session.Session, n int) ([]Question, error) {
	state, err := s.Log.StreamState(ctx, messages.KindAnswer)
	if err != nil {
		return nil, err
	}
	var all []Question
	for end := state.LastSeq; end > 0 && end >= state.FirstSeq && len(all) < n; {
		from := end - min(end-1, page-1)
		stored, err := s.Log.Range(ctx, messages.KindAnswer, from, page)
		if err != nil {
			return nil, err
		}
		for _, st := range stored {
			if st.Seq <= end { // what follows was read before
				all = append(all, entry(s, st))
			}
		}
		end = from - 1
	}
	return all, nil
}

// openQuestions returns the questions without an answer. Their number is bounded
// by pipeline.max_open.
func openQuestions(ctx context.Context, s *session.Session) ([]Question, error) {
	var all []Question
	for from := uint64(1); ; {
		stored, err := s.Log.Range(ctx, messages.KindQuestion, from, page)
		if err != nil {
			return nil, err
		}
		for _, st := range stored {
			from = st.Seq + 1
			all = append(all, entry(s, st))
		}
		if len(stored) < page {
			return all, nil
		}
	}
}

// entry reads a stored question or answer. One that cannot be read is shown
// with what its subject tells.
func entry(s *session.Session, st *log.Stored) Question {
	q := Question{Status: statusOpen, At: st.Time}
	if _, key, err := s.Conn.Names.Parse(st.Subject); err == nil {
		q.ID = key.ID
	}
	m, err := st.Decode(s.Conn.Names)
	if err != nil {
		return q
	}
	switch m := m.(type) {
	case *messages.Question:
		q.Question, q.Class = m.Question, m.Class
	case *messages.Answer:
		q.Question, q.Class, q.Status, q.Answer = m.Question, m.Class, string(m.Status), m.Answer
	}
	return q
}
