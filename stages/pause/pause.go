// Package pause is an operator's word that no more questions are to be taken: the
// pipeline runs empty, and questions wait in their stream until it is taken back.
// It is an entry in a bucket of the broker, which outlives every process.
package pause

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"hopstream/messages"
	"hopstream/stages/bucket"
	"hopstream/stages/log"
)

// State says whether questions are taken. The zero value says that they are.
type State struct {
	Paused bool      `json:"paused"`
	Since  time.Time `json:"since,omitzero"`
	Reason string    `json:"reason,omitempty"` // as whoever paused gave it
}

// String is what is said where questions wait; it is empty where they do not.
func (s State) String() string {
	if !s.Paused {
		return ""
	}
	text := "no questions are taken since " + s.Since.UTC().Format(time.RFC3339)
	if s.Reason != "" {
		text += " (" + s.Reason + ")"
	}
	return text + "; `hopstream drain --resume` takes them again"
}

// Store reads and writes the state. It is safe for concurrent use.
type Store struct{ bucket *bucket.Bucket }

// New returns the state beside a log whose streams c describes.
func New(l *log.Log, c log.Config) *Store {
	stream := c.Stream(l.Names(), messages.KindQuestion)
	return &Store{bucket.New(l.JetStream(), bucket.Config{
		Name: l.Names().PauseBucket(), Description: "hopstream: whether questions are taken",
		Replicas: stream.Replicas, Storage: stream.Storage, Logger: c.Logger,
	})}
}

// Ensure makes the bucket, unless it is there.
func (s *Store) Ensure(ctx context.Context) error { return s.bucket.Ensure(ctx) }

// key is that of the one entry.
const key = "questions"

// Read returns the state; where nobody ever paused, questions are taken. It fails
// where the broker cannot be asked, or the entry not be read.
func (s *Store) Read(ctx context.Context) (state State, err error) {
	data, _, err := s.bucket.Get(ctx, key)
	if errors.Is(err, bucket.ErrNotFound) {
		return State{}, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &state)
	}
	if err != nil {
		return State{}, fmt.Errorf("read whether questions are taken: %w", err)
	}
	return state, nil
}

// Write stores the state, and returns when the broker has it.
func (s *Store) Write(ctx context.Context, state State) error {
	data, err := json.Marshal(state)
	if err == nil {
		err = s.bucket.Put(ctx, key, data)
	}
	if err != nil {
		return fmt.Errorf("store whether questions are taken: %w", err)
	}
	return nil
}
