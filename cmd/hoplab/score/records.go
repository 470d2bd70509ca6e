package score

import (
	"cmp"
	"slices"
	"strings"
)

// Fact is a value of a record's field (MuISQA), such as the dose of a drug.
type Fact struct{ Field, Value string }

// FactsOf returns the facts of a field: its values, which semicolons part. A field
// without a value has none.
func FactsOf(field, values string) []Fact {
	var out []Fact
	for v := range strings.SplitSeq(values, ";") {
		if v = strings.TrimSpace(v); Normalize(v) != "" {
			out = append(out, Fact{field, v})
		}
	}
	return out
}

// Records compares records given with gold ones (MuISQA, eq. 5 and 6): aa is the
// share of the facts given that are right, ac the share of the gold facts that
// were given.
//
// Each record given is compared with one gold record, and a fact is right if that
// one has it: a drug's side effect is not right beside another drug. Records are
// paired greedily: first those that agree in the gold record's first fact, which
// says what it is about, then those with the most facts in common, of equal ones
// the first given and then the first of the gold. One that has no fact in common
// with a gold record that is left has none that is right. A record given twice
// counts once, as does a fact given twice in one record.
//
// A fact is right if its value contains the gold one as whole words, both
// normalised, as Acc has it. Where the gold record has a field of the same name,
// it is compared with that field's values alone.
func Records(given, golds [][]Fact) (aa, ac float64) {
	given, golds = distinctRecords(given), nonEmpty(golds)
	facts, wanted := 0, 0
	for _, r := range given {
		facts += len(r)
	}
	for _, g := range golds {
		wanted += len(g)
	}
	right, found := 0, 0
	for _, pair := range pairUp(given, golds) {
		right += pair.right
		found += pair.found
	}
	return float64(right) / float64(max(1, facts)), float64(found) / float64(max(1, wanted))
}

// pairing is a record given beside a gold one.
type pairing struct {
	given, gold  int
	right, found int // facts given that are right, gold facts that were given
	head         int // 1 where the first gold fact was given
}

// pairUp returns the pairs that have a fact in common, each record in one of them
// at most.
func pairUp(given, golds [][]Fact) []pairing {
	var all []pairing
	for i, r := range given {
		for j, g := range golds {
			if p := compare(r, g); p.right > 0 {
				p.given, p.gold = i, j
				all = append(all, p)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b pairing) int {
		return cmp.Or(cmp.Compare(b.head, a.head), cmp.Compare(b.right+b.found, a.right+a.found))
	})
	usedGiven, usedGold := make([]bool, len(given)), make([]bool, len(golds))
	return slices.DeleteFunc(all, func(p pairing) bool {
		if usedGiven[p.given] || usedGold[p.gold] {
			return true
		}
		usedGiven[p.given], usedGold[p.gold] = true, true
		return false
	})
}

// compare counts what two records have in common.
func compare(given, gold []Fact) (p pairing) {
	fields := map[string]bool{}
	for _, g := range gold {
		fields[fieldKey(g.Field)] = true
	}
	hit := make([]bool, len(gold))
	for _, f := range given {
		key, text, good := fieldKey(f.Field), NewHaystack(f.Value), false
		for i, g := range gold {
			if (!fields[key] || key == fieldKey(g.Field)) && text.Has(g.Value) {
				hit[i], good = true, true
			}
		}
		if good {
			p.right++
		}
	}
	for i, h := range hit {
		if h && i == 0 {
			p.head = 1
		}
		if h {
			p.found++
		}
	}
	return p
}

// fieldKey is the same for "drug_name" and "Drug name".
func fieldKey(name string) string { return Normalize(strings.ReplaceAll(name, "_", " ")) }

// distinctRecords leaves out records and facts that are there twice, and records
// without a fact.
func distinctRecords(records [][]Fact) [][]Fact {
	seen := map[string]bool{}
	var out [][]Fact
	for _, r := range records {
		in := map[string]bool{}
		var facts []Fact
		var keys []string
		for _, f := range r {
			key := fieldKey(f.Field) + "\x00" + Normalize(f.Value)
			if Normalize(f.Value) != "" && !in[key] {
				in[key] = true
				facts, keys = append(facts, f), append(keys, key)
			}
		}
		slices.Sort(keys)
		if whole := strings.Join(keys, "\x01"); len(facts) > 0 && !seen[whole] {
			seen[whole] = true
			out = append(out, facts)
		}
	}
	return out
}

func nonEmpty(records [][]Fact) [][]Fact {
	return slices.DeleteFunc(slices.Clone(records), func(r []Fact) bool { return len(r) == 0 })
}
