package chat

import (
	"context"
	"strings"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// Supplement returns the atomic queries that are missing, given what was found,
// which may be none (LevelRAG).
func (e *engine) Supplement(ctx context.Context, question string, pairs []messages.Pair) ([]string, error) {
	return value(ask(ctx, e, roles.Supplementer, "supplementer", prompts.Data{Question: question, Pairs: found(pairs)},
		form[[]string]{"queries", textList("queries", 0, maxQueries), listTokens, func(o model.Object, _ int) ([]string, error) {
			queries, err := o.Texts("queries", maxQueries, messages.MaxQuestion)
			kept := queries[:0]
			for _, q := range queries {
				if q = strings.TrimSpace(unlessNone(prompts.Plain(q))); q != "" {
					kept = append(kept, q)
				}
			}
			return kept, err
		}}))
}
