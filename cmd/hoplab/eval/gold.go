package eval

import (
	"slices"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/score"
)

// wanted are the things a question wants all of: its entities, or the items
// of a list; none where one answer is wanted.
func wanted(q *dataset.Question) []dataset.Entity {
	if !q.List || len(q.Entities) > 0 {
		return q.Entities
	}
	out := make([]dataset.Entity, len(q.Answers))
	for i, a := range q.Answers {
		out[i] = dataset.Entity{a}
	}
	return out
}

// steps are the answers of the gold steps; without any, what is wanted.
func steps(q *dataset.Question) []dataset.Entity {
	var out []dataset.Entity
	for _, s := range q.Decomposition {
		if s.Answer == "" {
			continue
		}
		names := dataset.Entity{s.Answer}
		if slices.Contains(q.Answers, s.Answer) && !q.List {
			names = append(names, q.Answers...) // the last step's answer is known by all its names
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

// retrievable are the facts that retrieval is to find: what a question wants
// all of, else the answers of its gold steps, else its answer.
func retrievable(q *dataset.Question) []dataset.Entity {
	if all := wanted(q); len(all) > 0 {
		return stated(all)
	}
	return steps(q)
}

// stated leaves out verdicts, which stand in no passage: they are drawn from
// what does.
func stated(facts []dataset.Entity) []dataset.Entity {
	return slices.DeleteFunc(slices.Clone(facts), func(names dataset.Entity) bool {
		return !slices.ContainsFunc(names, func(n string) bool {
			n = score.Normalize(n)
			return n != "" && n != "yes" && n != "no"
		})
	})
}

// goldTexts are the gold answers as a judge reads them: any one of them, or
// all that is wanted in one.
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

// names are the first names of entities.
func names(entities []dataset.Entity) []string {
	out := make([]string, len(entities))
	for i, e := range entities {
		out[i] = e[0]
	}
	return out
}

func firstOf(answers []string) []string { return answers[:min(1, len(answers))] }
