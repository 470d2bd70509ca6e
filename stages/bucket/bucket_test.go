package bucket_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/stages/bucket"
	"hopstream/stages/natstest"
)

func TestEntries(t *testing.T) {
	t.Parallel()
	_, js := natstest.Connect(t, natstest.Server(t))
	b := bucket.New(js, bucket.Config{Name: "b", TTL: time.Minute})
	if _, _, err := b.Get(t.Context(), "k"); !errors.Is(err, bucket.ErrNotFound) {
		t.Errorf("of a bucket that is not there: %v", err)
	}
	if _, err := js.KeyValue(t.Context(), "b"); !errors.Is(err, jetstream.ErrBucketNotFound) {
		t.Errorf("a look makes the bucket: %v", err)
	}
	if err := b.Replace(t.Context(), "k", []byte("1"), 0); err != nil {
		t.Fatal(err)
	}
	if err := b.Replace(t.Context(), "k", []byte("2"), 0); !errors.Is(err, bucket.ErrConflict) {
		t.Errorf("made twice: %v", err)
	}
	v, revision, err := b.Get(t.Context(), "k")
	if err != nil || string(v) != "1" {
		t.Fatal(string(v), err)
	}
	if err := b.Replace(t.Context(), "k", []byte("2"), revision); err != nil {
		t.Fatal(err)
	}
	if err := b.Replace(t.Context(), "k", []byte("3"), revision); !errors.Is(err, bucket.ErrConflict) {
		t.Errorf("replaced by one who knows an older entry: %v", err)
	}
	if err := b.Put(t.Context(), "k", []byte("4")); err != nil {
		t.Fatal(err)
	}
	if v, _, err := b.Get(t.Context(), "k"); err != nil || string(v) != "4" {
		t.Error(string(v), err)
	}
	if _, _, err := b.Get(t.Context(), "other"); !errors.Is(err, bucket.ErrNotFound) {
		t.Error(err)
	}
}

// TestFullBucketDropsTheOldest holds that a full bucket takes new entries.
func TestFullBucketDropsTheOldest(t *testing.T) {
	t.Parallel()
	_, js := natstest.Connect(t, natstest.Server(t))
	b := bucket.New(js, bucket.Config{Name: "b", TTL: time.Minute, MaxBytes: 16 << 10})
	for i := range 40 {
		if err := b.Put(t.Context(), fmt.Sprint(i), make([]byte, 1024)); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := b.Get(t.Context(), "0"); !errors.Is(err, bucket.ErrNotFound) {
		t.Errorf("the oldest: %v", err)
	}
	if _, _, err := b.Get(t.Context(), "39"); err != nil {
		t.Errorf("the newest: %v", err)
	}
}

// TestLostBucketIsMadeAnew holds that a bucket which the server has lost comes
// back with the next entry.
func TestLostBucketIsMadeAnew(t *testing.T) {
	t.Parallel()
	_, js := natstest.Connect(t, natstest.Server(t))
	b := bucket.New(js, bucket.Config{Name: "b", TTL: time.Minute})
	if err := b.Put(t.Context(), "k", []byte("1")); err != nil {
		t.Fatal(err)
	}
	if err := js.DeleteKeyValue(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Get(t.Context(), "k"); err == nil {
		t.Error("an entry of no bucket")
	}
	if err := b.Put(t.Context(), "k", []byte("2")); err != nil {
		t.Fatal(err)
	}
	if v, _, err := b.Get(t.Context(), "k"); err != nil || string(v) != "2" {
		t.Error(string(v), err)
	}
}
