package searcher

import (
	"context"
	"slices"
)

// The names of the searchers in a configuration.
const (
	NameBM25     = "bm25"
	NameLinks    = "links"
	NameSparse   = "sparse"
	NameDense    = "dense"
	NameWeaviate = "weaviate"
	NameIntents  = "intents"
	NameWeb      = "web"
)

// table is every searcher that can be configured, in the order in which people
// are told of them. Names, validation, the roles that have to be there and the
// searchers themselves derive from it: another searcher is its file, a name and
// a row.
var table = []Row{
	{NameBM25, "by words, in the store as it is", []Need{Words}, nil,
		func(ctx context.Context, d *Deps) (Searcher, error) { return d.Stores.Words(ctx) }},
	{NameLinks, "ranked by what passages say and whom they name", []Need{Links}, nil,
		func(ctx context.Context, d *Deps) (Searcher, error) { return d.Stores.Links(ctx) }},
	{NameSparse, "keywords, refined until what they find suffices", []Need{WordIndex}, []string{"keywords", "refinement", "verifier"}, newSparse},
	{NameDense, "vectors", []Need{Vectors}, []string{"embedder", "pseudo_document", "verifier"}, newDense},
	{NameWeaviate, "Weaviate's own search, in its configured mode", []Need{Weaviate}, []string{"embedder"},
		func(ctx context.Context, d *Deps) (Searcher, error) { return d.Stores.Weaviate(ctx) }},
	{NameIntents, "a query per statement of a hypothetical answer", []Need{Words}, []string{"hypothesiser", "statements"}, newIntents},
	{NameWeb, "another search engine's abstracts", []Need{Web}, nil,
		func(ctx context.Context, d *Deps) (Searcher, error) { return d.Stores.Web(ctx) }},
}

// Row is one searcher that can be configured.
type Row struct {
	// Name is what configurations call it.
	Name string
	// Help says in one line how it searches.
	Help string
	// Needs are the stores and services that New opens.
	Needs []Need
	// Roles are the roles of an engine that it asks, by their names.
	Roles []string
	// New makes the searcher. It returns the errors of Stores as they are.
	New func(ctx context.Context, d *Deps) (Searcher, error)
}

// Need is a store or service that a searcher searches.
type Need string

// What searchers need.
const (
	Words     Need = "words"      // passages found by words, in whatever store there is
	WordIndex Need = "word index" // passages found by words, by structured queries
	Vectors   Need = "vectors"    // passages found by vector
	Links     Need = "links"      // passages and whom they name
	Weaviate  Need = "weaviate"   // a Weaviate server
	Web       Need = "web"        // a search engine on the web, which has none of the documents
)

// Has reports whether the searcher needs n.
func (r Row) Has(n Need) bool { return slices.Contains(r.Needs, n) }

// ReadsDocuments reports whether the searcher has an index of the documents,
// which it can be behind with; the web has not.
func (r Row) ReadsDocuments() bool {
	return slices.ContainsFunc(r.Needs, func(n Need) bool { return n != Web })
}

// Table returns a row per searcher that can be configured, in the order in
// which people are told of them.
func Table() []Row { return slices.Clone(table) }

// Names returns their names, in the same order.
func Names() []string {
	names := make([]string, len(table))
	for i, r := range table {
		names[i] = r.Name
	}
	return names
}

// Lookup returns the row of the searcher called name. If there is none it
// returns an empty row, which needs nothing and has no New, and false.
func Lookup(name string) (Row, bool) {
	for _, r := range table {
		if r.Name == name {
			return r, true
		}
	}
	return Row{}, false
}

// Stores opens what searchers search, when it is asked for. What several ask
// for is opened once.
type Stores interface {
	// Words is what finds passages by words, in whatever store there is.
	Words(ctx context.Context) (Searcher, error)
	// WordIndex is what takes structured queries, in whatever store there is.
	WordIndex(ctx context.Context) (Finder, error)
	// Vectors is the store that finds passages by vector.
	Vectors(ctx context.Context) (Near, error)
	// Links is the store that ranks passages by whom they name too.
	Links(ctx context.Context) (Searcher, error)
	// Weaviate is Weaviate's own search, in its configured mode.
	Weaviate(ctx context.Context) (Searcher, error)
	// Web is the web's search engine.
	Web(ctx context.Context) (Searcher, error)
}

// Roles are the roles that searchers ask. An engine plays them all.
type Roles interface {
	Embedder
	Rewriter
	Operators
	Verifier
	Expander
	Hypothesiser
}

// Deps is what the searchers of a table are made from.
type Deps struct {
	// Stores opens what is searched.
	Stores Stores
	// Roles is the engine that is asked.
	Roles Roles
	// Depth is how many passages each query of several contributes at least.
	Depth int
	// Refinements are how many operators the sparse searcher tries one after
	// the other, and pseudo-documents the dense one writes; 0 means none.
	Refinements int
	// Verifications bound how often the sparse searcher asks whether what it
	// found suffices; 0 means that it does not ask.
	Verifications int
	// IntentsOverDense has the statements of hypothetical answers searched for by
	// their vectors, as their paper has it, and not by their words.
	IntentsOverDense bool
	// OnGiveUp is told what a search goes on without; nil means that nobody is.
	OnGiveUp GiveUp
}

// exactly is n for options whose zero is a default and whose negative is none.
func exactly(n int) int {
	if n == 0 {
		return -1
	}
	return n
}
