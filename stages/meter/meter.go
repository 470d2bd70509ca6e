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

// Call takes one chat call. It fails for good, with ErrSpent, when the
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
	if err := m.tokensLeft(); err != nil {
		return err
	}
	m.used.ModelCalls++
	return nil
}

// Return gives back a call that no server took, being away or busy.
func (m *Meter) Return() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.ModelCalls = max(0, m.used.ModelCalls-1)
}

// Allow says whether a request may be made that takes no call, only tokens,
// such as one for embeddings. It fails for good, with ErrSpent, when the
// question's tokens are used up.
func (m *Meter) Allow() error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tokensLeft()
}

// tokensLeft is called with mu held.
func (m *Meter) tokensLeft() error {
	if m.used.PromptTokens+m.used.CompletionTokens >= m.allow.PromptTokens {
		return fault.AsPermanent(fmt.Errorf("%w: no tokens left", ErrSpent))
	}
	return nil
}

// Spend records what a role's requests have used: the tokens in the totals,
// all of it in the role's entry. It takes no call; Call does.
func (m *Meter) Spend(r messages.RoleUsage) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used = m.used.Add(messages.Usage{
		PromptTokens: r.PromptTokens, CompletionTokens: r.CompletionTokens,
		Roles: []messages.RoleUsage{r},
	})
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
