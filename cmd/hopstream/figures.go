package main

import (
	"hopstream/cmd/hopstream/report"
	"hopstream/cmd/hopstream/score"
)

// quantile of sorted values, by nearest rank.
func quantile(sorted []float64, q float64) float64 { return score.Quantile(sorted, q) }

// counts writes how many there are of each, by name.
func counts[K ~string](m map[K]int) string { return report.Counts(m) }
