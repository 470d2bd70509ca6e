package weaviate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/filters"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/graphql"
	"github.com/weaviate/weaviate/entities/models"

	"hopstream/messages"
	"hopstream/messages/fault"
)

const (
	// maxResults is the most results of one search: the server's own limit
	// (QUERY_MAXIMUM_RESULTS) unless it is set otherwise.
	maxResults = 10_000
	// More results than asked for are fetched, so that the equally good ones
	// at the end are those with the first IDs: up to maxTies more.
	firstTies = 8
	maxTies   = 128
)

// Search returns the k best passages for query (at most 10,000), best first
// and, of equal scores, by ID; Rank counts from 1. Scores are BM25's, cosines,
// or the server's mixture, as the mode is. Any text is a query. Of more than
// 128 passages that are as good as the last one returned, the server chooses.
func (s *Store) Search(ctx context.Context, query string, k int) ([]messages.Passage, error) {
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	words, hasWords := clean(query)
	if k <= 0 || words == "" || s.opts.Mode == BM25 && !hasWords {
		return nil, nil
	}
	if s.opts.Mode == BM25 {
		return s.byWords(ctx, words, k)
	}
	vectors, err := s.opts.Embedder.Embed(ctx, []string{query})
	switch {
	case err != nil:
		return nil, fmt.Errorf("embed the query: %w", err)
	case len(vectors) != 1:
		return nil, fault.Permanentf("the embedder gave %d vectors for a query", len(vectors))
	}
	if s.opts.Mode == Vector || !hasWords {
		return s.Near(ctx, vectors[0], k)
	}
	if err := s.checkQuery(ctx, vectors[0]); err != nil {
		return nil, err
	}
	hybrid := s.conn.graphql.HybridArgumentBuilder().WithQuery(words).WithVector(vectors[0]).
		WithAlpha(float32(s.opts.Alpha)).WithProperties([]string{propTitle, propText}).WithFusionType(graphql.RelativeScore)
	return s.best(ctx, k, func(b *graphql.GetBuilder) { b.WithHybrid(hybrid) })
}

func (s *Store) byWords(ctx context.Context, words string, k int) ([]messages.Passage, error) {
	bm25 := s.conn.graphql.Bm25ArgBuilder().WithQuery(words).WithProperties(propTitle, propText)
	return s.best(ctx, k, func(b *graphql.GetBuilder) { b.WithBM25(bm25) })
}

// Near returns the k passages nearest to vector, with the cosine as score, in
// the order that Search has. A vector of another length than those stored is a
// permanent error.
func (s *Store) Near(ctx context.Context, vector []float32, k int) ([]messages.Passage, error) {
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	if k <= 0 {
		return nil, nil
	}
	if err := s.checkQuery(ctx, vector); err != nil {
		return nil, err
	}
	near := s.conn.graphql.NearVectorArgBuilder().WithVector(vector)
	return s.best(ctx, k, func(b *graphql.GetBuilder) { b.WithNearVector(near) })
}

// checkQuery compares a query's vector with those stored. A process that only
// searches may have been opened before the first was.
func (s *Store) checkQuery(ctx context.Context, v []float32) error {
	st := *s.state.Load()
	if st.dimension == 0 {
		var err error
		if st, _, err = s.load(ctx); err != nil {
			return err
		}
	}
	if err := s.checkEmbedder(st); err != nil {
		return err
	}
	return s.checkVector(v, st.dimension)
}

// best runs a search until it is sure of the k best.
func (s *Store) best(ctx context.Context, k int, with func(*graphql.GetBuilder)) ([]messages.Passage, error) {
	k = min(k, maxResults)
	for extra := firstTies; ; extra = maxTies {
		limit := min(k+extra, maxResults)
		hits, err := s.fetch(ctx, limit, with)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(hits, func(a, b messages.Passage) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
		})
		if len(hits) == limit && limit < maxResults && extra < maxTies && hits[k-1].Score == hits[limit-1].Score {
			continue
		}
		hits = hits[:min(k, len(hits))]
		for i := range hits {
			hits[i].Rank = i + 1
		}
		if len(hits) == 0 {
			return nil, nil
		}
		return hits, nil
	}
}

func (s *Store) fetch(ctx context.Context, limit int, with func(*graphql.GetBuilder)) ([]messages.Passage, error) {
	b := s.conn.graphql.Get().WithClassName(s.opts.Class).WithLimit(limit).WithFields(append(passageFields[:len(passageFields):len(passageFields)],
		graphql.Field{Name: "_additional", Fields: []graphql.Field{{Name: "score"}, {Name: "distance"}}})...)
	with(b)
	r, err := b.Do(ctx)
	data, err := answer(ctx, "search", r, err)
	if err != nil {
		return nil, err
	}
	found := listOf(data, "Get", s.opts.Class)
	hits := make([]messages.Passage, 0, len(found))
	for _, o := range found {
		p := passageOf(o)
		if p.ID == "" {
			continue // put there by somebody else
		}
		additional, _ := o["_additional"].(map[string]any)
		if p.Score, err = scoreOf(additional); err != nil {
			return nil, err
		}
		hits = append(hits, p)
	}
	return hits, nil
}

// scoreOf reads the distance of a vector search, or the score of another,
// which comes as text.
func scoreOf(additional map[string]any) (float64, error) {
	if d, ok := additional["distance"].(float64); ok {
		return 1 - d, nil
	}
	text, _ := additional["score"].(string)
	score, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("weaviate: search: a result has neither score nor distance: %v", additional)
	}
	return score, nil
}

// Passages returns how many passages the store holds, as last counted if the
// server is away.
func (s *Store) Passages() int { return s.counted(&s.passages, nil) }

// Documents returns how many documents the passages come from, as last counted
// if the server is away.
func (s *Store) Documents() int {
	first := filters.Where().WithPath([]string{propN}).WithOperator(filters.Equal).WithValueInt(0)
	return s.counted(&s.documents, first)
}

func (s *Store) counted(last interface {
	Store(int64)
	Load() int64
}, where *filters.WhereBuilder) int {
	ctx, cancel := context.WithTimeout(context.Background(), s.opts.Timeout)
	defer cancel()
	if s.usable(ctx) == nil {
		if n, err := s.count(ctx, where); err == nil {
			last.Store(int64(n))
		}
	}
	return int(last.Load())
}

func (s *Store) count(ctx context.Context, where *filters.WhereBuilder) (int, error) {
	b := s.conn.graphql.Aggregate().WithClassName(s.opts.Class).
		WithFields(graphql.Field{Name: "meta", Fields: []graphql.Field{{Name: "count"}}})
	if where != nil {
		b = b.WithWhere(where)
	}
	r, err := b.Do(ctx)
	data, err := answer(ctx, "count passages", r, err)
	if err != nil {
		return 0, err
	}
	for _, o := range listOf(data, "Aggregate", s.opts.Class) {
		meta, _ := o["meta"].(map[string]any)
		if n, ok := meta["count"].(float64); ok {
			return int(n), nil
		}
	}
	return 0, fmt.Errorf("weaviate: count passages: no count in the answer")
}

// listOf returns the objects of a GraphQL answer.
func listOf(data map[string]models.JSONObject, verb, class string) []map[string]any {
	byClass, _ := data[verb].(map[string]any)
	list, _ := byClass[class].([]any)
	objects := make([]map[string]any, 0, len(list))
	for _, item := range list {
		if o, ok := item.(map[string]any); ok {
			objects = append(objects, o)
		}
	}
	return objects
}
