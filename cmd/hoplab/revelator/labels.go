package revelator

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"hopstream/index/document"
	"hopstream/messages"
)

// Labeller tells whether a passage helps to answer a question, as a large model
// does for the paper (HANRAG 4.2). ok is false where it could not say.
type Labeller interface {
	Relevant(ctx context.Context, question string, p messages.Passage) (relevant, ok bool, err error)
}

// unlabelled is a question with the passages that are to be labelled: those a
// search shows, as it ranks them, and behind them gold ones that it missed.
type unlabelled struct {
	lookup
	passages []messages.Passage
	shown    int
}

// toLabel picks the passages of l's own split for the labeller.
func (m *material) toLabel(l lookup, good, found []messages.Passage) unlabelled {
	u := unlabelled{lookup: l}
	for _, p := range found {
		if len(u.passages) < shownPassages && m.splits.ofDocument(l.set, document.DocID(p.ID)) == l.split {
			u.passages = append(u.passages, p)
		}
	}
	u.shown = len(u.passages)
	for _, p := range good {
		if !slices.ContainsFunc(u.passages, func(q messages.Passage) bool { return q.ID == p.ID }) {
			u.passages = append(u.passages, p)
		}
	}
	return u
}

// sample returns at most most of the questions, of each split its share.
func sample(all []lookup, most int) []lookup {
	if most <= 0 || len(all) <= most {
		return all
	}
	total, taken := map[Split]int{}, map[Split]int{}
	for _, l := range all {
		total[l.split]++
	}
	var out []lookup
	for _, l := range all { // in drawn order
		if taken[l.split]*len(all) < total[l.split]*most {
			taken[l.split]++
			out = append(out, l)
		}
	}
	return out
}

// label has every passage labelled, several questions at a time, and adds what
// that teaches, in the questions' order.
func (m *material) label(ctx context.Context, all []unlabelled, o *Options, one, list map[Split][]Example, step func()) error {
	verdicts := make([][]verdictOn, len(all))
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(max(1, o.AtOnce))
	steps := make(chan struct{}, len(all))
	for i, u := range all {
		group.Go(func() error {
			for _, p := range u.passages {
				yes, ok, err := o.Labels.Relevant(running, u.text, p)
				if err != nil {
					return err
				}
				verdicts[i] = append(verdicts[i], verdictOn{yes, ok})
			}
			steps <- struct{}{}
			return nil
		})
		for len(steps) > 0 {
			<-steps
			step()
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for range len(steps) {
		step()
	}
	for i, u := range all {
		u.examples(verdicts[i], o.Negatives, one, list)
	}
	return nil
}

// verdictOn is what a labeller said of a passage.
type verdictOn struct{ yes, ok bool }

// examples adds each passage that helps, as many wrong ones as wanted for each of
// them (and for a question without any, once), the best ranked first, and the
// passages shown together if all of them have a label.
func (u unlabelled) examples(labels []verdictOn, negatives int, one, list map[Split][]Example) {
	var relevant []int
	good, whole := 0, u.shown > 0
	for i, v := range labels {
		whole = whole && (v.ok || i >= u.shown)
		if !v.ok || !v.yes {
			continue
		}
		good++
		one[u.split] = append(one[u.split], relevanceExample(u.text, u.passages[i], true))
		if i < u.shown {
			relevant = append(relevant, i+1)
		}
	}
	left := negatives * max(1, good)
	for i, v := range labels {
		if v.ok && !v.yes && left > 0 {
			left--
			one[u.split] = append(one[u.split], relevanceExample(u.text, u.passages[i], false))
		}
	}
	if whole {
		list[u.split] = append(list[u.split], relevanceAllExample(u.text, u.passages[:u.shown], relevant))
	}
}
