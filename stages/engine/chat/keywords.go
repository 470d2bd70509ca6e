package chat

import (
	"context"
	"errors"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

const (
	maxKeywords = 12
	maxKeyword  = 200 // bytes
)

var keywordsSchema = textList("keywords", 1, maxKeywords)

// Keywords returns the words to look query up with, the most telling first
// (LevelRAG's sparse rewriting).
func (e *Engine) Keywords(ctx context.Context, query string) ([]string, error) {
	a, err := ask(ctx, e, Keywords, model.Question[[]string]{
		Schema: keywordsSchema, MaxTokens: listTokens, Key: "keywords",
		Messages: func(int) []model.Message { return turns(prompts.KeywordsInput{Question: query}.Prompt()) },
		Read: func(o model.Object, _ int) ([]string, error) {
			return plainTexts(o, "keywords", maxKeywords, maxKeyword)
		},
	}, func() ([]string, error) { return e.opts.Fallback.Keywords(ctx, query) })
	return a.Value, err
}

// plainTexts reads a list of texts that must not be empty.
func plainTexts(o model.Object, key string, count, max int) ([]string, error) {
	texts, err := o.Texts(key, count, max)
	if err == nil && len(texts) == 0 {
		err = errors.New(`"` + key + `" is empty`)
	}
	for i := range texts {
		texts[i] = prompts.Plain(texts[i])
	}
	return texts, err
}

// pages are passages as a prompt shows them.
func pages(passages []messages.Passage) []prompts.Passage {
	out := make([]prompts.Passage, len(passages))
	for i, p := range passages {
		out[i] = prompts.Passage{Title: p.Title, Text: p.Text}
	}
	return out
}
