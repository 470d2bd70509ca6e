package chat

import (
	"context"
	"errors"
	"strings"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// Supplement returns the atomic queries that are missing, given what was
// found, which may be none; without pairs, those to begin with (LevelRAG).
func (e *engine) Supplement(ctx context.Context, question string, pairs []messages.Pair) ([]string, error) {
	least := 0
	if len(pairs) == 0 {
		least = 1
	}
	return value(ask(ctx, e, roles.Supplementer, "supplementer", prompts.Data{Question: question, Pairs: found(pairs)},
		form[[]string]{"queries", textList("queries", least, messages.MaxBranches), listTokens, func(o model.Object, _ int) ([]string, error) {
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
		}}))
}
