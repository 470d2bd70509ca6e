package eval

import (
	"slices"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/score"
	"hopstream/messages"
)

// wanted returns what an answer has to name in full: the question's entities, the
// different values of its records, or the items of its list. It is empty where
// one answer is enough.
func wanted(q *dataset.Question) []dataset.Entity {
	if len(q.Entities) == 0 && len(q.Records) > 0 {
		return values(q.Records)
	}
	if !q.List || len(q.Entities) > 0 {
		return q.Entities
	}
	out := make([]dataset.Entity, len(q.Answers))
	for i, a := range q.Answers {
		out[i] = dataset.Entity{a}
	}
	return out
}

// values returns the different values of records: what two records share is one
// piece of information.
func values(records []dataset.Record) []dataset.Entity {
	var out []dataset.Entity
	seen := map[string]bool{}
	for _, r := range records {
		for _, f := range facts(r) {
			if key := score.Normalize(f.Value); !seen[key] {
				seen[key] = true
				out = append(out, dataset.Entity{f.Value})
			}
		}
	}
	return out
}

// facts returns the values of a record's fields, one by one.
func facts(record []messages.Field) []score.Fact {
	var out []score.Fact
	for _, f := range record {
		out = append(out, score.FactsOf(f.Name, f.Value)...)
	}
	return out
}

// steps returns the answers of the gold decomposition's steps. A question
// without a decomposition counts as one step for each thing it asks for.
func steps(q *dataset.Question) []dataset.Entity {
	var out []dataset.Entity
	for _, s := range q.Decomposition {
		if s.Answer == "" {
			continue
		}
		names := dataset.Entity{s.Answer}
		if slices.Contains(q.Answers, s.Answer) && !q.List {
			names = append(names, q.Answers...) // the last step's answer may be given in any form of the gold answer
		}
		out = append(out, names)
	}
	if len(out) == 0 {
		if out = wanted(q); len(out) == 0 && len(q.Answers) > 0 {
			out = []dataset.Entity{q.Answers}
		}
	}
	return stated(out)
}

// retrievable returns the facts that retrieval has to find: everything an
// answer has to name, or else the answers of the gold steps, or else the answer.
func retrievable(q *dataset.Question) []dataset.Entity {
	if all := wanted(q); len(all) > 0 {
		return stated(all)
	}
	return steps(q)
}

// stated returns the facts without yes and no, which are conclusions and can be
// found in no passage.
func stated(facts []dataset.Entity) []dataset.Entity {
	return slices.DeleteFunc(slices.Clone(facts), func(names dataset.Entity) bool {
		return !slices.ContainsFunc(names, func(n string) bool {
			n = score.Normalize(n)
			return n != "" && n != "yes" && n != "no"
		})
	})
}

// goldTexts returns the gold answers for a judge to compare with: alternatives,
// or one text that lists everything an answer has to name.
func goldTexts(q *dataset.Question) []string {
	if all := wanted(q); len(all) > 0 && (q.List || len(q.Answers) == 0) {
		text := ""
		for i, n := range names(all) {
			if i > 0 {
				text += "; "
			}
			text += n
		}
		return []string{text}
	}
	return q.Answers
}

// names returns the first name of each entity.
func names(entities []dataset.Entity) []string {
	out := make([]string, len(entities))
	for i, e := range entities {
		out[i] = e[0]
	}
	return out
}

func firstOf(answers []string) []string { return answers[:min(1, len(answers))] }
