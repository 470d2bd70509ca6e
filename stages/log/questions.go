package log

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// CloseQuestion removes a question from the question stream, from whichever lane,
// after its answer was stored. A message under its ID whose text is another stays:
// it is another question, which the router refuses. Closing one that is not open
// does nothing. It fails with a permanent fault on an ID that no question can have,
// such as a wildcard, which would match every question.
//
// The message is deleted by its sequence. Purging its subject would do too, but
// NATS server 2.15.2 then disturbs the pending list of the stream's consumer:
// killed in that moment, it came back without having delivered some questions.
func (l *Log) CloseQuestion(ctx context.Context, id, text string) error {
	stored, err := l.Questions(ctx, id)
	if err != nil {
		return err
	}
	for _, s := range stored {
		if m, err := s.Decode(l.names); err == nil && m.(*messages.Question).Question != text {
			continue
		}
		if err := l.DropQuestion(ctx, s.Seq); err != nil {
			return err
		}
	}
	return nil
}

// Rivals returns the messages that stand under a question's ID in the given lanes
// and the zero one. It looks for each alone: a wildcard costs the server the more
// the more questions are open. Of very many lanes it looks into all the same.
func (l *Log) Rivals(ctx context.Context, id string, lanes []messages.Lane) ([]*Stored, error) {
	const many = 64
	if len(lanes) > many {
		return l.Questions(ctx, id)
	}
	subjects := []string{l.names.Subject(messages.KindQuestion, messages.Key{ID: id})}
	for _, lane := range lanes {
		if lane != (messages.Lane{}) {
			subjects = append(subjects, l.names.Subject(messages.KindQuestion, messages.Key{ID: id, Lane: lane}))
		}
	}
	return l.Last(ctx, messages.KindQuestion, subjects)
}

// Questions returns the messages that stand under a question's ID, whose lane is
// not known: none if it is not open, and several only where clients have used an
// ID in several lanes. It fails as CloseQuestion does on an ID.
func (l *Log) Questions(ctx context.Context, id string) ([]*Stored, error) {
	if err := messages.CheckID(id); err != nil {
		return nil, fault.AsPermanent(err)
	}
	return l.Last(ctx, messages.KindQuestion, l.names.InAnyLane(id))
}

// DropQuestion removes the message with sequence seq from the question
// stream. One that is not there is no error.
func (l *Log) DropQuestion(ctx context.Context, seq uint64) error {
	err := l.request(ctx, "STREAM.MSG.DELETE", map[string]any{"seq": seq, "no_erase": true})
	if err != nil && !isCode(err, codeNoMessage) && !isCode(err, codeNoSequence) {
		return &BrokerError{fmt.Errorf("drop question message %d: %w", seq, err)}
	}
	return nil
}

// The server's error codes for a sequence that has no message: one that it cannot
// look up, and one that somebody else removes at the same time.
const (
	codeNoMessage  = 10057
	codeNoSequence = 10043
)

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

// Answers returns the answers that exist of the given questions, by ID. One that
// cannot be decoded is left out.
func (l *Log) Answers(ctx context.Context, ids []string) (map[string]*messages.Answer, error) {
	subjects := make([]string, len(ids))
	for i, id := range ids {
		subjects[i] = l.names.Subject(messages.KindAnswer, messages.Key{ID: id})
	}
	stored, err := l.Last(ctx, messages.KindAnswer, subjects)
	if err != nil {
		return nil, err
	}
	answers := make(map[string]*messages.Answer, len(stored))
	for _, s := range stored {
		if m, err := s.Decode(l.names); err == nil {
			a := m.(*messages.Answer)
			answers[a.ID] = a
		}
	}
	return answers, nil
}

// Open is a message in the question stream.
type Open struct {
	*Stored
	Key messages.Key
	// Question is nil if the message is none; Misplaced then says whether that is for
	// its subject, so that nobody reads it.
	Question  *messages.Question
	Misplaced error
}

// Open returns how many messages are in the question stream.
func (l *Log) Open(ctx context.Context) (uint64, error) {
	stream, err := l.js.Stream(ctx, l.names.Stream(messages.KindQuestion))
	if err != nil {
		return 0, &BrokerError{fmt.Errorf("count open questions: %w", err)}
	}
	return stream.CachedInfo().State.Msgs, nil
}

// OpenQuestions calls fn for every message in the question stream with a sequence
// of at least from, oldest first, until fn fails. next is the sequence after those
// that fn was called for without failing.
func (l *Log) OpenQuestions(ctx context.Context, p messages.Policy, from uint64, fn func(Open) error) (next uint64, err error) {
	const batch = 10_000 // of each the server counts all that follow, so large ones
	for {
		page, err := l.Range(ctx, messages.KindQuestion, from, batch)
		if err != nil {
			return from, err
		}
		for _, s := range page {
			if err := fn(l.openQuestion(s, p)); err != nil {
				return from, err
			}
			from = s.Seq + 1
		}
		if len(page) == 0 {
			return from, nil
		}
	}
}

func (l *Log) openQuestion(s *Stored, p messages.Policy) Open {
	o := Open{Stored: s}
	if _, o.Key, o.Misplaced = l.names.Parse(s.Subject); o.Misplaced != nil || messages.CheckID(o.Key.ID) != nil {
		return o
	}
	m, err := s.Decode(l.names)
	if err != nil {
		return o
	}
	q := m.(*messages.Question)
	if q.Stand(o.Key.Lane) != nil {
		return o
	}
	q.Accept(o.Key.ID, Asked(s.Header, s.Time), p, s.Header.Get(TraceHeader))
	q.Meta().Seq = s.Seq
	o.Question = q
	return o
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
		case k == messages.KindQuestion:
			subjects = l.names.InAnyLane(id)
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
