// Package meter carries, with a delivery's context, what its question may
// still use of models and of time, what the delivery has used, and what it did
// without.
//
// The runner opens a meter from the message's budget and its share of the
// question's time, and stamps what was used and given up onto the outputs; an
// engine takes each call from it before making the call.
//
//	meter.go     calls and tokens
//	time.go      until when, how urgent, and what was given up
//	division.go  the parts that a question's time is divided into
package meter

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// Meter counts the use of one delivery. It is safe for concurrent use.
type Meter struct {
	mu    sync.Mutex
	allow messages.Usage
	used  messages.Usage

	question string   // see Of
	trace    [16]byte // likewise
	joined   []string
	until    time.Time
	urgency  Urgency
	gaveUp   []string
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

// Of says which question the delivery is of, and the ID of its trace. It is called
// before the context is handed on.
func (m *Meter) Of(question string, trace [16]byte) { m.question, m.trace = question, trace }

// Trace returns the ID of the trace of the delivery's question; zero where there is
// none.
func (m *Meter) Trace() (id [16]byte) {
	if m == nil {
		return id
	}
	return m.trace
}

// Join notes that the delivery joins the work of another, whose W3C traceparent is
// trace. It is noted of sampled questions only.
func (m *Meter) Join(trace string) {
	if m == nil || !strings.HasSuffix(trace, "1") {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.joined = append(m.joined, trace)
}

// Joined returns the traceparents of the deliveries whose work this one joins.
func (m *Meter) Joined() []string {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.joined
}

// Question returns the ID of the delivery's question; empty where there is none.
func (m *Meter) Question() string {
	if m == nil {
		return ""
	}
	return m.question
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
