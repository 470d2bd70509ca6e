package inspect

import (
	"context"
	"errors"
	"time"

	"hopstream/cmd/internal/node"
	"hopstream/cmd/internal/session"
	"hopstream/messages"
	"hopstream/stages/log"
	"hopstream/stages/storage"
)

// Store is what JetStream stores for the account, and may store; 0 where that is
// not told.
type Store struct {
	Bytes uint64 `json:"bytes"`
	Limit uint64 `json:"limit_bytes"`
}

// Kept is what is stored of one kind. Limits of 0 are none.
type Kept struct {
	Name          string     `json:"name"`
	Bytes         uint64     `json:"bytes"`
	LimitBytes    uint64     `json:"limit_bytes"`
	Messages      uint64     `json:"messages"`
	LimitMessages uint64     `json:"limit_messages"`
	LimitSeconds  float64    `json:"limit_seconds"`
	Oldest        *time.Time `json:"oldest,omitempty"`
	Full          float64    `json:"full"` // share of the nearest limit, in bytes or messages
	// Each is the bytes of one answer, trace, letter, document or question, on
	// average.
	Each float64 `json:"bytes_each"`
}

// readKept reads what is stored, and what it costs.
func (r *Status) readKept(ctx context.Context, s *session.Session) (err error) {
	if r.Store.Bytes, r.Store.Limit, err = s.Conn.Store(ctx); err != nil {
		return err
	}
	bounds, err := node.AskBounds(ctx, s.App.Config, s.Conn)
	if err != nil {
		return err
	}
	for _, g := range bounds.Groups() {
		u, err := storage.Read(ctx, s.Log, g)
		if err != nil {
			return err
		}
		k := Kept{Name: u.Name, Bytes: u.Bytes, LimitBytes: u.Bound.Bytes, Messages: u.Messages, LimitMessages: u.Bound.Messages,
			LimitSeconds: u.Bound.Age.Seconds(), Full: u.Full()}
		of := u.Messages
		if u.Messages > 0 {
			k.Oldest = &u.Oldest
		}
		if g.Name == storage.Trace {
			if of, err = tracesSince(ctx, s, u.Oldest); err != nil {
				return err
			}
		}
		if of > 0 {
			k.Each = float64(u.Bytes) / float64(of)
		}
		r.Bytes += u.Bytes
		r.Kept = append(r.Kept, k)
	}
	return nil
}

// tracesSince is how many questions have a trace, the oldest of which is from then:
// those that ended since, and those that are open.
func tracesSince(ctx context.Context, s *session.Session, oldest time.Time) (uint64, error) {
	open, err := s.Log.StreamState(ctx, messages.KindQuestion)
	if err != nil || oldest.IsZero() {
		return 0, err
	}
	ended, err := s.Log.StreamState(ctx, messages.KindAnswer)
	if err != nil {
		return 0, err
	}
	first, err := s.Log.FirstSince(ctx, messages.KindAnswer, oldest)
	if errors.Is(err, log.ErrNotFound) {
		return open.Msgs, nil
	}
	return open.Msgs + ended.LastSeq + 1 - min(first, ended.LastSeq+1), err
}
