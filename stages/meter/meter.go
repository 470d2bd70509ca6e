// Package meter carries, with a delivery's context, what its question may
// still use of models and what the delivery has used.
//
// The runner opens a meter from the message's budget and stamps what was used
// onto the outputs; an engine takes each call from it before making the call.
package meter

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// Meter counts the use of one delivery. It is safe for concurrent use.
type Meter struct {
	mu    sync.Mutex
	allow messages.Usage
	used  messages.Usage
}

// ErrSpent says that a question's budget is used up. It is a permanent fault,
// and nobody's mistake.
var ErrSpent = errors.New("budget")

type key struct{}

// With returns a context that carries a new meter allowing at most allow's
// ModelCalls, and its PromptTokens as tokens of either sort.
func With(ctx context.Context, allow messages.Usage) (context.Context, *Meter) {
	m := &Meter{allow: allow}
	return context.WithValue(ctx, key{}, m), m
}

// From returns the context's meter, or nil, on which every method works and
// allows everything.
func From(ctx context.Context) *Meter {
	m, _ := ctx.Value(key{}).(*Meter)
	return m
}

// Call takes one model call. It fails for good, with ErrSpent, when the
// question's budget of calls or tokens is used up.
func (m *Meter) Call() error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used.ModelCalls >= m.allow.ModelCalls {
		return fault.AsPermanent(fmt.Errorf("%w: no model calls left", ErrSpent))
	}
	if m.used.PromptTokens+m.used.CompletionTokens >= m.allow.PromptTokens {
		return fault.AsPermanent(fmt.Errorf("%w: no tokens left", ErrSpent))
	}
	m.used.ModelCalls++
	return nil
}

// Tokens records what a call has used.
func (m *Meter) Tokens(prompt, completion int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.PromptTokens += prompt
	m.used.CompletionTokens += completion
}

// Used returns what the delivery has used so far.
func (m *Meter) Used() messages.Usage {
	if m == nil {
		return messages.Usage{}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used
}
