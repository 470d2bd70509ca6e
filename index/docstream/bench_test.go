package docstream

import (
	"path/filepath"
	"testing"

	"hopstream/index/testkit/publictest"
)

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
		store := openTest(b, filepath.Join(b.TempDir(), "index"))
		f, stop := follow(b, js, store, FollowOptions{})
		waitFor(b, f, seq)
		stop()
		if store.Documents() != len(docs) {
			b.Fatalf("%d documents", store.Documents())
		}
	}
	b.ReportMetric(float64(len(docs)*b.N)/b.Elapsed().Seconds(), "docs/s")
}
