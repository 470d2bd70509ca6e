package main

import (
	"context"
	"fmt"

	"hopstream/stages/engine/chat"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// equivalence judges whether a prediction means the same as one of the gold
// answers (MGA-RAG's accuracy).
type equivalence interface {
	Equivalent(ctx context.Context, question, prediction string, golds []string) (bool, error)
}

// evalJudge is the role that only evaluation asks, with the model it has.
type evalJudge struct {
	equivalence
	models map[roles.Role]*model.Model
}

// openJudge returns who judges answers. Its model is asked whether it is
// there before anything is measured with it.
func (a *app) openJudge(ctx context.Context, e *engines) (*evalJudge, error) {
	if a.cfg.engineOf(roles.Equivalence) != engineOllama {
		return &evalJudge{equivalence: e}, nil
	}
	models, err := newModels(&a.cfg, []roles.Role{roles.Equivalence}, nil, a.log)
	if err != nil {
		return nil, err
	}
	j := &evalJudge{chat.New(&roles.Set{}, models, chat.Options{NoFallback: true}), models}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	if err := models[roles.Equivalence].Check(ctx); err != nil {
		j.close()
		return nil, fmt.Errorf("--judge: %w", err)
	}
	return j, nil
}

// close waits for requests whose callers have left.
func (j *evalJudge) close() {
	for _, m := range j.models {
		m.Close()
	}
}
