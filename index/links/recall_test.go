package links

import (
	"context"
	"flag"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"hopstream/index/testkit/publictest"
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

// question is one of a set.
type question struct {
	publictest.Question
	set  int
	fold int // in training
}

// library is the sets as searched: with titles, or as if there were none.
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
	titled, bare := openLibrary(t, true), openLibrary(t, false)
	if *train {
		began := time.Now()
		fitted = fit(t, titled, bare)
		ranked = compile(fitted)
		writeWeights(t, fitted)
		t.Logf("fitted in %v", time.Since(began).Round(time.Millisecond))
	}
	t.Logf("%-30s %21s   %21s   %21s", "recall@2/5/10 in percent", "BM25, odd questions", "links, odd questions", "links, even questions")
	titled.table(t, "", func(set int, plain, linked float64) {
		if linked < sets[set].floor {
			t.Errorf("%s: recall@5 is %.2f, want at least %.1f", sets[set].name, linked, sets[set].floor)
		}
	})
	bare.table(t, " without titles", func(set int, plain, linked float64) {
		if linked < plain-bareLoss {
			t.Errorf("%s without titles: recall@5 is %.2f, and of BM25 %.2f", sets[set].name, linked, plain)
		}
	})
}

// bareLoss is how far below BM25 a corpus without titles may fall, in points.
const bareLoss = 1.5

// table logs what is found, and hands check the recall@5 on the odd half.
func (l *library) table(t *testing.T, what string, check func(set int, plain, linked float64)) {
	plain := l.measure(func(x *Index, text string) []messages.Passage { return x.plain(text, 10) })
	began := time.Now()
	linked := l.measure(func(x *Index, text string) []messages.Passage {
		ps, err := x.Search(context.Background(), text, 10)
		if err != nil {
			t.Error(err)
		}
		return ps
	})
	t.Logf("%d questions, %v each on %d cores", len(l.questions), time.Since(began)/time.Duration(len(l.questions)), runtime.GOMAXPROCS(0))
	for i, s := range sets {
		args := []any{s.name + what}
		for _, r := range [][3]float64{plain[1][i], linked[1][i], linked[0][i]} {
			args = append(args, r[0], r[1], r[2])
		}
		t.Logf("%-30s %7.1f%7.1f%7.1f   %7.1f%7.1f%7.1f   %7.1f%7.1f%7.1f", args...)
		check(i, plain[1][i][1], linked[1][i][1])
	}
}

// plain is BM25 alone.
func (x *Index) plain(text string, k int) []messages.Passage {
	var found []messages.Passage
	err := x.ask(context.Background(), text, func(q *query) error {
		q.search(k)
		clear(q.cands)
		q.cands = q.cands[:0]
		q.d.numbers.clear()
		found = q.results(k)
		return nil
	})
	if err != nil {
		panic(err) // only of a context
	}
	return found
}

func openLibrary(t *testing.T, titles bool) *library {
	l := &library{}
	for i, s := range sets {
		x := New()
		for docs := range slices.Chunk(publictest.Documents(t, s.name), 1000) {
			var ps []messages.Passage
			for _, d := range docs {
				p := messages.Passage{ID: d.ID, Title: d.Title, Text: d.Text}
				if !titles {
					p.Title = ""
				}
				ps = append(ps, p)
			}
			x.Apply(ps, nil)
		}
		l.indexes = append(l.indexes, x)
		for _, q := range publictest.Questions(t, s.name) {
			l.questions = append(l.questions, &question{Question: q, set: i, fold: len(l.questions) / 2 % 2})
		}
	}
	return l
}

// measure returns recall by half (even, odd), set, and number of passages.
func (l *library) measure(search func(x *Index, text string) []messages.Passage) (r [2][6][3]float64) {
	got := make([][3]float64, len(l.questions))
	parallel(len(l.questions), func(i int) {
		q := l.questions[i]
		for at, p := range search(l.indexes[q.set], q.Text) {
			for k, n := range []int{2, 5, 10} {
				if at < n && q.Gold[p.ID] {
					got[i][k] += 100 / float64(len(q.Gold))
				}
			}
		}
	})
	var n [2][6]float64
	half := func(q *question) int {
		if q.Fitted {
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
