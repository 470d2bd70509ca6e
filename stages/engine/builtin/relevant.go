package builtin

import (
	"context"
	"math"
	"slices"

	"hopstream/messages"
	"hopstream/stages/engine/builtin/read"
)

// maxPassage bounds the bytes that are read of a passage.
const maxPassage = 16 << 10

// Relevant judges which passages are worth reading for query: the Options.Keep whose
// best units answer it best, or all where there are no more. The error is nil.
func (e *engine) Relevant(_ context.Context, query string, passages []messages.Passage) ([]bool, error) {
	out := make([]bool, len(passages))
	texts := make([]read.Text, len(passages))
	for i := range texts {
		texts[i] = read.Text{ID: passages[i].ID, Title: passages[i].Title, Text: clip(passages[i].Text, maxPassage)}
	}
	query = read.Respelled(clip(query, maxText), texts)
	page := e.reader.Read(e.reader.Question(query), texts)
	defer e.reader.Done(page)
	best, order := make([]float32, len(passages)), make([]int, len(passages))
	for i := range best {
		best[i], order[i] = float32(math.Inf(-1)), i
	}
	for i := range page.Units {
		u := &page.Units[i]
		best[u.Text] = max(best[u.Text], u.Score)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case best[a] > best[b]:
			return -1
		case best[a] < best[b]:
			return 1
		}
		return 0
	})
	for _, i := range order[:min(e.opts.Keep, len(order))] {
		out[i] = true
	}
	return out, nil
}
