package generator

import (
	"context"
	"fmt"

	"hopstream/messages"
	"hopstream/stages/preview"
)

// direct answers without documents. A question that turns out to need them
// goes to the retriever, as a single one, unless it was rerouted before or
// questions keep the class they were given: then it stays unanswered.
func (g *Generator) direct(ctx context.Context, in *messages.Generate) (messages.Message, error) {
	f, err := g.engine.Direct(preview.Final(ctx), in.Question)
	if err != nil {
		return nil, fmt.Errorf("answer directly: %w", err)
	}
	if f.Text == "" {
		if in.Rerouted != "" || g.opts.Escalate == EscalateNever {
			return messages.NewAnswer(&in.Head, messages.Unanswered, f, NotKnown, g.now()), nil
		}
		head := in.Head
		head.Rerouted = messages.Retrieved
		return messages.FirstRetrieve(head), nil
	}
	return messages.NewAnswer(&in.Head, messages.Answered, f, "", g.now()), nil
}
