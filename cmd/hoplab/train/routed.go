package train

import (
	"fmt"
	"io"
	"slices"

	"hopstream/messages"
	"hopstream/stages/engine/builtin"
	"hopstream/stages/engine/builtin/classify"
	"hopstream/stages/engine/builtin/weights"
)

// Routed is what a router is worth.
type Routed struct {
	Accuracy float64     `json:"accuracy"` // mean over the classes, each set of a class counting alike, in percent
	Sets     []RoutedSet `json:"sets"`
}

// RoutedSet is what became of a set's questions.
type RoutedSet struct {
	Set       string         `json:"set"`
	Class     messages.Class `json:"class"` // of all its questions
	Questions int            `json:"questions"`
	Shares    [4]float64     `json:"shares"` // in percent, in the order of classify.Classes
}

// MeasureRouter routes held-out questions with weights.
func MeasureRouter(w *weights.Set, held []Route) *Routed {
	sets := map[string]*RoutedSet{}
	var r Routed
	var order []*RoutedSet
	for i := range held {
		h := &held[i]
		s := sets[h.Set]
		if s == nil {
			s = &RoutedSet{Set: h.Set, Class: h.Class}
			sets[h.Set] = s
			order = append(order, s)
		}
		at := classify.Classes()
		s.Questions++
		s.Shares[slices.Index(at[:], builtin.ClassOf(w, h.Text))]++
	}
	for c, class := range classify.Classes() {
		n, right := 0.0, 0.0
		for _, s := range order {
			if s.Class != class {
				continue
			}
			for k := range s.Shares {
				s.Shares[k] *= 100 / float64(s.Questions)
			}
			n++
			right += s.Shares[c]
		}
		r.Accuracy += right / max(1, n) / 4
	}
	for _, s := range order {
		r.Sets = append(r.Sets, *s)
	}
	return &r
}

func (r *Routed) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "\nrouter: accuracy %.2f %%\n%-22s %9s %-16s", r.Accuracy, "set", "questions", "class")
	for _, class := range classify.Classes() {
		_, _ = fmt.Fprintf(w, " %15s", class)
	}
	_, _ = fmt.Fprintln(w)
	for _, s := range r.Sets {
		_, _ = fmt.Fprintf(w, "%-22s %9d %-16s", s.Set, s.Questions, s.Class)
		for _, share := range s.Shares {
			_, _ = fmt.Fprintf(w, " %15.1f", share)
		}
		_, err = fmt.Fprintln(w)
	}
	return err
}
