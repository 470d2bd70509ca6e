package searcher

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"hopstream/index"
	"hopstream/messages"
)

// parts plays the stores and the roles, and writes down who is asked.
type parts struct {
	opened []Need
	mu     sync.Mutex
	asked  []string
	err    error // of every store
}

func (p *parts) open(n Need) error {
	p.opened = append(p.opened, n)
	return p.err
}

func (p *parts) role(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.asked, name) {
		p.asked = append(p.asked, name)
	}
}

var one = []messages.Passage{{ID: "a", Text: "alpha", Rank: 1, Score: 1}}

// always is a store that finds the same whatever is asked.
type always struct{}

func (always) Search(context.Context, string, int) ([]messages.Passage, error) { return one, nil }

func (always) Find(context.Context, index.Query, int) ([]messages.Passage, error) { return one, nil }

func (always) Near(context.Context, []float32, int) ([]messages.Passage, error) { return one, nil }

func (p *parts) Words(context.Context) (Searcher, error)    { return always{}, p.open(Words) }
func (p *parts) WordIndex(context.Context) (Finder, error)  { return always{}, p.open(WordIndex) }
func (p *parts) Vectors(context.Context) (Near, error)      { return always{}, p.open(Vectors) }
func (p *parts) Links(context.Context) (Searcher, error)    { return always{}, p.open(Links) }
func (p *parts) Weaviate(context.Context) (Searcher, error) { return always{}, p.open(Weaviate) }
func (p *parts) Web(context.Context) (Searcher, error)      { return always{}, p.open(Web) }

func (p *parts) Embed(_ context.Context, texts []string) ([][]float32, error) {
	p.role("embedder")
	return make([][]float32, len(texts)), nil
}

func (p *parts) Keywords(context.Context, string) ([]string, error) {
	p.role("keywords")
	return []string{"alpha"}, nil
}

func (p *parts) operate() (string, error) {
	p.role("refinement")
	return "beta", nil
}

func (p *parts) Extend(context.Context, string, []string, []messages.Passage) (string, error) {
	return p.operate()
}

func (p *parts) Emphasise(context.Context, string, []string, []messages.Passage) (string, error) {
	return p.operate()
}

func (p *parts) Exclude(context.Context, string, []string, []messages.Passage) (string, error) {
	return p.operate()
}

func (p *parts) Verify(context.Context, string, []messages.Passage) (bool, error) {
	p.role("verifier")
	return false, nil
}

func (p *parts) PseudoDocument(context.Context, string, []messages.Passage) (string, error) {
	p.role("pseudo_document")
	return "alpha is beta", nil
}

func (p *parts) Statements(_ context.Context, _ string, answers []string) ([]string, error) {
	p.role("statements")
	return answers, nil
}

func (p *parts) Hypothesise(context.Context, string) ([]string, error) {
	p.role("hypothesiser")
	return []string{"alpha is beta"}, nil
}

// TestTable holds that every row makes a searcher that finds something, opens
// what the row says that it needs, and asks the roles that the row names.
func TestTable(t *testing.T) {
	t.Parallel()
	if len(Names()) != len(Table()) {
		t.Fatalf("%d names of %d rows", len(Names()), len(Table()))
	}
	for i, row := range Table() {
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			if found, ok := Lookup(row.Name); !ok || found.Help != row.Help || Names()[i] != row.Name || row.Help == "" {
				t.Errorf("looked up %+v, %v", found, ok)
			}
			p := &parts{}
			s, err := row.New(t.Context(), &Deps{Stores: p, Roles: p, Depth: 5, Refinements: 1, Verifications: 5})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := s.Search(t.Context(), "what is alpha", 3); err != nil || len(got) != 1 || got[0].ID != "a" {
				t.Errorf("found %v, %v", got, err)
			}
			if !slices.Equal(p.opened, row.Needs) {
				t.Errorf("opened %v, and the row says %v", p.opened, row.Needs)
			}
			want := slices.Sorted(slices.Values(row.Roles))
			if row.Has(Weaviate) {
				want = nil // the store itself embeds
			}
			if slices.Sort(p.asked); !slices.Equal(p.asked, want) {
				t.Errorf("asked %v, and the row says %v", p.asked, want)
			}
			away := errors.New("away")
			if s, err := row.New(t.Context(), &Deps{Stores: &parts{err: away}, Roles: p}); !errors.Is(err, away) {
				t.Errorf("without its store: %v, %v", s, err)
			}
		})
	}
	if row, ok := Lookup("no such"); ok || row.New != nil {
		t.Errorf("looked up %+v, %v", row, ok)
	}
}

// TestTableNoRefinement: 0 means none here, and a default in the options of
// the searchers.
func TestTableNoRefinement(t *testing.T) {
	t.Parallel()
	for _, name := range []string{NameSparse, NameDense} {
		p := &parts{}
		row, _ := Lookup(name)
		s, err := row.New(t.Context(), &Deps{Stores: p, Roles: p})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Search(t.Context(), "what is alpha", 3); err != nil {
			t.Error(err)
		}
		if slices.Contains(p.asked, "refinement") || slices.Contains(p.asked, "pseudo_document") {
			t.Errorf("%s asked %v", name, p.asked)
		}
	}
}
