package eval

import (
	"slices"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/oracle"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/node"
	"hopstream/stages"
)

// parts returns what the options change about the node that is measured. Every
// hop is stored, even to stages that are off: what was retrieved is read from
// the message to the filter.
func (o Options) parts(set *dataset.Set) node.Options {
	p := node.Options{EveryHop: true}
	if o.Oracle {
		p.Over = func(base stages.Engine) stages.Engine { return oracle.New(set.Questions, base) }
	}
	if o.GoldRelevance {
		p.Over = func(base stages.Engine) stages.Engine { return oracle.Relevance(set.Questions, base) }
	}
	return p
}

// engine names the engine that answers the stages, for the report.
func (o Options) engine(a *cli.App) string {
	if o.Oracle {
		return "oracle over " + a.Config.Engine
	}
	if o.GoldRelevance {
		return "gold relevance over " + a.Config.Engine
	}
	return a.Config.Engine
}

// goldAnswers fails as wrong use if --oracle is given and a data set has no
// gold answers.
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
