package plan

import (
	"strings"

	"hopstream/messages"
	"hopstream/messages/subquestion"
)

// Parts words the plan's steps with placeholders; nil if it has one step only,
// or cannot be worded so.
func (p *Plan) Parts() []string {
	n := len(p.steps)
	if n < 2 || n > messages.MaxParts {
		return nil
	}
	order := p.number()
	if order == nil {
		return nil
	}
	slots := make([]string, n)
	for i, at := range order {
		slots[i] = subquestion.Placeholder(at + 1)
	}
	parts := make([]string, n)
	for i, at := range order {
		parts[at] = p.render(i, slots)
		if len(parts[at]) > messages.MaxQuestion || len(subquestion.References(parts[at], p.Question)) != len(p.needs(i)) {
			return nil
		}
	}
	return parts
}

// number gives each step its place in the plan, from 0. Steps keep their order,
// unless the question itself mentions an amount such as "$1", which is then not
// read as a placeholder: that place goes to a step whose answer no other needs.
// It returns nil where the places do not suffice.
func (p *Plan) number() []int {
	n := len(p.steps)
	order, free := make([]int, n), make([]bool, n)
	for i := range n {
		order[i], free[i] = i, true
	}
	if !strings.ContainsRune(p.Question, '$') {
		return order
	}
	needed := make([]bool, n)
	for i := range n {
		for _, slot := range p.needs(i) {
			needed[slot-1] = true
		}
	}
	place := func(i int, money bool) bool {
		for at := range n {
			if free[at] && strings.Contains(p.Question, subquestion.Placeholder(at+1)) == money {
				free[at], order[i] = false, at
				return true
			}
		}
		return false
	}
	for i := range n {
		if needed[i] && !place(i, false) {
			return nil
		}
	}
	for i := range n {
		if !needed[i] && !place(i, true) && !place(i, false) {
			return nil
		}
	}
	return order
}

// needs returns the slots of step i, each once.
func (p *Plan) needs(i int) []int {
	var out []int
	for _, w := range p.steps[i].ask {
		known := w.slot <= 0
		for _, o := range out {
			known = known || o == w.slot
		}
		if !known {
			out = append(out, w.slot)
		}
	}
	return out
}
