package archive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"hopstream/stages/bucket"
	"hopstream/stages/log"
)

// key is the only entry of the bucket.
const key = "answers"

// entry says who archives, and how far it came.
type entry struct {
	Holder string    `json:"holder"`
	Until  time.Time `json:"until"` // then another process may take over
	Last   uint64    `json:"last"`  // sequence of the last archived answer
	At     time.Time `json:"at"`    // when everything was archived last; zero: never
}

// holder is the entry as this process knows it.
type holder struct {
	bucket *bucket.Bucket
	name   string
	now    func() time.Time
	has    entry
	rev    uint64
}

func archiveBucket(l *log.Log, c log.Config, logger *slog.Logger) *bucket.Bucket {
	stream := c.Stream(l.Names(), "")
	return bucket.New(l.JetStream(), bucket.Config{
		Name: l.Names().ArchiveBucket(), Description: "hopstream answers that are archived, and by whom",
		Replicas: stream.Replicas, Storage: stream.Storage, Logger: logger,
	})
}

// EnsureBucket makes the bucket in which a schedule of exports of l says how far it
// came, unless it is there. c says how it is kept. It fails where it may not or
// cannot.
func EnsureBucket(ctx context.Context, l *log.Log, c log.Config, logger *slog.Logger) error {
	return archiveBucket(l, c, logger).Ensure(ctx)
}

// read looks at the entry.
func (h *holder) read(ctx context.Context) error {
	data, rev, err := h.bucket.Get(ctx, key)
	h.has, h.rev = entry{}, 0
	if errors.Is(err, bucket.ErrNotFound) {
		return nil
	}
	if err == nil {
		h.rev = rev
		err = json.Unmarshal(data, &h.has)
	}
	if err != nil {
		return fmt.Errorf("archive: who archives cannot be read: %w", err)
	}
	return nil
}

// take makes this process the one that archives for some time, and reports whether
// it is: another may be, whose time is not over.
func (h *holder) take(ctx context.Context, d time.Duration) (bool, error) {
	if err := h.read(ctx); err != nil {
		return false, err
	}
	if h.has.Holder != h.name && h.now().Before(h.has.Until) {
		return false, nil
	}
	err := h.write(ctx, d, func(*entry) {})
	if errors.Is(err, bucket.ErrConflict) {
		return false, nil // somebody was faster
	}
	return err == nil, err
}

// write changes the entry, and has this process archive for some time more. It
// returns bucket.ErrConflict where another process has taken over.
func (h *holder) write(ctx context.Context, d time.Duration, change func(*entry)) error {
	next := h.has
	next.Holder, next.Until = h.name, h.now().Add(d)
	change(&next)
	data, err := json.Marshal(next)
	if err == nil {
		err = h.bucket.Replace(ctx, key, data, h.rev)
	}
	if err == nil {
		err = h.read(ctx) // for the revision
	}
	return err
}
