package chat

import (
	"context"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

var routerSchema = schema("class", `{"enum":["straightforward","single","compound","complex"]}`)

// Classify tells which of HANRAG's four classes a question is.
func (e *Engine) Classify(ctx context.Context, question string) (messages.Class, error) {
	var allowed []string
	for _, c := range messages.Classes() {
		allowed = append(allowed, string(c))
	}
	a, err := ask(ctx, e, Router, model.Question[messages.Class]{
		Schema: routerSchema, MaxTokens: verdictTokens, Key: "class",
		Messages: func(int) []model.Message { return turns(prompts.RouterInput{Question: question}.Prompt()) },
		Read: func(o model.Object, _ int) (messages.Class, error) {
			class, err := o.Choice("class", allowed...)
			return messages.Class(class), err
		},
	}, func() (messages.Class, error) { return e.opts.Fallback.Classify(ctx, question) })
	return a.Value, err
}
