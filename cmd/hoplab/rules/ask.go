package rules

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"time"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/eval"
	"hopstream/cmd/hoplab/report"
	"hopstream/cmd/internal/cli"
)

// window is how many questions are asked at once.
const window = 32

// Effect is what a rule does to the questions of a set: how many came by it, and how
// many have another answer without it, a better one and a worse one by their F1.
type Effect struct {
	Set     string `json:"set"`
	Came    int    `json:"came"`
	Changed int    `json:"changed"`
	Better  int    `json:"better"`
	Worse   int    `json:"worse"`
}

// measured is a line that the program with switches writes: what a rule does, or,
// first and with Rule -1, how many questions there are of each set (Came), and how
// long it took to ask them one by one.
type measured struct {
	Rule    int           `json:"rule"`
	Effects []Effect      `json:"effects"`
	Took    time.Duration `json:"took,omitempty"`
}

// asker asks questions with rules switched off.
type asker struct {
	switches
	sets []*asked
}

// asked is a data set, with the answers where nothing is off, and the switches that
// each question came by.
type asked struct {
	*eval.Live
	answers []report.Record
	by      []map[int]bool
}

// ask asks all questions, and then, for each rule from the given one on, those that
// came by it again without it. It writes a line for each rule that questions came by.
func ask(ctx context.Context, a *cli.App, sw switches, o Options, paths []string, rules, from int, out io.Writer) (err error) {
	app := *a
	app.Config.NATS.URL = ""
	app.Config.Stages = maps.Clone(app.Config.Stages)
	for name, c := range app.Config.Stages { // what fails without its rule fails at once
		c.Attempts = 1
		app.Config.Stages[name] = c
	}
	k := &asker{switches: sw}
	defer func() {
		for _, s := range k.sets {
			err = errors.Join(err, s.Close())
		}
	}()
	for _, p := range paths {
		l, err := eval.Open(ctx, &app, p, o.Limit)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(k.sets, func(s *asked) bool { return s.Set.Name == l.Set.Name }) {
			err = cli.Usagef("two data sets are called %s: rename one of them", l.Set.Name)
		}
		k.sets = append(k.sets, &asked{Live: l})
		if err != nil {
			return err
		}
	}
	sizes, start := measured{Rule: -1}, time.Now()
	for _, s := range k.sets {
		if err := k.asWritten(ctx, s); err != nil {
			return err
		}
		sizes.Effects = append(sizes.Effects, Effect{Set: s.Set.Name, Came: len(s.answers)})
	}
	sizes.Took = time.Since(start)
	enc := json.NewEncoder(out)
	if err := enc.Encode(sizes); err != nil {
		return err
	}
	for rule := from; rule < rules; rule++ {
		m := measured{Rule: rule}
		for _, s := range k.sets {
			e, err := k.without(ctx, rule, s)
			if err != nil {
				return err
			}
			if e.Came > 0 {
				m.Effects = append(m.Effects, e)
			}
		}
		if err := enc.Encode(m); err != nil {
			return err
		}
	}
	return nil
}

// asWritten asks a set's questions one after the other, with all rules on.
func (k *asker) asWritten(ctx context.Context, s *asked) error {
	k.came()
	for i := range s.Set.Questions {
		r, err := s.Ask(ctx, []*dataset.Question{&s.Set.Questions[i]}, 1)
		if err != nil {
			return err
		}
		by := map[int]bool{}
		for _, n := range k.came() {
			by[n] = true
		}
		s.answers, s.by = append(s.answers, r[0]), append(s.by, by)
	}
	return nil
}

// without asks the questions of a set that came by a rule, without it.
func (k *asker) without(ctx context.Context, rule int, s *asked) (Effect, error) {
	e := Effect{Set: s.Set.Name}
	var questions []*dataset.Question
	var before []report.Record
	for i := range s.answers {
		if s.by[i][rule] {
			questions, before = append(questions, &s.Set.Questions[i]), append(before, s.answers[i])
		}
	}
	e.Came = len(questions)
	if e.Came == 0 {
		return e, nil
	}
	k.turn(rule)
	defer k.turn(-1)
	after, err := s.Ask(ctx, questions, window)
	for i := range after {
		switch a, b := &before[i], &after[i]; {
		case a.F1 > b.F1:
			e.Worse++
		case a.F1 < b.F1:
			e.Better++
		}
		if a, b := &before[i], &after[i]; a.Answer != b.Answer || a.Status != b.Status {
			e.Changed++
		}
	}
	return e, err
}

// total adds up the effects on all sets.
func total(effects []Effect) (t Effect) {
	for _, e := range effects {
		t.Came += e.Came
		t.Changed += e.Changed
		t.Better += e.Better
		t.Worse += e.Worse
	}
	return t
}

// sets returns how many sets a rule changes.
func sets(effects []Effect) int {
	return len(slices.DeleteFunc(slices.Clone(effects), func(e Effect) bool { return e.Changed == 0 }))
}
