package main

import (
	"cmp"
	"context"
	"slices"

	"hopstream/index/document"
	"hopstream/messages"
)

// trail is what a question's messages tell of its way through the stages.
type trail struct {
	queries   []string           // searched for
	retrieved []messages.Passage // of all sub-queries, interleaved by rank
	kept      []messages.Passage // by the filter
	windows   []messages.Window  // of the aligner
	direct    bool               // an answer without retrieval was tried first
	planned   messages.Class     // as which a question of several parts was routed
}

// trail reads a question's messages from the log.
func (s *session) trail(ctx context.Context, id string) (trail, error) {
	var t trail
	type branch struct{ round, branch int }
	aligned := map[branch]bool{}
	for _, kind := range []messages.Kind{messages.KindDecompose, messages.KindFilter, messages.KindAlign, messages.KindGenerate} {
		whole := s.link.names.Subject(kind, messages.Key{ID: id})
		stored, err := s.log.Last(ctx, kind, []string{whole, whole + ".>"})
		if err != nil {
			return t, err
		}
		steps := make([]messages.Carrier, len(stored))
		for i, st := range stored {
			m, err := st.Decode(s.link.names)
			if err != nil {
				return t, err
			}
			steps[i] = m.(messages.Carrier)
		}
		// Branches run side by side: the order they were stored in is chance.
		slices.SortStableFunc(steps, func(a, b messages.Carrier) int {
			x, y := a.Meta(), b.Meta()
			return cmp.Or(cmp.Compare(x.Round, y.Round), cmp.Compare(x.Branch, y.Branch))
		})
		for _, m := range steps {
			switch m := m.(type) {
			case *messages.Decompose:
				if m.Round == 1 && m.Rerouted == "" {
					t.planned = m.Class
				}
			case *messages.Filter:
				t.queries = append(t.queries, m.Query)
				t.retrieved = append(t.retrieved, m.Passages...)
			case *messages.Align:
				t.kept = append(t.kept, m.Passages...)
				aligned[branch{m.Round, m.Branch}] = true
			case *messages.Generate:
				if !aligned[branch{m.Round, m.Branch}] { // the windows are the passages
					for _, w := range m.Windows {
						t.kept = append(t.kept, messages.Passage{ID: w.Passage, Title: w.Title, Text: w.Text, Score: w.Score})
					}
				}
				t.windows = append(t.windows, m.Windows...)
				t.direct = t.direct || m.Branch == 0 && m.Round == 0
			}
		}
	}
	slices.SortStableFunc(t.retrieved, func(a, b messages.Passage) int { return cmp.Compare(a.Rank, b.Rank) })
	return t, nil
}

// documentsOf are the IDs of the passages' documents, each where it first is.
func documentsOf(passages []messages.Passage) []string {
	ids := make([]string, 0, len(passages))
	for _, p := range passages {
		if id := document.DocID(p.ID); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// textsOf are the passages' titles and texts.
func textsOf(passages []messages.Passage) []string {
	out := make([]string, len(passages))
	for i, p := range passages {
		out[i] = p.Title + " " + p.Text
	}
	return out
}
