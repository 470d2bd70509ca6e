package weaviate

import (
	"context"
	"fmt"
	"math"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/filters"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/graphql"
	"github.com/weaviate/weaviate/entities/models"

	"hopstream/index/document"
	"hopstream/index/links"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// maxRequest bounds the size of a batch of long passages, about.
const maxRequest = 16 << 20

// object is one object of a batch, and what to call it in an error.
type object struct {
	*models.Object
	name string
}

// put sends passages, with their vectors if there are any.
func (s *Store) put(ctx context.Context, batch []entry, vectors [][]float32) error {
	var objects []object
	size := 0
	flush := func() error {
		err := s.send(ctx, fmt.Sprintf("store %d passages", len(objects)), objects)
		objects, size = nil, 0
		return err
	}
	for i, e := range batch {
		c := s.conn.data.Creator().WithClassName(s.opts.Class).WithID(e.uuid).WithProperties(e.properties())
		if vectors != nil {
			c = c.WithVector(vectors[i])
			size += 12 * len(vectors[i])
		}
		o, err := c.PayloadObject()
		if err != nil {
			return err
		}
		objects = append(objects, object{o, e.ID})
		if size += len(e.Text) + len(e.Title) + 500; size >= maxRequest {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// properties are those that e is stored with.
func (e *entry) properties() map[string]any {
	p := map[string]any{
		propPassage: e.ID, propDocument: document.Whole(e.document), propTitle: e.Title, propText: e.Searched(),
		propN: e.n, propOf: e.of, propKey: uuid(e.document), propHash: e.hash,
		propKeys: keysOf(e.Passage), propPlace: messages.PackPlace(e.Place),
	}
	if above := e.Above(); above != "" {
		p[propHeading] = above
	}
	return p
}

// keysOf returns what a passage is called, as it is stored.
func keysOf(p messages.Passage) []string {
	if keys := links.Keys(p); keys != nil {
		return keys
	}
	return []string{}
}

// send sends objects in one request. The server judges each for itself, and
// answers 200 whatever it thought of them.
func (s *Store) send(ctx context.Context, what string, objects []object) error {
	if len(objects) == 0 {
		return nil
	}
	b := s.conn.batch.ObjectsBatcher()
	names := make(map[string]string, len(objects))
	for _, o := range objects {
		b.WithObjects(o.Object)
		names[string(o.ID)] = o.name
	}
	results, err := b.Do(ctx)
	if err != nil {
		return classify(ctx, what, err)
	}
	if len(results) != len(objects) {
		return fmt.Errorf("weaviate: %s: the server answers for %d", what, len(results))
	}
	failed, first := 0, ""
	for _, r := range results {
		if r.Result == nil || r.Result.Errors == nil && (r.Result.Status == nil || *r.Result.Status != models.ObjectsGetResponseAO2ResultStatusFAILED) {
			continue
		}
		if failed++; failed == 1 {
			first = fmt.Sprintf("%q: no reason given", names[string(r.ID)])
			if r.Result.Errors != nil {
				first = fmt.Sprintf("%q: %s", names[string(r.ID)], messagesOf(r.Result.Errors))
			}
		}
	}
	if failed > 0 {
		return refusal(fmt.Sprintf("%s: %d refused", what, failed), first)
	}
	return nil
}

// known returns the hashes of those passages that are stored.
func (s *Store) known(ctx context.Context, batch []entry) (map[string]string, error) {
	if len(batch) == 0 {
		return nil, nil
	}
	ids := make([]string, len(batch))
	for i, e := range batch {
		ids[i] = e.uuid
	}
	const what = "look up stored passages"
	r, err := s.conn.graphql.Get().WithClassName(s.opts.Class).
		WithWhere(filters.Where().WithPath([]string{"id"}).WithOperator(filters.ContainsAny).WithValueText(ids...)).
		WithLimit(len(ids)).
		WithFields(graphql.Field{Name: propHash}, graphql.Field{Name: "_additional", Fields: []graphql.Field{{Name: "id"}}}).
		Do(ctx)
	data, err := answer(ctx, what, r, err)
	if err != nil {
		return nil, err
	}
	known := make(map[string]string, len(ids))
	for _, o := range listOf(data, "Get", s.opts.Class) {
		additional, _ := o["_additional"].(map[string]any)
		id, _ := additional["id"].(string)
		known[id], _ = o[propHash].(string)
	}
	return known, nil
}

// embed returns the vectors of the passages, each of the given length if that
// is not 0; none without an embedder.
func (s *Store) embed(ctx context.Context, batch []entry, dimension int) ([][]float32, error) {
	if s.opts.Embedder == nil || len(batch) == 0 {
		return nil, nil
	}
	texts := make([]string, len(batch))
	for i, e := range batch {
		if texts[i] = e.Searched(); e.Title != "" {
			texts[i] = e.Title + "\n" + texts[i]
		}
	}
	vectors, err := s.opts.Embedder.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("embed passages: %w", err)
	}
	if len(vectors) != len(texts) {
		return nil, fault.Permanentf("the embedder gave %d vectors for %d passages", len(vectors), len(texts))
	}
	for i, v := range vectors {
		if dimension == 0 {
			dimension = len(v)
		}
		if err := s.checkVector(v, dimension); err != nil {
			return nil, fmt.Errorf("embed passage %q: %w", batch[i].ID, err)
		}
	}
	return vectors, nil
}

// checkVector says what is wrong with a vector; dimension 0 means any length.
func (s *Store) checkVector(v []float32, dimension int) error {
	switch {
	case len(v) == 0:
		return fault.Permanentf("a vector is empty")
	case dimension > 0 && len(v) != dimension:
		return fault.Permanentf("a vector has length %d, and those in the Weaviate class %s have %d: use the embedder it was filled with, or reset the store, or use another class name", len(v), s.opts.Class, dimension)
	}
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return fault.Permanentf("a vector contains %v", x)
		}
	}
	return nil
}
