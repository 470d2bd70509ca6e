package chat

import (
	"context"
	"errors"
	"strings"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

// Supplement returns the atomic queries that are missing, given what was
// found, which may be none; without pairs, those to begin with (LevelRAG).
func (e *Engine) Supplement(ctx context.Context, question string, pairs []messages.Pair) ([]string, error) {
	least := 0
	if len(pairs) == 0 {
		least = 1
	}
	a, err := ask(ctx, e, Supplementer, model.Question[[]string]{
		Schema: textList("queries", least, messages.MaxBranches), MaxTokens: listTokens, Key: "queries",
		Messages: func(int) []model.Message {
			return turns(prompts.SupplementerInput{Question: question, Pairs: found(pairs)}.Prompt())
		},
		Read: func(o model.Object, _ int) ([]string, error) {
			queries, err := o.Texts("queries", messages.MaxBranches, messages.MaxQuestion)
			kept := queries[:0]
			for _, q := range queries {
				if q = strings.TrimSpace(unlessNone(prompts.Plain(q))); q != "" {
					kept = append(kept, q)
				}
			}
			if err == nil && len(kept) < least {
				err = errors.New(`"queries" is empty`)
			}
			return kept, err
		},
	}, func() ([]string, error) { return e.opts.Fallback.Supplement(ctx, question, pairs) })
	return a.Value, err
}
