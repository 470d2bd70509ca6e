package journal

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
)

// CloseQuestion removes the mark of an open question, after its answer was
// stored. Closing one that is not open does nothing.
func (j *Journal) CloseQuestion(ctx context.Context, id string) error {
	ctx, cancel := withTimeout(ctx)
	defer cancel()
	subject := j.names.Subject(messages.KindQuestion, messages.Key{ID: id})
	msg, err := j.js.Conn().RequestWithContext(ctx,
		"$JS.API.STREAM.PURGE."+j.names.Stream(messages.KindQuestion), []byte(`{"filter":"`+subject+`"}`))
	if err != nil {
		return &BrokerError{fmt.Errorf("close question %s: %w", id, err)}
	}
	var r struct {
		Error *jetstream.APIError `json:"error"`
	}
	if err := json.Unmarshal(msg.Data, &r); err != nil {
		return fmt.Errorf("close question %s: %w", id, err)
	}
	if r.Error != nil {
		return &BrokerError{fmt.Errorf("close question %s: %w", id, r.Error)}
	}
	return nil
}

// Answer returns a question's answer, or ErrNotFound while it has none.
func (j *Journal) Answer(ctx context.Context, id string) (*messages.Answer, error) {
	return Find[*messages.Answer](ctx, j, messages.KindAnswer, messages.Key{ID: id})
}

// OpenQuestions calls fn for every question in the question stream, oldest
// first, until fn fails. A stored message that is no question is passed with
// a nil question.
func (j *Journal) OpenQuestions(ctx context.Context, p messages.Policy, fn func(id string, q *messages.Question) error) error {
	const batch = 256
	for from := uint64(1); ; {
		page, err := j.Range(ctx, messages.KindQuestion, from, batch)
		if err != nil {
			return err
		}
		for _, s := range page {
			from = s.Seq + 1
			_, key, err := j.names.Parse(s.Subject)
			if err != nil {
				return err
			}
			var q *messages.Question
			if m, err := s.Decode(j.names); err == nil {
				q = m.(*messages.Question)
				q.Accept(key.ID, s.Time, p, "")
			}
			if err := fn(key.ID, q); err != nil {
				return err
			}
		}
		if len(page) < batch {
			return nil
		}
	}
}

// Trace returns every stored message of a question, in order of time.
func (j *Journal) Trace(ctx context.Context, id string) ([]*Stored, error) {
	if err := messages.CheckID(id); err != nil {
		return nil, err
	}
	var all []*Stored
	for _, k := range messages.Kinds() {
		var subjects []string
		switch {
		case k == messages.KindDocument:
			continue
		case k == messages.KindDead:
			base := j.names.Subject(k, messages.Key{Stage: "*", ID: id})
			subjects = []string{base, base + ".>"}
		case k.Inner():
			base := j.names.Subject(k, messages.Key{ID: id})
			subjects = []string{base, base + ".>"}
		default:
			subjects = []string{j.names.Subject(k, messages.Key{ID: id})}
		}
		got, err := j.Last(ctx, k, subjects)
		if err != nil {
			return nil, err
		}
		all = append(all, got...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("question %s: %w: it was never asked, or its trace has aged out", id, ErrNotFound)
	}
	sortByTime(all)
	return all, nil
}
