package decomposer

import (
	"context"
	"slices"

	"hopstream/messages"
)

// published follows a plan as MGA-RAG does: it is written and revised once, and
// then asked in the order in which its parts need each other. A plan that cannot
// be begun, which the paper does not speak of, becomes the question itself. Where
// a part needs an answer that was not found, the plan ends: it asks nothing, and
// says why.
func (d *Decomposer) published(ctx context.Context, out *messages.Plan) (cut string, err error) {
	if len(out.Parts) > 0 {
		if !ready(out) {
			cut = "the plan ended early: " + stalled(&out.Head)
		}
		return cut, nil
	}
	parts, err := d.first(ctx, out)
	if err != nil {
		return "", err
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return len(p) > messages.MaxQuestion })
	out.Parts = parts[:min(len(parts), messages.MaxParts)]
	if !ready(out) {
		out.Parts = []string{out.Question}
		ready(out)
	}
	return "", nil
}
