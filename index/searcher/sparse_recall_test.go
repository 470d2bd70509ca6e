package searcher

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"hopstream/index"
	"hopstream/messages"
	"hopstream/stages/engine/builtin"
)

// recallQuestions is how many of a set are asked.
const recallQuestions = 200

// TestSparseRecall reports how much of the gold evidence is among the best k,
// by the words of the question alone and with the builtin roles. What these
// add may come to nothing, but must not cost anything to speak of.
func TestSparseRecall(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("indexes corpora of 10,000 documents")
	}
	root := os.Getenv("HOPSTREAM_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	}
	for _, set := range []string{"popqa", "2wikimultihopqa"} {
		t.Run(set, func(t *testing.T) {
			b, questions := loadSet(t, filepath.Join(root, set))
			e := builtin.New(builtin.Options{})
			for _, k := range []int{5, 10} {
				plain, _ := recall(t, Func(b.Search), questions, k)
				for _, s := range []struct {
					name string
					make func(*counted) Searcher
				}{
					{"keywords", func(c *counted) Searcher { return NewSparse(c, e, nil, nil, SparseOptions{}) }},
					{"sparse, depth 1", func(c *counted) Searcher { return NewSparse(c, e, e, e, SparseOptions{Depth: 1}) }},
					{"sparse", func(c *counted) Searcher { return NewSparse(c, e, e, e, SparseOptions{}) }},
					{"intents", func(c *counted) Searcher { return NewIntents(c, e, IntentsOptions{}) }},
				} {
					c := &counted{Bleve: b}
					got, spent := recall(t, s.make(c), questions, k)
					t.Logf("recall@%d of %d questions: plain %.1f, %s %.1f; %.1f searches and %v a question", k, len(questions),
						plain, s.name, got, float64(c.n.Load())/float64(len(questions)), spent/time.Duration(len(questions)))
					if got < plain-1.5 {
						t.Errorf("%s loses %.1f points", s.name, plain-got)
					}
				}
			}
		})
	}
}

// counted counts searches.
type counted struct {
	*index.Bleve
	n atomic.Int64
}

func (c *counted) Find(ctx context.Context, q index.Query, k int) ([]messages.Passage, error) {
	c.n.Add(1)
	return c.Bleve.Find(ctx, q, k)
}

func (c *counted) Search(ctx context.Context, query string, k int) ([]messages.Passage, error) {
	c.n.Add(1)
	return c.Bleve.Search(ctx, query, k)
}

type asked struct {
	Question   string
	Supporting []string
}

// recall returns the mean share of gold documents among the best k, in
// percent.
func recall(t *testing.T, s Searcher, questions []asked, k int) (percent float64, spent time.Duration) {
	t.Helper()
	sum := 0.0
	for _, q := range questions {
		began := time.Now()
		got, err := s.Search(t.Context(), q.Question, k)
		spent += time.Since(began)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, p := range got {
			if id := index.DocID(p.ID); slices.Contains(q.Supporting, id) {
				found[id] = true
			}
		}
		sum += float64(len(found)) / float64(len(q.Supporting))
	}
	return 100 * sum / float64(len(questions)), spent
}

// loadSet indexes a public question set, or skips the test.
func loadSet(t *testing.T, dir string) (*index.Bleve, []asked) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "corpus.jsonl")); err != nil {
		t.Skipf("no question set at %s: set HOPSTREAM_DATA to the folder that holds it", dir)
	}
	b, err := index.OpenBleve("", index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	docs := readLines[messages.Document](t, filepath.Join(dir, "corpus.jsonl"))
	for part := range slices.Chunk(docs, 1000) {
		if err := b.Apply(t.Context(), part, index.Position{Stream: "test"}); err != nil {
			t.Fatal(err)
		}
	}
	var questions []asked
	for _, q := range readLines[asked](t, filepath.Join(dir, "questions.jsonl")) {
		if q.Supporting = slices.Compact(slices.Sorted(slices.Values(q.Supporting))); len(q.Supporting) > 0 && len(questions) < recallQuestions {
			questions = append(questions, q)
		}
	}
	return b, questions
}

func readLines[T any](t *testing.T, path string) []T {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []T
	s := bufio.NewScanner(f)
	s.Buffer(nil, 4<<20)
	for s.Scan() {
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return out
}
