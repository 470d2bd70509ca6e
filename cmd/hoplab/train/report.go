package train

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"hopstream/cmd/hoplab/score"
	"hopstream/stages/engine/builtin"
	"hopstream/stages/engine/builtin/read"
	"hopstream/stages/engine/builtin/weights"
	"hopstream/stages/engine/roles"
)

// Measured is what weights are worth on the questions of one set: percentages of
// those that have an answer, unless said otherwise.
type Measured struct {
	Set       string  `json:"set"`
	Questions int     `json:"questions"` // that have an answer
	Found     float64 `json:"found"`     // a right unit is in the passages found
	Kept      float64 `json:"kept"`      // … in those judged relevant
	Unit      float64 `json:"unit"`      // the best unit is right
	EM        float64 `json:"em"`
	F1        float64 `json:"f1"`
	Right     float64 `json:"right"`   // see rightAnswer
	Prose     float64 `json:"prose"`   // answered in sentences
	AUROC     float64 `json:"auroc"`   // 0 to 1: of right answers against others
	Refused   float64 `json:"refused"` // of those without an answer, where nine of ten right ones are kept
	Risk      []Risk  `json:"risk"`
}

// Risk is what is given at a threshold of confidence.
type Risk struct {
	Threshold float64 `json:"threshold"`
	Given     float64 `json:"given"`    // of the questions that have an answer
	Right     float64 `json:"right"`    // … and right
	EM        float64 `json:"em"`       // … word for word
	F1        float64 `json:"f1"`       // of all, with what is not given as 0
	Invented  float64 `json:"invented"` // of those without an answer, given one
}

// thresholds are the confidences that Risk is told for.
var thresholds = []float64{0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5}

// trial is a question that was asked once.
type trial struct {
	Measured         // each 0 or 1, but for F1 and Right
	conf     float64 // 0 if it was not answered
	none     bool    // the passages have no answer
}

// Measure answers examples with weights, and once more without the passages that
// answer them.
func Measure(ctx context.Context, w *weights.Set, all []*Example) ([]*Measured, error) {
	e := builtin.New(builtin.Options{Keep: keep, Weights: w})
	r := read.New(w.Units, w.Forms, w.Rarity)
	made, err := each(ctx, all, func(x *Example) []trial {
		out := []trial{try(e, r, x)}
		if y := x.withheld(); y != nil {
			out = append(out, try(e, r, y))
		}
		return out
	})
	if err != nil {
		return nil, err
	}
	sets := map[string][]trial{}
	for _, t := range slices.Concat(made...) {
		sets[t.Set] = append(sets[t.Set], t)
	}
	var out []*Measured
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		out = append(out, sum(name, sets[name]))
	}
	return out, nil
}

// try asks one question.
func try(e *roles.Set, r *read.Reader, x *Example) trial {
	t := trial{none: x.Unanswerable, Measured: Measured{Set: x.Set}}
	p := r.Read(r.Question(x.Question), textsOf(x.Passages))
	_, at := p.Observed()
	windows := kept(e, x)
	best := p.Best()
	for k, ok := range x.rightUnits(p, at) {
		if ok == 0 {
			continue
		}
		t.Found = 1
		if at[k] == best {
			t.Unit = 1
		}
		for _, v := range windows {
			if v.Passage == p.Texts[p.Units[at[k]].Text].ID {
				t.Kept = 1
			}
		}
	}
	f, err := e.Answer(context.Background(), x.Question, windows)
	if err != nil || f.Text == "" {
		return t
	}
	prose := len(strings.Fields(f.Text)) > proseWords
	em, f1 := x.against(f.Text)
	t.EM, t.F1, t.Prose, t.conf = float64(yes(em)), f1, float64(yes(prose)), f.Confidence
	t.Right = float64(x.rightAnswer(f.Text, prose))
	return t
}

// proseWords is how many words an answer has at most that counts as a span.
const proseWords = 8

// sum adds up the trials of a set.
func sum(set string, all []trial) *Measured {
	m := &Measured{Set: set}
	var right, wrong, none []float64
	for i := range all {
		t := &all[i]
		switch {
		case t.none:
			none = append(none, t.conf)
			continue
		case t.Right >= 0.5:
			right = append(right, t.conf)
		case t.conf > 0:
			wrong = append(wrong, t.conf)
		}
		m.Questions++
		for k, v := range m.shares() {
			*v += *t.shares()[k]
		}
	}
	for _, v := range m.shares() {
		*v *= 100 / float64(max(1, m.Questions))
	}
	m.AUROC, _ = score.AUROC(right, append(wrong, none...))
	if len(right) > 0 && len(none) > 0 {
		slices.Sort(right)
		least, refused := right[len(right)/10], 0
		for _, c := range none {
			refused += int(yes(c < least))
		}
		m.Refused = 100 * float64(refused) / float64(len(none))
	}
	for _, at := range thresholds {
		m.Risk = append(m.Risk, riskAt(at, all))
	}
	return m
}

func riskAt(threshold float64, all []trial) Risk {
	r := Risk{Threshold: threshold}
	n, none := 0.0, 0.0
	for i := range all {
		t := &all[i]
		given := float64(yes(t.conf > 0 && t.conf >= threshold))
		if t.none {
			none++
			r.Invented += given
			continue
		}
		n++
		r.Given += given
		r.Right += given * float64(yes(t.Right >= 0.5))
		r.EM += given * t.EM
		r.F1 += given * t.F1
	}
	for _, v := range []*float64{&r.Given, &r.Right, &r.EM, &r.F1} {
		*v *= 100 / max(1, n)
	}
	r.Invented *= 100 / max(1, none)
	return r
}

func (m *Measured) shares() []*float64 {
	return []*float64{&m.Found, &m.Kept, &m.Unit, &m.EM, &m.F1, &m.Right, &m.Prose}
}

// Print prints a line for each set, and then one for each threshold.
func Print(w io.Writer, all []*Measured) error {
	_, err := fmt.Fprintf(w, "%-22s %9s %6s %6s %6s %6s %6s %6s %6s %6s %8s\n", "set", "questions", "found", "kept", "unit", "EM", "F1", "right", "prose", "AUROC", "refused")
	for _, m := range all {
		if err == nil {
			_, err = fmt.Fprintf(w, "%-22s %9d %6.1f %6.1f %6.1f %6.1f %6.1f %6.1f %6.1f %6.3f %8.1f\n", m.Set, m.Questions, m.Found, m.Kept, m.Unit, m.EM, m.F1, m.Right, m.Prose, m.AUROC, m.Refused)
		}
	}
	if err == nil {
		_, err = fmt.Fprintf(w, "\n%-22s %9s %6s %6s %6s %6s %8s\n", "set", "threshold", "given", "right", "EM", "F1", "invented")
	}
	for _, m := range all {
		for _, r := range m.Risk {
			if err == nil {
				_, err = fmt.Fprintf(w, "%-22s %9.2f %6.1f %6.1f %6.1f %6.1f %8.1f\n", m.Set, r.Threshold, r.Given, r.Right, r.EM, r.F1, r.Invented)
			}
		}
	}
	return err
}
