package links

import (
	"context"
	"slices"

	"hopstream/messages"
)

// watch is called with the candidates and their features before each stage ranks
// them; training uses it.
type watch func(stage int, cands []*candidate, features [][]float32)

// rank takes the question through the stages of a model: the first sees what
// a passage and the question share, each later one the links from those that
// the stage before found best.
func (q *query) rank(ctx context.Context, stages []forest, upTo int, see watch) error {
	features, arena := q.d.features[:0], q.d.linked
	defer func() {
		q.d.features, q.d.linked = features, arena
		if see != nil {
			q.d.base = nil // watch may keep the features
		}
	}()
	for s := range upTo {
		if err := ctx.Err(); err != nil {
			return err
		}
		features = features[:0]
		if s == 0 {
			for _, c := range q.cands {
				features = append(features, c.base)
			}
		} else {
			seeds := q.follow()
			best := 0.0
			if len(seeds) > 0 {
				best = sigmoid(seeds[0].score)
			}
			if see != nil {
				arena = nil // the features outlive this stage
			}
			v := vector{values: arena[:0]}
			for _, c := range q.cands {
				from := len(v.values)
				q.linked(&v, c, best)
				features = append(features, v.values[from:len(v.values):len(v.values)])
			}
			arena = v.values
		}
		if see != nil {
			see(s, q.cands, features)
		}
		if s < len(stages) {
			for i, c := range q.cands {
				c.score = stages[s].predict(features[i])
			}
		}
	}
	slices.SortFunc(q.cands, byScore)
	return nil
}

// results are the k best: the ranked candidates, then the rest by BM25 with
// scores below theirs.
func (q *query) results(k int) []messages.Passage {
	var out []messages.Passage
	add := func(num int32, score float64) {
		p := q.passage(num).message()
		p.Score, p.Rank = score, len(out)+1
		out = append(out, p)
	}
	floor := 0.0
	for _, c := range q.cands[:min(k, len(q.cands))] {
		add(c.num, c.score)
		floor = c.score
	}
	for _, num := range q.order {
		if len(out) >= k {
			break
		}
		if q.candidate(num) == nil {
			add(num, floor-2+q.d.cells[num].score/q.top)
		}
	}
	return out
}
