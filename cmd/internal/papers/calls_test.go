package papers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ollama/ollama/api"

	"hopstream/cmd/hoplab/sim"
	"hopstream/index"
	"hopstream/index/searcher"
	"hopstream/messages"
	"hopstream/prompts"
)

// calls are those made so far, a line each: the prompt or the store, what it is asked,
// and in parentheses of how many passages or pairs.
type calls struct {
	mu       sync.Mutex
	lines    []string
	embedded []string    // texts, by the second number of their vectors
	asked    map[int]int // how often a store was asked for so many passages
}

func (c *calls) note(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append(c.lines, fmt.Sprintf(format, args...))
}

// take returns the calls since it was called last.
func (c *calls) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.lines
	c.lines = nil
	return out
}

// listen notes every prompt and every request for vectors that a server is sent.
func (c *calls) listen(t *testing.T, server http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		switch r.URL.Path {
		case "/api/chat":
			var req api.ChatRequest
			if err := json.Unmarshal(body, &req); err != nil {
				t.Error(err)
			}
			if len(req.Messages) > 0 { // none: it is to load the model
				c.prompt(req.Messages)
			}
		case "/api/embed":
			var req api.EmbedRequest
			if err := json.Unmarshal(body, &req); err != nil {
				t.Error(err)
			}
			if texts, ok := req.Input.([]any); ok && len(texts) > 1 {
				c.note("embed %v and windows", texts[0])
			} else if ok && len(texts) == 1 {
				c.note("embed %v", texts[0])
			}
		}
		server.ServeHTTP(w, r)
	})
}

func (c *calls) prompt(turns []api.Message) {
	if len(turns) != 2 {
		c.note("asked again after %q", turns[len(turns)-2].Content)
		return
	}
	name, d, ok := sim.Read(prompts.Prompt{System: turns[0].Content, User: turns[1].Content})
	if !ok {
		c.note("a prompt that is none of the pipeline's: %q", turns[1].Content)
		return
	}
	switch name {
	case "verify": // of which searcher's passages
		c.note("verify %s in %s", d.Question, d.Passages[0].Title)
	case "refiner", "judge", "completeness", "supplementer", "synthesis":
		c.note("%s %s (%d)", name, d.Question, len(d.Pairs))
	case "relevance_one", "relevance_all", "answerer", "scale_answerer", "summariser":
		c.note("%s %s (%d)", name, d.Question, len(d.Passages))
	case "fusion":
		c.note("fusion %s (%d)", d.Question, len(d.Answers))
	default:
		c.note("%s %s", name, d.Question)
	}
}

// stores are what is searched, and note each search.
type stores struct{ *calls }

var _ searcher.Stores = stores{}

// store is one of them, by the name that its calls and passages have.
type store struct {
	*calls
	name string
}

func (s stores) Words(context.Context) (searcher.Searcher, error) {
	return store{s.calls, "words"}, nil
}
func (s stores) WordIndex(context.Context) (searcher.Finder, error) {
	return store{s.calls, "keywords"}, nil
}
func (s stores) Vectors(context.Context) (searcher.Near, error) { return store{s.calls, "near"}, nil }
func (s stores) Links(context.Context) (searcher.Searcher, error) {
	return store{s.calls, "links"}, nil
}
func (s stores) Weaviate(context.Context) (searcher.Searcher, error) {
	return store{s.calls, "weaviate"}, nil
}
func (s stores) Web(context.Context) (searcher.Searcher, error) { return store{s.calls, "web"}, nil }

// Search finds passages that everything can be answered from.
func (s store) Search(_ context.Context, query string, k int) ([]messages.Passage, error) {
	s.note("%s %s", s.name, query)
	s.mu.Lock()
	s.asked[k]++
	s.mu.Unlock()
	out := make([]messages.Passage, min(k, 10))
	for i := range out {
		text := fmt.Sprintf("Ann did things, says number %d of %s about %s. ", i, s.name, query) + strings.Repeat("There is more to say of things. ", 11)
		out[i] = messages.Passage{ID: fmt.Sprintf("%s-%d-%s", s.name, i, query), Title: s.name, Text: text, Rank: i + 1, Score: 1 / float64(i+1)}
	}
	return out, nil
}

// Find searches with the keywords.
func (s store) Find(ctx context.Context, q index.Query, k int) ([]messages.Passage, error) {
	var words []string
	for _, w := range q.Words {
		words = append(words, w.Text)
	}
	return s.Search(ctx, strings.Join(words, " "), k)
}

// Near searches with the text that a vector was made of.
func (s store) Near(ctx context.Context, vector []float32, k int) ([]messages.Passage, error) {
	s.mu.Lock()
	text := s.embedded[int(vector[1])]
	s.mu.Unlock()
	return s.Search(ctx, text, k)
}

// embed makes vectors that tell the texts they were made of.
func (c *calls) embed(_ context.Context, texts []string) ([][]float32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make([][]float32, len(texts))
	for i, text := range texts {
		at := slices.Index(c.embedded, text)
		if at < 0 {
			at = len(c.embedded)
			c.embedded = append(c.embedded, text)
		}
		out[i] = []float32{1, float32(at)}
	}
	return out, nil
}
