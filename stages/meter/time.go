package meter

import (
	"context"
	"errors"
	"slices"
	"time"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// ErrLate says that the time which a delivery may take has run out, or that what
// is left is too short for a call. It is a permanent fault, and nobody's mistake:
// what was found so far is to be used.
var ErrLate = fault.AsPermanent(errors.New(messages.NoTime))

// Urgency orders deliveries that wait for the same slots: the higher priority
// first, then the fewer calls its question has still to make, then the earlier
// deadline.
type Urgency struct {
	Priority messages.Priority
	// Remaining is about how many calls the question has yet to make, one after
	// the other, this one included.
	Remaining int
	Deadline  time.Time
}

// Compare is below 0 if u goes before o, and above 0 if after.
func (u Urgency) Compare(o Urgency) int {
	rank := func(p messages.Priority) int {
		switch p {
		case messages.Interactive:
			return 0
		case messages.Bulk:
			return 2
		}
		return 1
	}
	if d := rank(u.Priority) - rank(o.Priority); d != 0 {
		return d
	}
	if d := u.Remaining - o.Remaining; d != 0 {
		return d
	}
	return u.Deadline.Compare(o.Deadline)
}

// Until bounds the delivery's time: calls are made as long as they can end by t.
// The zero time is no bound. It is called before the context is handed on.
func (m *Meter) Until(t time.Time, u Urgency) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.until, m.urgency = t, u
}

// Deadline returns by when the delivery should be done, if there is a bound.
func (m *Meter) Deadline() (t time.Time, ok bool) {
	if m == nil {
		return time.Time{}, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.until, !m.until.IsZero()
}

// Brief returns until when what takes little time, such as vectors, may be waited
// for. It may still be had when the time for calls is over: as long as no more
// than half of what is left of the question's time has passed.
func (m *Meter) Brief() (t time.Time, ok bool) {
	until, ok := m.Deadline()
	if !ok {
		return until, false
	}
	now := time.Now()
	if half := now.Add(m.Urgency().Deadline.Sub(now) / 2); half.After(until) {
		return half, true
	}
	return until, true
}

// Urgency returns how urgent the delivery is.
func (m *Meter) Urgency() Urgency {
	if m == nil {
		return Urgency{}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.urgency
}

// Late reports whether the time of ctx's delivery is over: who has found
// something returns it then, instead of looking for more.
func Late(ctx context.Context) bool {
	t, ok := From(ctx).Deadline()
	return ok && !time.Now().Before(t)
}

// GiveUp notes that the delivery goes on without something: a role or a
// searcher, and why. The same is noted once.
func (m *Meter) GiveUp(what string, why error) {
	if m == nil {
		return
	}
	reason := why.Error()
	if errors.Is(why, ErrLate) {
		reason = messages.NoTime // however it was wrapped: answers tell by it what ran out
	}
	note := messages.Degradation(what, reason)
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.gaveUp) < messages.MaxDegraded && !slices.Contains(m.gaveUp, note) {
		m.gaveUp = append(m.gaveUp, note)
	}
}

// GaveUp returns what the delivery did without so far, as "what: why".
func (m *Meter) GaveUp() []string {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.gaveUp)
}
