package chat

import (
	"context"

	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

const (
	maxKeywords = 12
	maxKeyword  = 200 // bytes
)

// Keywords returns the words to look query up with, the most telling first
// (LevelRAG's sparse rewriting).
func (e *engine) Keywords(ctx context.Context, query string) ([]string, error) {
	return value(ask(ctx, e, roles.Keywords, "keywords", prompts.Data{Question: query}, texts("keywords", maxKeywords, maxKeyword, listTokens)))
}
