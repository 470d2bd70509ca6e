package ollama

import (
	"context"
	"fmt"
	"math"

	"github.com/ollama/ollama/api"

	"hopstream/stages/engine/model"
)

// Embed returns one vector per text. A text that does not fit the model's
// context is model.ErrTooLong rather than a vector of its beginning. The
// errors are those of Chat; an answer that is not one finite vector of one
// length for each text is transient.
func (c *Client) Embed(ctx context.Context, texts []string) (*model.Vectors, error) {
	if len(texts) == 0 {
		return &model.Vectors{}, nil
	}
	n := &note{limit: bodyLimit + int64(len(texts))*vectorLimit}
	no := false
	resp, err := c.api.Embed(n.in(ctx), &api.EmbedRequest{
		Model:     c.model,
		Input:     texts,
		KeepAlive: c.keepAlive,
		Truncate:  &no,
		Options:   c.options,
	})
	if err != nil {
		return nil, c.fault(ctx, n, err)
	}
	if err := checkVectors(resp.Embeddings, len(texts)); err != nil {
		return nil, fmt.Errorf("ollama at %s: model %s: %w", c.server, c.model, err)
	}
	return &model.Vectors{Vectors: resp.Embeddings, PromptTokens: max(resp.PromptEvalCount, 0)}, nil
}

func checkVectors(vectors [][]float32, texts int) error {
	if len(vectors) != texts {
		return fmt.Errorf("%d vectors came for %d texts", len(vectors), texts)
	}
	for _, v := range vectors {
		if len(v) == 0 {
			return fmt.Errorf("an empty vector came")
		}
		if len(v) != len(vectors[0]) {
			return fmt.Errorf("vectors of different lengths came: %d and %d", len(vectors[0]), len(v))
		}
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fmt.Errorf("a vector came that holds %v", x)
			}
		}
	}
	return nil
}
