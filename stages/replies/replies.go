// Package replies keeps models' replies in a bucket of the broker, so that an
// attempt that another process repeats does not ask again what was answered.
package replies

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/stages/bucket"
	"hopstream/stages/engine/model"
	"hopstream/stages/log"
)

// Store is a model.Store whose replies are kept by the broker as long as the inner
// messages of questions are, or until newer ones need their place.
type Store struct {
	bucket *bucket.Bucket
	logger *slog.Logger
	warned atomic.Int64 // when a failure was last logged, in minutes
}

var _ model.Store = (*Store)(nil)

// New returns the store for replies of at most maxBytes together, kept like the
// streams that c describes.
func New(js jetstream.JetStream, names messages.Names, c log.Config, maxBytes int64) *Store {
	stream := c.Stream(names, messages.KindGenerate)
	logger := c.Logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	return &Store{logger: logger, bucket: bucket.New(js, bucket.Config{
		Name: names.RepliesBucket(), Description: "hopstream models' replies, for attempts that are repeated",
		TTL: stream.MaxAge, MaxBytes: maxBytes, Replicas: stream.Replicas, Storage: stream.Storage, Logger: logger,
	})}
}

// Ensure makes the bucket that the replies are kept in, unless it is there.
func (s *Store) Ensure(ctx context.Context) error { return s.bucket.Ensure(ctx) }

// Get returns what was kept of a question under key, or nil.
func (s *Store) Get(ctx context.Context, question, key string) *model.Reply {
	data, _, err := s.bucket.Get(ctx, place(question, key))
	if errors.Is(err, bucket.ErrNotFound) {
		return nil
	}
	var r model.Reply
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		s.say("cannot look for a kept reply; asking the model", question, err)
		return nil
	}
	return &r
}

// Put keeps a reply, and returns when the broker has it.
func (s *Store) Put(ctx context.Context, question, key string, r *model.Reply) {
	data, err := json.Marshal(r)
	if err == nil {
		err = s.bucket.Put(ctx, place(question, key), data)
	}
	if err != nil {
		s.say("cannot keep a reply; a repeated attempt will ask again", question, err)
	}
}

// place is where a reply stands in the bucket: those of a question together.
func place(question, key string) string { return bucket.Key(question) + "." + key }

// say logs a failure, at most once a minute: it concerns all replies alike.
func (s *Store) say(text, question string, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	now := time.Now().Unix() / 60
	if s.warned.Swap(now) != now {
		s.logger.Warn(text, "question", question, "error", err)
	}
}
