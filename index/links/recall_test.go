package links

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"hopstream/messages"
)

var train = flag.Bool("train", false, "fit the weights on the even questions first, and write weights.go")

// sets are the public question sets and the lowest recall@5, in percent, that
// is accepted on the half of the questions that nothing was fitted on.
var sets = []struct {
	name  string
	floor float64
}{
	{"hotpotqa", 95}, {"2wikimultihopqa", 97}, {"musique", 61}, {"nq", 88.5}, {"popqa", 85}, {"squad", 91.5},
}

// question is one with the passages that hold its answer.
type question struct {
	set        int
	even       bool
	text       string
	supporting map[string]bool
}

type library struct {
	indexes   []*Index
	questions []*question
}

// TestRecall measures how much of the evidence is among the first 2, 5 and 10
// passages, with BM25 alone and with links.
func TestRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("reads six question sets")
	}
	root := os.Getenv("HOPSTREAM_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(filepath.Join(root, "musique", "corpus.jsonl")); err != nil {
		t.Skipf("no question sets at %s: set HOPSTREAM_DATA to the folder that holds musique, nq, …", root)
	}
	l := openLibrary(t, root)
	if *train {
		began := time.Now()
		fitted = l.fit(t)
		writeWeights(t, fitted)
		t.Logf("fitted in %v", time.Since(began).Round(time.Millisecond))
	}
	plain := l.measure(func(x *Index, text string) []messages.Passage { return x.plain(text, 10) })
	linked := l.measure(func(x *Index, text string) []messages.Passage {
		ps, err := x.Search(context.Background(), text, 10)
		if err != nil {
			t.Error(err)
		}
		return ps
	})
	t.Logf("%-16s %21s   %21s   %21s", "recall@2/5/10 %", "BM25, odd questions", "links, odd questions", "links, even questions")
	for i, s := range sets {
		row := func(r [3]float64) []any { return []any{r[0], r[1], r[2]} }
		args := slices.Concat([]any{s.name}, row(plain[1][i]), row(linked[1][i]), row(linked[0][i]))
		t.Logf("%-16s %7.1f%7.1f%7.1f   %7.1f%7.1f%7.1f   %7.1f%7.1f%7.1f", args...)
		if got := linked[1][i][1]; got < s.floor {
			t.Errorf("%s: recall@5 is %.2f, want at least %.1f", s.name, got, s.floor)
		}
	}
}

// plain is BM25 alone.
func (x *Index) plain(text string, k int) []messages.Passage {
	s := takeScratch(&x.scratch, len(x.now.passages))
	defer s.release(&x.scratch)
	q := newQuery(x.now, s, text)
	q.search(k)
	q.cands, q.cand = nil, nil
	return q.results(k)
}

func openLibrary(t *testing.T, root string) *library {
	l := &library{}
	for i, s := range sets {
		x := New()
		var ps []messages.Passage
		readLines(t, filepath.Join(root, s.name, "corpus.jsonl"), func(b []byte) {
			var p messages.Passage
			if err := json.Unmarshal(b, &p); err != nil {
				t.Fatal(err)
			}
			if ps = append(ps, p); len(ps) == 1000 {
				x.Apply(ps, nil)
				ps = ps[:0]
			}
		})
		x.Apply(ps, nil)
		l.indexes = append(l.indexes, x)
		n := -1
		readLines(t, filepath.Join(root, s.name, "questions.jsonl"), func(b []byte) {
			if n++; s.name == "squad" && n%14 > 1 { // 900 of 6,300
				return
			}
			var v struct {
				Question   string
				Supporting []string
			}
			if err := json.Unmarshal(b, &v); err != nil {
				t.Fatal(err)
			}
			q := &question{set: i, even: n%2 == 0, text: v.Question, supporting: map[string]bool{}}
			for _, id := range v.Supporting {
				q.supporting[id] = true
			}
			if len(q.supporting) > 0 {
				l.questions = append(l.questions, q)
			}
		})
	}
	return l
}

func readLines(t *testing.T, path string, fn func([]byte)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 4<<20)
	for s.Scan() {
		fn(s.Bytes())
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
}

// measure returns recall by half (even, odd), set, and number of passages.
func (l *library) measure(search func(x *Index, text string) []messages.Passage) (r [2][6][3]float64) {
	got := make([][3]float64, len(l.questions))
	parallel(len(l.questions), func(i int) {
		q := l.questions[i]
		for at, p := range search(l.indexes[q.set], q.text) {
			for k, n := range []int{2, 5, 10} {
				if at < n && q.supporting[p.ID] {
					got[i][k] += 100 / float64(len(q.supporting))
				}
			}
		}
	})
	var n [2][6]float64
	half := func(q *question) int {
		if q.even {
			return 0
		}
		return 1
	}
	for _, q := range l.questions {
		n[half(q)][q.set]++
	}
	for i, q := range l.questions {
		for k := range got[i] {
			r[half(q)][q.set][k] += got[i][k] / n[half(q)][q.set]
		}
	}
	return r
}

// parallel calls fn for 0 to n-1 on all cores.
func parallel(n int, fn func(i int)) {
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				fn(i)
			}
		})
	}
	wg.Wait()
}
