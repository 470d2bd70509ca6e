package chat

import (
	"context"
	"strings"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// Extend returns a word or name to look for besides, or "" (LevelRAG).
func (e *engine) Extend(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	return e.operator(ctx, "extend", query, keywords, found)
}

// Emphasise returns the keyword that should count more, or "" (LevelRAG).
// Where there are no keywords, no model is asked.
func (e *engine) Emphasise(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	if len(keywords) == 0 {
		return "", nil
	}
	return e.operator(ctx, "emphasise", query, keywords, found)
}

// Exclude returns a word whose passages are not wanted, or "" (LevelRAG).
// Where nothing was found, there is nothing to exclude, and no model is asked.
func (e *engine) Exclude(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	if len(found) == 0 {
		return "", nil
	}
	return e.operator(ctx, "exclude", query, keywords, found)
}

// operator asks for one word.
func (e *engine) operator(ctx context.Context, prompt, query string, keywords []string, found []messages.Passage) (string, error) {
	word, err := value(ask(ctx, e, roles.Refinement, prompt,
		prompts.Data{Question: query, Keywords: keywords, Passages: pages(found)}, text("word", maxKeyword, verdictTokens)))
	return strings.Trim(unlessNone(word), `"`), err
}
