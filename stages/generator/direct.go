package generator

import (
	"context"
	"fmt"

	"hopstream/messages"
)

// direct answers without documents. A question that turns out to need them
// goes to the retriever, as a single one.
func (g *Generator) direct(ctx context.Context, in *messages.Generate) (messages.Message, error) {
	f, err := g.engine.Direct(ctx, in.Question)
	if err != nil {
		return nil, fmt.Errorf("answer directly: %w", err)
	}
	if f.Text == "" {
		head := in.Head
		head.Rerouted = messages.Retrieved
		return messages.FirstRetrieve(head), nil
	}
	return messages.NewAnswer(&in.Head, messages.Answered, f, "", g.now()), nil
}
