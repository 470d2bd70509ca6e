package storetest

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"hopstream/index"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// The helpers below are for a store's own tests beside the suite.

// Doc is a document.
func Doc(id, title, text string) messages.Document {
	return messages.Document{ID: id, Title: title, Text: text}
}

// Gone is a document that was deleted.
func Gone(id string) messages.Document { return messages.Document{ID: id, Deleted: true} }

// Opened returns s, which is closed when the test ends; err ends the test.
func Opened[S io.Closer](tb testing.TB, s S, err error) S {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// MemoryAndDisk runs fn twice: with the empty folder, which means in memory,
// and with one on disk that is not there yet.
func MemoryAndDisk(t *testing.T, fn func(t *testing.T, dir string)) {
	for _, kind := range []string{"memory", "disk"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dir := ""
			if kind == "disk" {
				dir = filepath.Join(t.TempDir(), "index")
			}
			fn(t, dir)
		})
	}
}

// Apply stores docs as what the stream "s" holds up to seq.
func Apply(tb testing.TB, s index.Store, seq uint64, docs ...messages.Document) {
	tb.Helper()
	if err := s.Apply(context.Background(), docs, at(seq)); err != nil {
		tb.Fatal(err)
	}
}

// Search returns the k best passages, whose ranks and scores it checks.
func Search(tb testing.TB, s index.Store, query string, k int) []messages.Passage {
	tb.Helper()
	ps, err := s.Search(context.Background(), query, k)
	if err != nil {
		tb.Fatal(err)
	}
	for i, p := range ps {
		if p.Rank != i+1 || !(p.Score > 0) || i > 0 && p.Score > ps[i-1].Score {
			tb.Errorf("result %d of %q has rank %d, score %v", i+1, query, p.Rank, p.Score)
		}
	}
	return ps
}

// IDs returns those of the k best passages, as Search does.
func IDs(tb testing.TB, s index.Store, query string, k int) []string {
	tb.Helper()
	return ids(Search(tb, s, query, k))
}

// WantIDs compares what was found.
func WantIDs(tb testing.TB, got []string, want ...string) {
	tb.Helper()
	if !slices.Equal(got, want) {
		tb.Errorf("found %v, want %v", got, want)
	}
}

// WantCounts compares how much a store says that it holds.
func WantCounts(tb testing.TB, s Counter, documents, passages int) {
	tb.Helper()
	if s.Documents() != documents || s.Passages() != passages {
		tb.Errorf("%d documents in %d passages, want %d in %d", s.Documents(), s.Passages(), documents, passages)
	}
}

// Permanent reports whether err says that trying again does not help.
func Permanent(err error) bool {
	class, _ := fault.Of(err)
	return err != nil && class == fault.Permanent
}
