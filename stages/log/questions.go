package log

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// CloseQuestion removes a question from the question stream, after its answer was
// stored. Closing one that is not open does nothing. It fails with a permanent
// fault on an ID that no question can have, such as a wildcard, which would match
// every question.
//
// The message is deleted by its sequence. Purging its subject would do too, but
// NATS server 2.15.2 then disturbs the pending list of the stream's consumer:
// killed in that moment, it came back without having delivered some questions.
func (l *Log) CloseQuestion(ctx context.Context, id string) error {
	if err := messages.CheckID(id); err != nil {
		return fault.AsPermanent(err)
	}
	stored, err := l.Get(ctx, messages.KindQuestion, messages.Key{ID: id})
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return l.DropQuestion(ctx, stored.Seq)
}

// DropQuestion removes the message with sequence seq from the question
// stream. One that is not there is no error.
func (l *Log) DropQuestion(ctx context.Context, seq uint64) error {
	err := l.request(ctx, "STREAM.MSG.DELETE", map[string]any{"seq": seq, "no_erase": true})
	if err != nil && !isCode(err, codeNoMessage) {
		return &BrokerError{fmt.Errorf("drop question message %d: %w", seq, err)}
	}
	return nil
}

// codeNoMessage is the server's error code for a sequence without a message.
const codeNoMessage = 10057

// request sends a request about the question stream to the server's API.
func (l *Log) request(ctx context.Context, what string, body map[string]any) error {
	ctx, cancel := withTimeout(ctx)
	defer cancel()
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	msg, err := l.js.Conn().RequestWithContext(ctx, "$JS.API."+what+"."+l.names.Stream(messages.KindQuestion), data)
	if err != nil {
		return err
	}
	var r struct {
		Error *jetstream.APIError `json:"error"`
	}
	if err := json.Unmarshal(msg.Data, &r); err != nil {
		return err
	}
	if r.Error != nil {
		return r.Error
	}
	return nil
}

// Answer returns a question's answer, or ErrNotFound while it has none.
func (l *Log) Answer(ctx context.Context, id string) (*messages.Answer, error) {
	return Find[*messages.Answer](ctx, l, messages.KindAnswer, messages.Key{ID: id})
}

// OpenQuestions calls fn for every question in the question stream, oldest
// first, until fn fails. A stored message that is no question is passed with
// a nil question.
func (l *Log) OpenQuestions(ctx context.Context, p messages.Policy, fn func(id string, q *messages.Question) error) error {
	const batch = 256
	for from := uint64(1); ; {
		page, err := l.Range(ctx, messages.KindQuestion, from, batch)
		if err != nil {
			return err
		}
		for _, s := range page {
			from = s.Seq + 1
			_, key, err := l.names.Parse(s.Subject)
			if err != nil {
				return err
			}
			var q *messages.Question
			if m, err := s.Decode(l.names); err == nil && messages.CheckID(key.ID) == nil {
				q = m.(*messages.Question)
				q.Accept(key.ID, s.Time, p, "")
				q.Meta().Seq = s.Seq
			}
			if err := fn(key.ID, q); err != nil {
				return err
			}
		}
		if len(page) == 0 {
			return nil
		}
	}
}

// Trace returns every stored message of a question, in order of time.
func (l *Log) Trace(ctx context.Context, id string) ([]*Stored, error) {
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
			base := l.names.Subject(k, messages.Key{Stage: "*", ID: id})
			subjects = []string{base, base + ".>"}
		case k.Inner():
			base := l.names.Subject(k, messages.Key{ID: id})
			subjects = []string{base, base + ".>"}
		default:
			subjects = []string{l.names.Subject(k, messages.Key{ID: id})}
		}
		got, err := l.Last(ctx, k, subjects)
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
