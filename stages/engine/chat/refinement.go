package chat

import (
	"context"
	"strings"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

var wordSchema = schema("word", `{"type":"string"}`)

// Extend returns a word or name to be found in addition, or "" (LevelRAG).
func (e *Engine) Extend(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	return e.refine(ctx, query, keywords, found,
		func(r prompts.Refining) prompts.Prompt { return prompts.ExtendInput(r).Prompt() },
		func() (string, error) { return e.opts.Fallback.Extend(ctx, query, keywords, found) })
}

// Emphasise returns the keyword that should count more, or "" (LevelRAG).
func (e *Engine) Emphasise(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	if len(keywords) == 0 {
		return "", nil
	}
	return e.refine(ctx, query, keywords, found,
		func(r prompts.Refining) prompts.Prompt { return prompts.EmphasiseInput(r).Prompt() },
		func() (string, error) { return e.opts.Fallback.Emphasise(ctx, query, keywords, found) })
}

// Exclude returns a word whose passages are not wanted, or "" (LevelRAG).
// Where nothing was found, nothing is unwanted, and no model is asked.
func (e *Engine) Exclude(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	if len(found) == 0 {
		return "", nil
	}
	return e.refine(ctx, query, keywords, found,
		func(r prompts.Refining) prompts.Prompt { return prompts.ExcludeInput(r).Prompt() },
		func() (string, error) { return e.opts.Fallback.Exclude(ctx, query, keywords, found) })
}

// refine asks for one word. Passages that do not fit the context are not
// shown.
func (e *Engine) refine(ctx context.Context, query string, keywords []string, found []messages.Passage,
	prompt func(prompts.Refining) prompts.Prompt, fallback func() (string, error)) (string, error) {
	shown := pages(found)
	a, err := ask(ctx, e, Refinement, model.Question[string]{
		Schema: wordSchema, MaxTokens: verdictTokens, Key: "word", Items: len(shown),
		Messages: func(n int) []model.Message {
			return turns(prompt(prompts.Refining{Question: query, Keywords: keywords, Passages: shown[:n]}))
		},
		Read: func(o model.Object, _ int) (string, error) {
			word, err := o.Text("word", maxKeyword)
			return strings.Trim(unlessNone(prompts.Plain(word)), `"`), err
		},
	}, fallback)
	return a.Value, err
}
