package chat

import (
	"context"
	"errors"

	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// Embed turns texts into vectors, in batches.
func (e *engine) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	m := e.models[roles.Embedder]
	if m == nil {
		return nil, fault.Permanentf("no model is configured for role %s", roles.Embedder)
	}
	vectors, err := m.Embed(ctx, string(roles.Embedder), texts)
	if errors.Is(err, model.ErrTooLong) {
		err = fault.AsPermanent(errors.Join(err, errors.New("lower aligner.scales or index.chunk_size, or choose an embedder with a longer context")))
	}
	return vectors, err
}
