package main

import (
	"slices"

	"hopstream/cmd/hopstream/dataset"
	"hopstream/cmd/hopstream/oracle"
	"hopstream/stages"
)

// parts are what the options change about the node that is measured. What was
// retrieved is told by the message to the filter, also where that is off.
func (o evalOptions) parts(set *dataset.Set) nodeParts {
	p := nodeParts{everyHop: true}
	if o.oracle {
		p.over = func(base stages.Engine) stages.Engine { return oracle.New(set.Questions, base) }
	}
	return p
}

// engine names who answers the stages.
func (o evalOptions) engine(a *app) string {
	if o.oracle {
		return "oracle over " + a.cfg.Engine
	}
	return a.cfg.Engine
}

// goldAnswers refuses an oracle that knows no answers.
func (o evalOptions) goldAnswers(sets []*dataset.Set) error {
	if !o.oracle {
		return nil
	}
	for _, s := range sets {
		if !slices.ContainsFunc(s.Questions, func(q dataset.Question) bool { return len(q.Answers)+len(q.Entities) > 0 }) {
			return usagef("--oracle answers by the gold, and no question of %s has any", s.Name)
		}
	}
	return nil
}
