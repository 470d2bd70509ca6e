package builtin

import (
	"context"

	"hopstream/messages"
)

// Summarise answers the query.
func (e *Engine) Summarise(ctx context.Context, query string, windows []messages.Window) (messages.Finding, error) {
	return e.Answer(ctx, query, windows)
}
