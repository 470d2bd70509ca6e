package builtin

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/index/links"
	"hopstream/messages"
)

var relevanceFit = flag.Bool("relevance.fit", false, "fit the relevance filter's weights on half of the question sets first, and print them")

// relevanceSets are question sets with gold passages. A question whole is
// seldom what the filter judges where the set is multi-hop, so it counts
// little in the fit; steps that people wrote count more than those made from a
// template.
var relevanceSets = []struct {
	name         string
	whole, steps float64
}{
	{"musique", 0.1, 4}, {"2wikimultihopqa", 0.1, 1}, {"hotpotqa", 0.1, 0}, {"nq", 1, 0}, {"popqa", 1, 0}, {"squad", 1, 0},
}

// judged is a query, what the default searcher finds for it, and which of it
// is gold.
type judged struct {
	kind  string
	first bool // in the half that is fitted on
	share float64
	gold  []bool
	golds int
	q     query
	read  []reading
}

// TestRelevanceKept measures how many of the gold passages that the default
// searcher finds are kept, beside keeping the best-ranked.
func TestRelevanceKept(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("indexes six question sets")
	}
	all, kinds := readJudged(t, dataRoot(t))
	weights := relevanceWeights
	if *relevanceFit {
		var lessons []*judged
		for _, j := range all {
			if j.first {
				lessons = append(lessons, j)
			}
		}
		weights = fitRelevance(lessons)
		printRelevance(t, weights)
	}
	type tally struct{ gold, kept, ranked float64 }
	var mean [2]tally
	for _, kind := range kinds {
		var half [2]tally // fitted on, held out
		for _, j := range all {
			if j.kind != kind {
				continue
			}
			h := &half[0]
			if !j.first {
				h = &half[1]
			}
			c := choose(&j.q, append([]reading(nil), j.read...), relKeep, &weights)
			for i, gold := range j.gold {
				if !gold {
					continue
				}
				h.gold++
				h.kept += float64(indicator(c.read[i].chosen))
				h.ranked += float64(indicator(i < relKeep))
			}
		}
		for i, h := range half {
			mean[i].kept += 100 * h.kept / max(1, h.gold) / float64(len(kinds))
			mean[i].ranked += 100 * h.ranked / max(1, h.gold) / float64(len(kinds))
		}
		a, b := half[0], half[1]
		t.Logf("%-22s fitted on: %5.1f %% of %3.0f, by rank %5.1f; held out: %5.1f %% of %3.0f, by rank %5.1f", kind,
			100*a.kept/max(1, a.gold), a.gold, 100*a.ranked/max(1, a.gold), 100*b.kept/max(1, b.gold), b.gold, 100*b.ranked/max(1, b.gold))
	}
	t.Logf("mean: fitted on %.2f %%, by rank %.2f; held out %.2f %%, by rank %.2f", mean[0].kept, mean[0].ranked, mean[1].kept, mean[1].ranked)
	if mean[1].kept < 89.5 {
		t.Errorf("%.2f %% of gold passages are kept of the half held out, want 89.5", mean[1].kept)
	}
}

// readJudged asks the default searcher the questions of all sets, and their
// steps with the gold answers of those before. Questions that the searcher's
// own weights were fitted on, the even ones, are left out: it ranks them
// better than it would others.
func readJudged(t *testing.T, root string) (all []*judged, kinds []string) {
	for _, set := range relevanceSets {
		x := links.New()
		x.Apply(readAs[messages.Passage](t, filepath.Join(root, set.name, "corpus.jsonl")), nil)
		var whole, steps []*judged
		for i, r := range readAs[goldRecord](t, filepath.Join(root, set.name, "questions.jsonl")) {
			if set.name == "squad" && i%14 > 1 { // 900 of 6,300
				continue
			}
			if i%2 == 1 {
				whole = judge(t, whole, x, r.Question, r.Supporting, r.first())
			}
			for k, s := range r.Decomposition {
				if s.Support != "" {
					steps = judge(t, steps, x, r.step(k), []string{s.Support}, r.first())
				}
			}
		}
		add := func(kind string, js []*judged, counts float64) {
			if len(js) == 0 {
				return
			}
			for _, j := range js {
				j.kind, j.share = kind, 10*counts/math.Sqrt(float64(len(js)))
			}
			all, kinds = append(all, js...), append(kinds, kind)
		}
		add(set.name, whole, set.whole)
		add(set.name+" steps", steps, set.steps)
	}
	return all, kinds
}

// judge appends what is found for a query, if gold is among it.
func judge(t *testing.T, to []*judged, x *links.Index, text string, support []string, first bool) []*judged {
	ps, err := x.Search(context.Background(), text, 10)
	if err != nil {
		t.Fatal(err)
	}
	j := &judged{first: first, gold: make([]bool, len(ps)), q: parseQuery(text)}
	for i := range ps {
		for _, id := range support {
			if ps[i].ID == id {
				j.gold[i] = true
				j.golds++
			}
		}
	}
	if j.golds == 0 {
		return to
	}
	j.read = readPassages(&j.q, ps)
	return append(to, j)
}

// goldRecord is a record with the steps' answers.
type goldRecord struct {
	record
	Decomposition []struct{ Question, Answer, Support string }
}

// step returns a step's question with the answers of those before.
func (r *goldRecord) step(k int) string {
	text := r.Decomposition[k].Question
	if about, relation, ok := strings.Cut(text, ">>"); ok { // a step from a knowledge base
		text = "What is the " + strings.TrimSpace(relation) + " of " + strings.TrimSpace(about) + "?"
	}
	for n := k; n > 0; n-- {
		text = strings.ReplaceAll(text, fmt.Sprintf("#%d", n), r.Decomposition[n-1].Answer)
	}
	return text
}

func readAs[T any](tb testing.TB, path string) (rs []T) {
	b, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var r T
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			tb.Fatal(err)
		}
		rs = append(rs, r)
	}
	return rs
}
