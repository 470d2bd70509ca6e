package score

import (
	"slices"
	"sort"
)

// AUROC is the area under the receiver operating characteristic of a score that
// is to be high for right answers: the probability that a right one has a higher
// score than a wrong one, where equal scores count half (the U of Mann and
// Whitney, 1947, over all pairs). ok is false where there are not both.
func AUROC(right, wrong []float64) (area float64, ok bool) {
	if len(right) == 0 || len(wrong) == 0 {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(wrong))
	won := 0.0
	for _, v := range right {
		below := sort.SearchFloat64s(sorted, v)
		upTo := sort.Search(len(sorted), func(i int) bool { return sorted[i] > v })
		won += float64(below) + float64(upTo-below)/2
	}
	return won / float64(len(right)) / float64(len(wrong)), true
}
