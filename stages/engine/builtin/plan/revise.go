package plan

// Revise returns plan or a better one: what is superfluous is taken out; if
// faults are left, the question is taken apart in other ways, the least
// faulty of which counts.
func (l *Planner) Revise(question string, plan []string) []string {
	best := l.without(question, plan)
	left := faultsOf(question, best)
	if left == 0 {
		return best
	}
	for _, parts := range l.ways(question) {
		if n := faultsOf(question, parts); n < left {
			best, left = parts, n
		}
	}
	return best
}

// ways returns the plans that question can be parsed into, the deepest
// first; the last is the question itself.
func (l *Planner) ways(question string) [][]string {
	var out [][]string
	add := func(p *Plan) {
		if p.Question = question; p.Parts() != nil {
			out = append(out, p.Parts())
		}
	}
	p := l.Of(question)
	add(p)
	for n := maxSteps - 1; n > 0; n-- {
		if q := parseWords(question); len(q) > 0 && (p.Compare || n < len(p.steps)-1) {
			add(l.nested(q, n))
		}
	}
	return append(out, []string{question})
}
