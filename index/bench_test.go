package index

import (
	"context"
	"path/filepath"
	"testing"

	"hopstream/index/publictest"
	"hopstream/messages"
)

func applyAll(b *testing.B, store *Bleve, docs []messages.Document) {
	b.Helper()
	for at := 0; at < len(docs); at += 1000 {
		end := min(at+1000, len(docs))
		if err := store.Apply(context.Background(), docs[at:end], Position{"bench", uint64(end)}); err != nil {
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
				store, err := OpenBleve(dir, Options{})
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

// BenchmarkPublish stores a corpus on a real server, and then again: the
// second time nothing is stored.
func BenchmarkPublish(b *testing.B) {
	docs := publictest.Documents(b, "musique")
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			js := startNATS(b)
			ensure(b, js)
			b.StartTimer()
			if s := publish(b, js, docs...); s.Stored != len(docs) {
				b.Fatalf("%+v", s)
			}
		}
		b.ReportMetric(float64(len(docs)*b.N)/b.Elapsed().Seconds(), "docs/s")
	})
	b.Run("unchanged", func(b *testing.B) {
		js := startNATS(b)
		ensure(b, js)
		publish(b, js, docs...)
		for b.Loop() {
			if s := publish(b, js, docs...); s.Unchanged != len(docs) {
				b.Fatalf("%+v", s)
			}
		}
		b.ReportMetric(float64(len(docs)*b.N)/b.Elapsed().Seconds(), "docs/s")
	})
}

// BenchmarkFollow fills a store on disk from a stream.
func BenchmarkFollow(b *testing.B) {
	docs := publictest.Documents(b, "musique")
	js := startNATS(b)
	ensure(b, js)
	seq := publish(b, js, docs...).LastSeq
	for b.Loop() {
		store := openTest(b, filepath.Join(b.TempDir(), "index"), Options{})
		f, stop := follow(b, js, store, FollowOptions{})
		waitFor(b, f, seq)
		stop()
		if store.Documents() != len(docs) {
			b.Fatalf("%d documents", store.Documents())
		}
	}
	b.ReportMetric(float64(len(docs)*b.N)/b.Elapsed().Seconds(), "docs/s")
}
