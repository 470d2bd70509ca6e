package eval

import (
	"slices"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/oracle"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/node"
	"hopstream/stages"
)

// parts are what the options change about the node that is measured. What was
// retrieved is told by the message to the filter, also where that is off.
func (o Options) parts(set *dataset.Set) node.Options {
	p := node.Options{EveryHop: true}
	if o.Oracle {
		p.Over = func(base stages.Engine) stages.Engine { return oracle.New(set.Questions, base) }
	}
	return p
}

// engine names who answers the stages.
func (o Options) engine(a *cli.App) string {
	if o.Oracle {
		return "oracle over " + a.Config.Engine
	}
	return a.Config.Engine
}

// goldAnswers refuses an oracle that knows no answers.
func (o Options) goldAnswers(sets []*dataset.Set) error {
	if !o.Oracle {
		return nil
	}
	for _, s := range sets {
		if !slices.ContainsFunc(s.Questions, func(q dataset.Question) bool { return len(q.Answers)+len(q.Entities) > 0 }) {
			return cli.Usagef("--oracle answers by the gold, and no question of %s has any", s.Name)
		}
	}
	return nil
}
