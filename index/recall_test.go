package index

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"hopstream/messages"
)

// recall5 are the figures this store is held to, in percent: the mean over
// the questions of how much of the gold evidence is among the five best.
var recall5 = []struct {
	set  string
	want float64
}{
	{"musique", 45.1}, {"2wikimultihopqa", 65.2}, {"hotpotqa", 75.0},
	{"popqa", 48.8}, {"nq", 86.4}, {"squad", 93.7},
}

// recallTolerance is how far a figure may be off, in points.
const recallTolerance = 0.5

func TestRecall(t *testing.T) {
	t.Parallel()
	root := dataDir(t)
	for i, set := range recall5 {
		if testing.Short() && i > 0 {
			break
		}
		t.Run(set.set, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(root, set.set)
			b := openTest(t, "", Options{})
			began := time.Now()
			n := fill(t, b, filepath.Join(dir, "corpus.jsonl"), 1000)
			built := time.Since(began)
			sum, questions, spent := 0.0, 0, time.Duration(0)
			lines(t, filepath.Join(dir, "questions.jsonl"), func(line []byte) {
				var q struct {
					Question   string
					Supporting []string
				}
				if err := json.Unmarshal(line, &q); err != nil {
					t.Fatal(err)
				}
				if len(q.Supporting) == 0 {
					return
				}
				began := time.Now()
				got, err := b.Search(context.Background(), q.Question, 5)
				spent += time.Since(began)
				if err != nil {
					t.Fatal(err)
				}
				gold := slices.Compact(slices.Sorted(slices.Values(q.Supporting)))
				found := map[string]bool{}
				for _, p := range got {
					if slices.Contains(gold, DocID(p.ID)) {
						found[DocID(p.ID)] = true
					}
				}
				sum += float64(len(found)) / float64(len(gold))
				questions++
			})
			got := 100 * sum / float64(questions)
			t.Logf("recall@5 %.1f (want %.1f), %d questions, %d documents, %d passages, built in %v, %v a question",
				got, set.want, questions, n, b.Passages(), built.Round(time.Millisecond), spent/time.Duration(questions))
			if math.Abs(got-set.want) > recallTolerance {
				t.Errorf("recall@5 is %.2f, want %.1f ± %.1f", got, set.want, recallTolerance)
			}
		})
	}
}

// dataDir returns where the public question sets are, or skips the test.
func dataDir(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("HOPSTREAM_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "data")
	}
	if _, err := os.Stat(filepath.Join(dir, "musique", "corpus.jsonl")); err != nil {
		tb.Skipf("no question sets at %s: set HOPSTREAM_DATA to the folder that holds musique, nq, …", dir)
	}
	return dir
}

// fill applies a corpus in batches and returns how many documents it has.
func fill(tb testing.TB, b *Bleve, path string, batch int) int {
	tb.Helper()
	var docs []messages.Document
	n := 0
	flush := func() {
		n += len(docs)
		if err := b.Apply(context.Background(), docs, Position{Stream: "test", Sequence: uint64(n)}); err != nil {
			tb.Fatal(err)
		}
		docs = docs[:0]
	}
	lines(tb, path, func(line []byte) {
		var d messages.Document
		if err := json.Unmarshal(line, &d); err != nil {
			tb.Fatal(err)
		}
		if docs = append(docs, d); len(docs) == batch {
			flush()
		}
	})
	flush()
	return n
}

func lines(tb testing.TB, path string, fn func([]byte)) {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 4<<20)
	for s.Scan() {
		fn(s.Bytes())
	}
	if s.Err() != nil {
		tb.Fatal(s.Err())
	}
}

func openTest(tb testing.TB, dir string, opts Options) *Bleve {
	tb.Helper()
	b, err := OpenBleve(dir, opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := b.Close(); err != nil {
			tb.Error(err)
		}
	})
	return b
}
