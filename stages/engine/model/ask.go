package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hopstream/messages/fault"
	"hopstream/prompts"
)

// Question is a role's question to a model, with an answer of type T.
type Question[T any] struct {
	Role   string
	Schema json.RawMessage
	// MaxTokens bounds the reply, together with the model's own bound and a
	// part of its context.
	MaxTokens int
	// Items is how many passages, or the like, the prompt may show, best
	// first; those of the lowest rank are left out where the context is short.
	Items int
	// Messages renders the prompt with the n best items.
	Messages func(n int) []Message
	// Key is the field that the reply's object must have.
	Key string
	// Read makes the answer of the object; shown is how many items the prompt
	// had. Its error is shown to the model, once.
	Read func(o Object, shown int) (T, error)
}

// Answer is what a model answered.
type Answer[T any] struct {
	Value T
	Shown int    // how many items the prompt had
	Reply *Reply // as it came, for its log probabilities
}

// ReplyError says that a model's reply could not be used, even after it was
// shown what is wrong. It is a permanent fault: at temperature 0 the same
// prompt gets the same reply.
type ReplyError struct {
	Role, Model string
	Err         error  // what is wrong with it
	Excerpt     string // how it begins
}

// Error tells role, model, reason and how the reply begins.
func (e *ReplyError) Error() string {
	return fmt.Sprintf("%s: %s gave no usable reply: %v: %.120q", e.Role, e.Model, e.Err, e.Excerpt)
}

// Unwrap returns the reason.
func (e *ReplyError) Unwrap() error { return e.Err }

// margin is how many tokens of a context are left free: for a chat template's own
// words, and because an estimate may be a little low.
const margin = 32

// shortReply is how many tokens a reply may have however short the context is.
// Longer ones take a quarter of the context at most: the rest is for passages.
const shortReply = 512

// Ask asks m. The prompt is made to fit the context. If the reply cannot be used,
// the model is told once what is wrong with it; if the next one cannot be used
// either, Ask fails with a *ReplyError. A prompt that cannot be made to fit fails with ErrTooLong.
// Where ctx shows replies (package preview), it shows the text of the field Key.
func Ask[T any](ctx context.Context, m *Model, q Question[T]) (Answer[T], error) {
	var none Answer[T]
	q.MaxTokens = min(q.MaxTokens, m.opts.MaxTokens, max(shortReply, m.opts.NumCtx/4)) + m.opts.Thinking
	turns, shown, err := fit(m, &q, q.Items)
	if err != nil {
		return none, err
	}
	reply, err := m.Chat(ctx, q.Role, request(ctx, &q, turns))
	if errors.Is(err, ErrTooLong) && shown > 1 {
		// The estimate was too low: raise it, and show fewer items.
		m.gauge.raise()
		if turns, shown, err = fit(m, &q, shown-1); err != nil {
			return none, err
		}
		reply, err = m.Chat(ctx, q.Role, request(ctx, &q, turns))
	}
	if err != nil {
		return none, fmt.Errorf("%s: %w", q.Role, err)
	}
	value, wrong := read(&q, reply, shown)
	if wrong == nil {
		return Answer[T]{value, shown, reply}, nil
	}
	m.opts.Observe.Event(q.Role, m.opts.Name, Repaired, 1)
	m.opts.Log.Debug("asking again", "role", q.Role, "model", m.opts.Name, "error", wrong)
	second, err := m.Chat(ctx, q.Role, request(ctx, &q, m.repair(turns, reply, wrong, q.Schema, q.MaxTokens)))
	if err != nil {
		return none, fmt.Errorf("%s: %w", q.Role, err)
	}
	value, wrong = read(&q, second, shown)
	if wrong == nil {
		return Answer[T]{value, shown, second}, nil
	}
	m.opts.Observe.Event(q.Role, m.opts.Name, Unusable, 1)
	m.warn(q.Role, "a reply could not be used, even after it was shown what is wrong", "model", m.opts.Name, "error", wrong)
	return none, fault.AsPermanent(&ReplyError{Role: q.Role, Model: m.opts.Name, Err: wrong, Excerpt: excerpt(second.Text, 200)})
}

// request is a request for q's reply. Where ctx shows replies as they come (see
// package preview), the text of q's field begins anew.
func request[T any](ctx context.Context, q *Question[T], turns []Message) *Chat {
	return &Chat{Messages: turns, Schema: q.Schema, MaxTokens: q.MaxTokens, Text: writing(ctx, q.Key)}
}

// fit renders the prompt with as many items as the context holds beside the
// reply, most at most. One item is tried where the estimate says that it does not
// fit for no other reason than that prompts were refused before: if nothing were
// asked any more, nothing would be learnt.
func fit[T any](m *Model, q *Question[T], most int) (turns []Message, shown int, err error) {
	room := m.opts.NumCtx - q.MaxTokens - margin
	for n := most; ; n-- {
		turns = q.Messages(n)
		need := m.gauge.tokens(turns)
		if need <= room || n <= 1 && m.gauge.expected(turns) <= room {
			if n < q.Items {
				m.opts.Observe.Event(q.Role, m.opts.Name, Dropped, q.Items-n)
			}
			return turns, n, nil
		}
		if n <= 1 {
			return nil, 0, fault.AsPermanent(fmt.Errorf("%s: %w: it needs about %d tokens, and num_ctx %d leaves %d beside a reply of %d: raise num_ctx of %s or ask less",
				q.Role, ErrTooLong, need, m.opts.NumCtx, max(0, room), q.MaxTokens, m.opts.Name))
		}
	}
}

func read[T any](q *Question[T], r *Reply, shown int) (T, error) {
	o, err := ReadObject(r.Text, q.Key)
	if err != nil {
		var none T
		if strings.TrimSpace(r.Text) == "" && r.Thinking > 0 {
			err = errors.New("the reply is empty: all of it went into thinking; answer at once")
		}
		return none, err
	}
	return q.Read(o, shown)
}

// repair returns the chat so far, followed by the reply and what is wrong with it.
// The reply is left out if it does not fit into the context.
func (m *Model) repair(turns []Message, r *Reply, wrong error, schema json.RawMessage, maxTokens int) []Message {
	complaint := Message{"user", "That reply cannot be used: " + wrong.Error() + ". Reply again, with nothing but JSON of this schema: " + string(schema)}
	out := append(turns[:len(turns):len(turns)], Message{"assistant", prompts.Quote(excerpt(r.Text, 1000))}, complaint)
	if m.gauge.tokens(out) > m.opts.NumCtx-maxTokens-margin {
		last := turns[len(turns)-1]
		last.Text += "\n\n" + complaint.Text
		out = append(turns[:len(turns)-1:len(turns)-1], last)
	}
	return out
}

// excerpt is the beginning of s, in one line.
func excerpt(s string, most int) string {
	if len(s) > most {
		s = s[:most]
	}
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if s == "" {
		return "(nothing)"
	}
	return s
}
