// Package score measures answers as the papers do: exact match and token F1
// after SQuAD's normalisation (Rajpurkar et al., 2016), Acc (a gold answer is
// contained in the prediction; HANRAG), recall@k and success of the retrieval.
//
//	score.go      normalisation; EM, F1, Acc, recall@k
//	lists.go      several answers wanted: entities (HANRAG), AA, AC and IRR (MuISQA)
//	records.go    records wanted: facts compared record by record (MuISQA)
//	entropy.go    H_mix of a question's queries (MuISQA)
//	confusion.go  what the router made of each gold class
//	auroc.go      how well confidence tells right answers from wrong ones
//	interval.go   means, quantiles, bootstrap confidence intervals
package score

import (
	"strings"
	"unicode"
)

// Normalize lower-cases, drops punctuation and the articles a, an and the,
// and folds white space.
func Normalize(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range strings.ToLower(s) {
		if r < 0x80 && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
			continue
		}
		b.WriteRune(r)
	}
	words := strings.Fields(b.String())
	kept := words[:0]
	for _, w := range words {
		if w != "a" && w != "an" && w != "the" {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

// EM is 1 if the prediction equals a gold answer, normalised; else 0.
func EM(prediction string, golds []string) float64 {
	p := Normalize(prediction)
	for _, g := range golds {
		if Normalize(g) == p {
			return 1
		}
	}
	return 0
}

// F1 is the best token F1 over the gold answers.
func F1(prediction string, golds []string) float64 {
	p := strings.Fields(Normalize(prediction))
	best := 0.0
	for _, g := range golds {
		best = max(best, f1(p, strings.Fields(Normalize(g))))
	}
	return best
}

func f1(p, g []string) float64 {
	if len(p) == 0 || len(g) == 0 {
		if len(p) == len(g) {
			return 1
		}
		return 0
	}
	counts := map[string]int{}
	for _, w := range g {
		counts[w]++
	}
	same := 0
	for _, w := range p {
		if counts[w] > 0 {
			counts[w]--
			same++
		}
	}
	if same == 0 {
		return 0
	}
	precision, recall := float64(same)/float64(len(p)), float64(same)/float64(len(g))
	return 2 * precision * recall / (precision + recall)
}

// Acc is 1 if a gold answer is contained in the prediction as whole words,
// both normalised; else 0.
func Acc(prediction string, golds []string) float64 {
	p := " " + Normalize(prediction) + " "
	for _, g := range golds {
		if n := Normalize(g); n != "" && strings.Contains(p, " "+n+" ") {
			return 1
		}
	}
	return 0
}

// Recall is the share of gold IDs among the first k found.
func Recall(found, gold []string, k int) float64 {
	if len(gold) == 0 {
		return 0
	}
	top := map[string]bool{}
	for _, id := range found[:min(k, len(found))] {
		top[id] = true
	}
	hit := 0
	for _, id := range gold {
		if top[id] {
			hit++
		}
	}
	return float64(hit) / float64(len(gold))
}
