package stages

import (
	"slices"

	"hopstream/messages"
)

// Place says where an output stands relative to its input.
type Place int

// The places.
const (
	Whole      Place = iota // the question as a whole
	SameRound               // the input's round
	NextRound               // the round after the input's
	Same                    // the input's round and branch
	FirstRound              // round 1
	First                   // round 1, branch 1
)

// Output is a kind of message a stage may write, and where.
type Output struct {
	Kind messages.Kind
	At   Place
	// Of limits the output to questions of one class; empty means any.
	Of messages.Class
}

// Key returns the key of the output for an input with head h.
func (o Output) Key(h *messages.Head) messages.Key {
	switch o.At {
	case SameRound:
		return messages.Key{ID: h.ID, Round: h.Round}
	case NextRound:
		return messages.Key{ID: h.ID, Round: h.Round + 1}
	case Same:
		return messages.Key{ID: h.ID, Round: h.Round, Branch: h.Branch}
	case FirstRound:
		return messages.Key{ID: h.ID, Round: 1}
	case First:
		return messages.Key{ID: h.ID, Round: 1, Branch: 1}
	}
	return messages.Key{ID: h.ID}
}

// outputsPastSkipped adds, to every stage before one that may be off, what
// that one writes. They are there whether it is off or not: the process whose
// delivery is repeated may have been configured otherwise.
func outputsPastSkipped(table []Stage) {
	for i := len(table) - 1; i >= 0; i-- {
		s := &table[i]
		own := len(s.Outputs)
		for j := range own {
			for _, next := range table {
				if next.Off == nil || next.Input != s.Outputs[j].Kind {
					continue
				}
				for _, out := range next.Outputs {
					if !slices.Contains(s.Outputs, out) {
						s.Outputs = append(s.Outputs, out)
					}
				}
			}
		}
	}
}
