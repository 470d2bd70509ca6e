package bleve

import (
	"context"
	"path/filepath"
	"testing"

	"hopstream/index"
	"hopstream/index/testkit/publictest"
	"hopstream/messages"
)

func applyAll(b *testing.B, store *Store, docs []messages.Document) {
	b.Helper()
	for at := 0; at < len(docs); at += 1000 {
		end := min(at+1000, len(docs))
		if err := store.Apply(context.Background(), docs[at:end], index.Position{Stream: "bench", Sequence: uint64(end)}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	for _, kind := range []string{"memory", "disk"} {
		b.Run(kind, func(b *testing.B) {
			docs, questions := publictest.Documents(b, "musique"), publictest.Questions(b, "musique")
			dir := ""
			if kind == "disk" {
				dir = filepath.Join(b.TempDir(), "index")
			}
			store := openTest(b, dir, Options{})
			applyAll(b, store, docs)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := store.Search(context.Background(), questions[i%len(questions)].Text, 10); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(store.Passages()), "passages")
		})
	}
}

// BenchmarkApply fills a store with a corpus, in batches of 1,000.
func BenchmarkApply(b *testing.B) {
	for _, kind := range []string{"memory", "disk"} {
		b.Run(kind, func(b *testing.B) {
			docs := publictest.Documents(b, "musique")
			b.ReportAllocs()
			for b.Loop() {
				dir := ""
				if kind == "disk" {
					dir = filepath.Join(b.TempDir(), "index")
				}
				store, err := Open(dir, Options{})
				if err != nil {
					b.Fatal(err)
				}
				applyAll(b, store, docs)
				if err := store.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(docs)*b.N)/b.Elapsed().Seconds(), "docs/s")
		})
	}
}
