package score

import (
	"maps"
	"slices"
)

// Confusion counts how questions of each gold class were routed: gold class,
// then the router's.
type Confusion map[string]map[string]int

// Add counts one question.
func (c Confusion) Add(gold, routed string) {
	if c[gold] == nil {
		c[gold] = map[string]int{}
	}
	c[gold][routed]++
}

// Total is the number of questions.
func (c Confusion) Total() int {
	n := 0
	for _, row := range c {
		for _, k := range row {
			n += k
		}
	}
	return n
}

// Accuracy is the share of questions that were routed as their gold class.
func (c Confusion) Accuracy() float64 {
	right := 0
	for gold, row := range c {
		right += row[gold]
	}
	return float64(right) / float64(max(1, c.Total()))
}

// Recall is the share of gold's questions that were routed as gold.
func (c Confusion) Recall(gold string) float64 {
	n := 0
	for _, k := range c[gold] {
		n += k
	}
	return float64(c[gold][gold]) / float64(max(1, n))
}

// Precision is the share of the questions routed as class that are of it.
func (c Confusion) Precision(class string) float64 {
	n := 0
	for _, row := range c {
		n += row[class]
	}
	return float64(c[class][class]) / float64(max(1, n))
}

// Labels are the classes that occur, in the given order; others follow by
// name.
func (c Confusion) Labels(order ...string) []string {
	there := map[string]bool{}
	for gold, row := range c {
		there[gold] = true
		for routed := range row {
			there[routed] = true
		}
	}
	var out []string
	for _, l := range order {
		if there[l] {
			out = append(out, l)
			delete(there, l)
		}
	}
	return append(out, slices.Sorted(maps.Keys(there))...)
}
