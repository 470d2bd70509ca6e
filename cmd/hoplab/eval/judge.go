package eval

import (
	"context"
	"fmt"

	"hopstream/cmd/hoplab/equivalent"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/engines"
	"hopstream/stages/engine/chat"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// equivalence judges whether a prediction means the same as one of the gold
// answers (MGA-RAG's accuracy).
type equivalence interface {
	Equivalent(ctx context.Context, question, prediction string, golds []string) (bool, error)
}

// judge is the role that only evaluation asks, with the model it has.
type judge struct {
	equivalence
	models map[roles.Role]*model.Model
}

// openJudge returns the judge of answers. It fails if the judge's model is not
// on its server, before anything is measured.
func openJudge(ctx context.Context, a *cli.App) (*judge, error) {
	if a.Config.EngineOf(roles.Equivalence) != config.EngineOllama {
		return &judge{equivalence: equivalent.Judge{}}, nil
	}
	models, err := engines.NewModels(&a.Config, []roles.Role{roles.Equivalence}, nil, a.Log, nil)
	if err != nil {
		return nil, err
	}
	j := &judge{chat.New(&roles.Set{}, models, chat.Options{NoFallback: true}), models}
	ctx, cancel := context.WithTimeout(ctx, engines.CheckTime)
	defer cancel()
	if err := models[roles.Equivalence].Check(ctx); err != nil {
		j.close()
		return nil, fmt.Errorf("--judge: %w", err)
	}
	return j, nil
}

// close waits for requests that nobody waits for any more.
func (j *judge) close() {
	for _, m := range j.models {
		m.Close()
	}
}
