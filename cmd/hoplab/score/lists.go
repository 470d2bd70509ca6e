package score

import "strings"

// Entities is the Acc of a compound question (HANRAG): the share of entities
// of which some name is contained in the prediction.
func Entities[E ~[]string](prediction string, entities []E) float64 {
	return Found([]string{prediction}, entities)
}

// Found is the share of facts, each in any of its names, that are contained
// in one of texts as whole words. Over retrieved passages it is the
// information recall rate IRR = |R ∩ G| / |G| (MuISQA, eq. 4).
func Found[E ~[]string](texts []string, facts []E) float64 {
	if len(facts) == 0 {
		return 0
	}
	all := NewHaystack(texts...)
	n := 0
	for _, f := range facts {
		if all.Has(f...) {
			n++
		}
	}
	return float64(n) / float64(len(facts))
}

// Lists compares the answers given with the gold ones, each in any of its
// names (MuISQA, eq. 5 and 6). aa is the share of the given answers that are
// right, ac the share of the gold answers that were given. A given answer is
// right if it contains a gold one, as Acc has it; the same answer given twice
// counts once.
func Lists[E ~[]string](given []string, golds []E) (aa, ac float64) {
	seen := map[string]bool{}
	distinct, right := 0, 0
	hit := make([]bool, len(golds))
	for _, g := range given {
		key := Normalize(g)
		if key == "" || seen[key] {
			continue
		}
		seen[key] = true
		distinct++
		one, good := NewHaystack(g), false
		for i, gold := range golds {
			if one.Has(gold...) {
				hit[i], good = true, true
			}
		}
		if good {
			right++
		}
	}
	for _, h := range hit {
		if h {
			ac++
		}
	}
	return float64(right) / float64(max(1, distinct)), ac / float64(max(1, len(golds)))
}

// SameList is the EM of a list: 1 if the given answers are the gold ones,
// normalised, in any order; else 0.
func SameList[E ~[]string](given []string, golds []E) float64 {
	left := map[string]bool{}
	for _, g := range given {
		left[Normalize(g)] = true
	}
	if len(left) != len(golds) {
		return 0
	}
	for _, gold := range golds {
		found := false
		for _, name := range gold {
			if n := Normalize(name); left[n] {
				delete(left, n)
				found = true
				break
			}
		}
		if !found {
			return 0
		}
	}
	return 1
}

// Haystack is texts made ready to look for answers in.
type Haystack string

// NewHaystack normalises texts. An answer is only found within one text, not
// across two.
func NewHaystack(texts ...string) Haystack {
	var b strings.Builder
	for _, t := range texts {
		b.WriteString("| ") // normalised text has no such mark
		b.WriteString(Normalize(t))
		b.WriteByte(' ')
	}
	return Haystack(b.String())
}

// Has reports whether some answer is contained as whole words.
func (h Haystack) Has(answers ...string) bool {
	for _, a := range answers {
		if n := Normalize(a); n != "" && strings.Contains(string(h), " "+n+" ") {
			return true
		}
	}
	return false
}
