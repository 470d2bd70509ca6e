package runner

import (
	"cmp"
	"context"
	"slices"

	"hopstream/messages"
	"hopstream/stages/log"
)

// collect adds to the head of an expired question the sub-answers that are stored
// and that it does not know of: those of branches that were done while others of
// the round were not. Nothing that was found is thrown away.
func collect(ctx context.Context, l *log.Log, head *messages.Head) error {
	all, err := l.Subanswers(ctx, head.ID)
	if err != nil {
		return err
	}
	known := func(p *messages.Pair) bool {
		return slices.ContainsFunc(head.Pairs, func(o messages.Pair) bool { return o.Round == p.Round && o.Branch == p.Branch })
	}
	head.Pairs = slices.Clip(head.Pairs)
	for _, sub := range all {
		if head.Class == "" { // from before the question was routed
			head.Class, head.PlanState, head.Docs = sub.Class, sub.PlanState, sub.Docs
		}
		for _, p := range append(slices.Clip(sub.Pairs), sub.Pair) { // a question that went on as complex brings its first pair
			if !known(&p) {
				head.Pairs = append(head.Pairs, p)
			}
		}
	}
	slices.SortStableFunc(head.Pairs, func(a, b messages.Pair) int {
		return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Branch, b.Branch))
	})
	return nil
}
