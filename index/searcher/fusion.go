package searcher

import (
	"cmp"
	"slices"

	"hopstream/messages"
)

// fusionK is the constant of reciprocal rank fusion: the larger it is, the
// less the very first ranks count over those that follow. 60 is the published
// value and MuISQA's.
const fusionK = 60

// Fuse makes one list of several by reciprocal rank fusion: a passage scores
// Σ 1/(60 + rank) over the lists that hold it, ranks from 1 by position. It
// returns the best k, best first and, of equal scores, by ID; their Score is
// the fused one and their Rank counts from 1. Of a passage that one list holds
// several times the best rank counts, and what is returned of one that lists
// show differently is how the list that ranks it best does. The order of the
// lists makes no difference to scores and ranks.
func Fuse(k int, lists ...[]messages.Passage) []messages.Passage {
	if k <= 0 {
		return nil
	}
	n := 0
	for _, l := range lists {
		n = max(n, len(l))
	}
	type fused struct {
		passage messages.Passage
		ranks   []int // ascending once all lists are read
		list    int   // the last that counted
	}
	at := make(map[string]int, 2*n)
	all := make([]fused, 0, 2*n)
	for i, l := range lists {
		for j := range l {
			p := &l[j]
			x, ok := at[p.ID]
			switch {
			case !ok:
				at[p.ID] = len(all)
				all = append(all, fused{*p, append(make([]int, 0, len(lists)), j+1), i})
				continue
			case all[x].list == i:
				continue // ranks ascend: the first is the best
			case j+1 < slices.Min(all[x].ranks):
				all[x].passage = *p
			}
			all[x].ranks, all[x].list = append(all[x].ranks, j+1), i
		}
	}
	for i := range all {
		// In order of rank, so that the sum is the same to the last bit
		// whatever the order of the lists.
		f := &all[i]
		slices.Sort(f.ranks)
		f.passage.Score = 0
		for _, r := range f.ranks {
			f.passage.Score += 1 / float64(fusionK+r)
		}
	}
	slices.SortFunc(all, func(a, b fused) int {
		return cmp.Or(cmp.Compare(b.passage.Score, a.passage.Score), cmp.Compare(a.passage.ID, b.passage.ID))
	})
	if len(all) == 0 {
		return nil
	}
	out := make([]messages.Passage, min(k, len(all)))
	for i := range out {
		out[i] = all[i].passage
		out[i].Rank = i + 1
	}
	return out
}
