package builtin

import (
	"cmp"
	"context"
	"slices"

	"hopstream/messages"
	"hopstream/stages/engine/builtin/read"
)

const (
	maxPassage  = 16 << 10 // bytes that are read of a passage
	searchShare = 3        // what the best search score is worth, beside the scores of units
)

// Relevant judges which passages are worth reading for query: the Options.Keep of which
// the best unit answers it best, by the reader, and the searcher that found them. The
// error is nil.
func (e *engine) Relevant(_ context.Context, query string, passages []messages.Passage) ([]bool, error) {
	texts := make([]read.Text, len(passages))
	top := 0.0
	for i := range texts {
		texts[i] = read.Text{ID: passages[i].ID, Title: passages[i].Title, Text: clip(passages[i].Text, maxPassage)}
		top = max(top, passages[i].Score)
	}
	page := e.reader.Read(e.reader.Question(read.Respelled(clip(query, maxText), texts)), texts)
	defer e.reader.Done(page)
	worth, order := make([]float64, len(passages)), make([]int, len(passages))
	for i := range worth {
		worth[i], order[i] = read.Least, i
	}
	for i := range page.Units {
		u := &page.Units[i]
		worth[u.Text] = max(worth[u.Text], float64(u.Score))
	}
	for i := range worth {
		if top > 0 {
			worth[i] += searchShare * passages[i].Score / top
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	out := make([]bool, len(passages))
	for _, i := range order[:min(e.opts.Keep, len(order))] {
		out[i] = true
	}
	return out, nil
}
