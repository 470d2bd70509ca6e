package node

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hopstream/cmd/internal/config"
	"hopstream/index/searcher"
	"hopstream/messages"
)

// Bounds of a SearchRequest.
const (
	MaxSearchK     = 100
	MaxSearchQuery = 4096 // bytes
)

// SearchRequest asks for the K best passages for a query.
type SearchRequest struct {
	Query    string `json:"query"`
	K        int    `json:"k,omitempty"`        // 0: retriever.top_k
	Searcher string `json:"searcher,omitempty"` // empty: all that are configured, fused
}

// SearchReply is what was found.
type SearchReply struct {
	Passages []messages.Passage `json:"passages"` // best first
	Degraded []string           `json:"degraded"` // searchers that failed and what others went on without, each as "name: reason"
	Searcher string             `json:"searcher"` // the names of those asked, with commas
	DocsSeq  uint64             `json:"docs_seq"` // up to where the document stream was searched
}

// ErrRequest marks errors of a request that cannot be met as it is.
var ErrRequest = errors.New("bad request")

type requestError struct{ error }

// Is reports whether target is ErrRequest.
func (requestError) Is(target error) bool { return target == ErrRequest }

func badRequest(format string, args ...any) error {
	return requestError{fmt.Errorf(format, args...)}
}

// Check completes r, and says what is wrong with it; the error is an ErrRequest.
func (r *SearchRequest) Check(c *config.Config) error {
	if r.K == 0 {
		r.K = c.Retriever.TopK
	}
	switch {
	case strings.TrimSpace(r.Query) == "":
		return badRequest("there is nothing to search for: give a text")
	case len(r.Query) > MaxSearchQuery:
		return badRequest("the text has %d bytes: give %d at most", len(r.Query), MaxSearchQuery)
	case r.K < 1 || r.K > MaxSearchK:
		return badRequest("%d passages: ask for 1 to %d", r.K, MaxSearchK)
	case r.Searcher != "" && !slices.Contains(Searchable(c), r.Searcher):
		return badRequest("there is no searcher %q here: choose from %s", r.Searcher, strings.Join(Searchable(c), ", "))
	}
	return nil
}

// Searchable returns the searchers that can be asked for by name: those
// configured, and those that need neither a model nor a setting.
func Searchable(c *config.Config) []string {
	names := slices.Clone(c.Retriever.Searchers)
	for _, row := range searcher.Table() {
		plain := len(row.Roles) == 0 && !slices.ContainsFunc(row.Needs, func(n searcher.Need) bool { return n != searcher.Words && n != searcher.Links })
		if plain && !slices.Contains(names, row.Name) {
			names = append(names, row.Name)
		}
	}
	return names
}
