package weaviate

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/filters"
	"github.com/weaviate/weaviate-go-client/v4/weaviate/graphql"

	"hopstream/index/links"
	"hopstream/messages"
)

// Links returns a searcher that follows what passages name, whatever the
// store's mode. All it needs lies in the server: beside each passage what it is
// called, from the same moment as the passage itself. What a passage names is
// looked up when a question is asked, so links need no care as documents come
// and go.
func (s *Store) Links() *links.Finder { return links.NewFinder(&linked{store: s}) }

// linked is the store as a source of linked passages.
type linked struct {
	store *Store

	mu      sync.Mutex
	sample  *links.Sample
	size    int       // passages in the class when the sample was taken
	taken   time.Time // when it was
	checked time.Time // when the size was last compared
}

var _ links.Source = (*linked)(nil)

// Words searches by words.
func (l *linked) Words(ctx context.Context, question string, k int) ([]messages.Passage, error) {
	s := l.store
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	words, any := clean(question)
	if !any {
		return nil, nil
	}
	return s.byWords(ctx, words, k)
}

// Called looks up passages by what they are called. Only where there are more
// than k are they searched by the words of the question.
func (l *linked) Called(ctx context.Context, question string, keys []string, k int) ([]messages.Passage, error) {
	s := l.store
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		same, _ := clean(key)
		return same != key
	})
	if len(keys) == 0 {
		return nil, nil
	}
	where := filters.Where().WithPath([]string{propKeys}).WithOperator(filters.ContainsAny).WithValueText(keys...)
	get := func() *graphql.GetBuilder {
		return s.conn.graphql.Get().WithClassName(s.opts.Class).WithLimit(k).WithWhere(where).WithFields(passageFields...)
	}
	found, err := s.list(ctx, "look up names", get())
	if err != nil || len(found) < k {
		return found, err
	}
	words, any := clean(question)
	if !any {
		return found, nil
	}
	bm25 := s.conn.graphql.Bm25ArgBuilder().WithQuery(words).WithProperties(propTitle, propText)
	near, err := s.list(ctx, "look up names", get().WithBM25(bm25))
	if err != nil {
		return nil, err
	}
	// Half of the places are for those that share no word with the question.
	return append(near[:min(len(near), k-k/2)], found[:k/2]...), nil
}

const (
	checkAfter = 5 * time.Second  // how often the size is compared
	retakeFor  = 10 * time.Minute // how long a sample may serve while passages change
)

// Sample returns a sample of the class, taken anew when its size has changed
// by a tenth, or after a while by anything.
func (l *linked) Sample(ctx context.Context) (*links.Sample, error) {
	if err := l.store.usable(ctx); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sample != nil && time.Since(l.checked) < checkAfter {
		return l.sample, nil
	}
	size, err := l.store.count(ctx, nil)
	if err != nil {
		return nil, err
	}
	l.checked = time.Now()
	change := max(size-l.size, l.size-size)
	if l.sample != nil && (change == 0 || change*10 < l.size && time.Since(l.taken) < retakeFor) {
		return l.sample, nil
	}
	ps, err := l.store.some(ctx, links.SampleSize)
	if err != nil {
		return nil, err
	}
	l.sample, l.size, l.taken = links.NewSample(ps), size, time.Now()
	return l.sample, nil
}

// some returns n passages. The server lists objects in the order of their IDs,
// which are hashes: the first ones are a random choice.
func (s *Store) some(ctx context.Context, n int) ([]messages.Passage, error) {
	var all []messages.Passage
	for after := firstUUID; len(all) < n; {
		limit := min(500, n-len(all))
		r, err := s.conn.graphql.Get().WithClassName(s.opts.Class).WithLimit(limit).WithAfter(after).
			WithFields(append([]graphql.Field{{Name: "_additional", Fields: []graphql.Field{{Name: "id"}}}}, passageFields...)...).Do(ctx)
		data, err := answer(ctx, "read some passages", r, err)
		if err != nil {
			return nil, err
		}
		found := listOf(data, "Get", s.opts.Class)
		for _, o := range found {
			all = append(all, passageOf(o))
			additional, _ := o["_additional"].(map[string]any)
			after, _ = additional["id"].(string)
		}
		if len(found) < limit || after == "" {
			break
		}
	}
	return all, nil
}

// firstUUID comes before all others.
const firstUUID = "00000000-0000-0000-0000-000000000000"

var passageFields = []graphql.Field{{Name: propPassage}, {Name: propTitle}, {Name: propText}, {Name: propHeading}, {Name: propPlace}}

// list returns the passages that a query without scores finds.
func (s *Store) list(ctx context.Context, what string, b *graphql.GetBuilder) ([]messages.Passage, error) {
	r, err := b.Do(ctx)
	data, err := answer(ctx, what, r, err)
	if err != nil {
		return nil, err
	}
	var ps []messages.Passage
	for _, o := range listOf(data, "Get", s.opts.Class) {
		if p := passageOf(o); p.ID != "" {
			ps = append(ps, p)
		}
	}
	return ps, nil
}
