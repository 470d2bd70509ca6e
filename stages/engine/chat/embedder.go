package chat

import (
	"context"
	"errors"

	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
)

// Embed turns texts into vectors, in batches.
func (e *Engine) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	m := e.models[Embedder]
	if m == nil {
		return nil, fault.Permanentf("no model is configured for role %s", Embedder)
	}
	vectors, err := m.Embed(ctx, string(Embedder), texts)
	if errors.Is(err, model.ErrTooLong) {
		err = fault.AsPermanent(errors.Join(err, errors.New("lower aligner.scales or index.chunk_size, or choose an embedder with a longer context")))
	}
	return vectors, err
}
