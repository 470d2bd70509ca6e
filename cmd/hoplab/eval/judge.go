package eval

import (
	"context"
	"fmt"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/engines"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/ollama"
)

// judge is the role that only evaluation asks, with the model it has.
type judge struct {
	engines.Equivalence
	models map[ollama.Role]*model.Model
}

// openJudge returns who judges answers. Its model is asked whether it is
// there before anything is measured with it.
func openJudge(ctx context.Context, a *cli.App, e *engines.Engines) (*judge, error) {
	if a.Config.EngineOf(ollama.Equivalence) != config.EngineOllama {
		return &judge{Equivalence: e}, nil
	}
	models, err := engines.NewModels(&a.Config, []ollama.Role{ollama.Equivalence}, nil, a.Log)
	if err != nil {
		return nil, err
	}
	j := &judge{ollama.New(models, ollama.Options{}), models}
	ctx, cancel := context.WithTimeout(ctx, engines.CheckTime)
	defer cancel()
	if err := models[ollama.Equivalence].Check(ctx); err != nil {
		j.close()
		return nil, fmt.Errorf("--judge: %w", err)
	}
	return j, nil
}

// close waits for requests whose callers have left.
func (j *judge) close() {
	for _, m := range j.models {
		m.Close()
	}
}
