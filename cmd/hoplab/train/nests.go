package train

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/index/lang"
	"hopstream/stages/engine/builtin/linear"
	"hopstream/stages/engine/builtin/plan"
)

// Nests returns the choices on the way to taking questions apart, of the sets in the
// folder root: of those that say which steps their questions have, and of those whose
// questions take one, as far as seen allows. What the folder of paraphrases has is taken
// apart like the question.
func Nests(root, paraphrases string, seen func(*Example) bool) (lessons []linear.Group, err error) {
	d := newDrawer(root)
	learn := func(set string, all []record, entities func(*record) []plan.Entity) error {
		other, err := dataset.OtherWords(paraphrases, set)
		for i := range all {
			r := &all[i]
			for _, text := range []string{r.Question, other[r.ID]} {
				if e := entities(r); e != nil && text != "" {
					lessons = append(lessons, plan.Lessons(text, e)...)
				}
			}
		}
		return err
	}
	for _, set := range []string{"musique", "2wikimultihopqa", "hotpotqa", "nq"} {
		all, err := d.all(set)
		if err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(r record) bool {
			x := &Example{Set: set, Whole: r.ID}
			if set == "nq" {
				x = &Example{Set: set, ID: r.ID, Gold: map[string]bool{r.Supporting[0]: true}}
			}
			if !seen(x) {
				d.out[letters(r.Question)] = true
				return true
			}
			return false
		})
		entities := (*record).entities
		if set == "nq" { // a question of one step: what it nests needs not be found first
			entities = func(*record) []plan.Entity { return []plan.Entity{{}} }
		}
		if err := learn(set, all, entities); err != nil {
			return nil, err
		}
	}
	all, err := d.all("break")
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(r record) bool { return d.out[letters(r.Question)] })
	return lessons, learn("break", all, (*record).entities)
}

// FitNests returns the weights of what questions nest.
func FitNests(lessons []linear.Group) *linear.Model {
	return linear.Fit(lessons, linear.Options{Epochs: 15, Seen: 10, Rate: 0.03, Seed: 1})
}

// entities returns what a question asks for on the way to its answer, the answer last;
// nil if its steps are not known, or do not lead from one to the next: where they
// compare, count or compute.
func (r *record) entities() (out []plan.Entity) {
	if len(r.Decomposition) == 0 || strings.Contains(r.Type, "comparison") || r.Type == "inference" {
		return nil
	}
	at := make([]int, len(r.Decomposition)) // the entity of a step
	needed := map[int]bool{}
	for i := range r.Decomposition {
		e := r.entity(i, at)
		switch kind := r.operator(i); {
		case kind == "filter" && len(e.Needs) > 0: // says more of the same
			at[i] = e.Needs[0]
			same := &out[at[i]]
			maps.Copy(same.Words, e.Words)
			same.Needs = append(same.Needs, e.Needs[1:]...)
			continue
		case kind != "" && kind != "select" && kind != "project" && kind != "filter":
			return nil
		}
		for _, n := range e.Needs {
			needed[n] = true
		}
		at[i] = len(out)
		out = append(out, e)
	}
	if len(needed) < len(out)-1 || needed[len(out)-1] {
		return nil
	}
	return out
}

// operator is what step i does; empty where the set does not say.
func (r *record) operator(i int) string {
	if len(r.Operators) == 0 {
		return ""
	}
	return r.Operators[i]
}

// entity returns what step i asks for; at has the entities of the steps before.
func (r *record) entity(i int, at []int) plan.Entity {
	e := plan.Entity{Words: map[string]bool{}}
	for _, w := range strings.Fields(marks.Replace(r.step(i))) {
		if n, err := strconv.Atoi(strings.TrimPrefix(w, "#")); err == nil && w[0] == '#' && n >= 1 && n <= i {
			e.Needs = append(e.Needs, at[n-1])
			continue
		}
		for _, t := range lang.Tokens(w) {
			if !t.Stop {
				e.Words[t.Stem] = true
			}
		}
	}
	return e
}

var marks = strings.NewReplacer(">>", " ", "?", " ", "'", " '", ",", " ")

// step is what a step asks, with a number in the place of the answer of another.
func (r *record) step(i int) string {
	text := r.Decomposition[i].Question
	for k := range i {
		if a := r.Decomposition[k].Answer; a != "" && !strings.Contains(text, "#") {
			text = strings.ReplaceAll(text, a, "#"+strconv.Itoa(k+1))
		}
	}
	return text
}
