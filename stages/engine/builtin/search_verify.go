package builtin

import (
	"context"

	"hopstream/index/lang"
	"hopstream/messages"
)

// What passages must have to suffice.
const (
	enoughNames = 0.99 // of the query's names, by weight: all
	enoughWords = 0.75 // of all its words
	enoughTrust = 0.3  // that the best answer in them is right
)

// Verify tells whether passages suffice to answer query: they hold all its
// names and most of its other words, and something of the kind asked for
// stands where an answer would. A question that compares needs its words
// somewhere in the passages only. The only error is the context's.
func (e *engine) Verify(ctx context.Context, query string, found []messages.Passage) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	q := parseQuery(clip(query, maxText))
	if len(found) == 0 || len(q.terms) == 0 {
		return false, nil
	}
	sc := e.take()
	defer e.give(sc)
	readWindows(sc, &q, pageWindows(found))
	var all uint64
	for i := range sc.sents {
		all |= sc.sents[i].set | sc.blocks[sc.sents[i].block].inTitle
	}
	if names := q.weigh(q.names); names > 0 && q.weigh(all&q.names) < enoughNames*names || q.share(all) < enoughWords {
		return false, nil
	}
	if q.Type == lang.YesNo || q.Type == lang.Choice {
		return true, nil
	}
	for _, a := range e.attempt(query, pageWindows(found)).tries {
		if a.Confidence >= enoughTrust {
			return true, nil
		}
	}
	return false, nil
}

// pageWindows are passages as the answering half reads them.
func pageWindows(found []messages.Passage) []messages.Window {
	out := make([]messages.Window, min(len(found), maxPages))
	for i := range out {
		p := &found[i]
		out[i] = messages.Window{Passage: p.ID, Title: p.Title, Text: p.Text, Score: 1 / float64(i+1)}
	}
	return out
}
