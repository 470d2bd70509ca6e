package golden_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"hopstream/index/document"
	"hopstream/index/searcher"
	"hopstream/index/testkit/publictest"
)

// ranks are how many of the first passages count.
var ranks = [...]int{2, 5, 10}

// answer is what a search came to: the share of a question's evidence among
// the first passages, in percent.
type answer struct {
	recall [len(ranks)]float64
	took   time.Duration
}

// ask searches for a question.
func ask(t *testing.T, s searcher.Searcher, q publictest.Question) (a answer) {
	t.Helper()
	began := time.Now()
	found, err := s.Search(t.Context(), q.Text, topK)
	a.took = time.Since(began)
	if err != nil {
		t.Fatalf("%q: %v", q.Text, err)
	}
	seen := map[string]bool{}
	for at, p := range found {
		id := document.DocID(p.ID)
		if !q.Gold[id] || seen[id] {
			continue
		}
		seen[id] = true
		for i, n := range ranks {
			if at < n {
				a.recall[i] += 100 / float64(len(q.Gold))
			}
		}
	}
	return a
}

// figures are those of one searcher on one set.
type figures struct {
	set, searcher string
	questions     int
	recall        [len(ranks)]float64
	median, p95   time.Duration
}

// key tells whose figures they are.
func (f figures) key() [2]string { return [2]string{f.set, f.searcher} }

// String is what of them has to be the same in every run.
func (f figures) String() string {
	return fmt.Sprintf("%d %.1f %.1f %.1f", f.questions, f.recall[0], f.recall[1], f.recall[2])
}

// figuresOf sums up answers, of which there is one at least.
func figuresOf(set, searcher string, answers []answer) figures {
	f := figures{set: set, searcher: searcher, questions: len(answers)}
	for _, a := range answers {
		for i := range ranks {
			f.recall[i] += a.recall[i] / float64(len(answers))
		}
	}
	slices.SortFunc(answers, func(a, b answer) int { return cmp.Compare(a.took, b.took) })
	f.median, f.p95 = answers[len(answers)/2].took, answers[len(answers)*95/100].took
	return f
}

// means returns, for every searcher, the recall over all sets, each counting
// alike.
func means(all []figures) []figures {
	var out []figures
	at := map[string]int{}
	for _, f := range all {
		i, ok := at[f.searcher]
		if !ok {
			i = len(out)
			at[f.searcher] = i
			out = append(out, figures{set: "mean", searcher: f.searcher})
		}
		out[i].questions += f.questions
		for k := range ranks {
			out[i].recall[k] += f.recall[k] / float64(len(sets))
		}
	}
	return out
}
