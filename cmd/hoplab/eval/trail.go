package eval

import (
	"cmp"
	"context"
	"slices"

	"hopstream/cmd/internal/session"
	"hopstream/index/document"
	"hopstream/messages"
)

// trail is what a question's messages tell of its way through the stages.
type trail struct {
	queries   []string           // the sub-queries
	sought    []string           // what was searched for: the sub-queries, or others in their place
	retrieved []messages.Passage // of all sub-queries, interleaved by rank
	kept      []messages.Passage // by the filter
	windows   []messages.Window  // of the aligner
	direct    bool               // an answer without retrieval was tried first
	planned   messages.Class     // as which a question of several parts was routed
}

// branch is a place in a question's rounds.
type branch struct{ round, branch int }

// readTrail reads a question's messages from the log.
func readTrail(ctx context.Context, s *session.Session, id string) (trail, error) {
	t := tracing{filtered: map[branch]bool{}, aligned: map[branch]bool{}}
	// A stage's messages are read after those of the stages it follows.
	for _, kind := range []messages.Kind{messages.KindDecompose, messages.KindFilter, messages.KindAlign, messages.KindGenerate} {
		steps, err := stepsOf(ctx, s, kind, id)
		if err != nil {
			return t.trail, err
		}
		for _, m := range steps {
			t.add(m)
		}
	}
	slices.SortStableFunc(t.retrieved, func(a, b messages.Passage) int { return cmp.Compare(a.Rank, b.Rank) })
	return t.trail, nil
}

// stepsOf returns a question's messages of one kind, in the order of rounds
// and branches. Branches run side by side: the order they were stored in is
// chance.
func stepsOf(ctx context.Context, s *session.Session, kind messages.Kind, id string) ([]messages.Carrier, error) {
	whole := s.Conn.Names.Subject(kind, messages.Key{ID: id})
	stored, err := s.Log.Last(ctx, kind, []string{whole, whole + ".>"})
	if err != nil {
		return nil, err
	}
	steps := make([]messages.Carrier, len(stored))
	for i, st := range stored {
		m, err := st.Decode(s.Conn.Names)
		if err != nil {
			return nil, err
		}
		steps[i] = m.(messages.Carrier)
	}
	slices.SortStableFunc(steps, func(a, b messages.Carrier) int {
		x, y := a.Meta(), b.Meta()
		return cmp.Or(cmp.Compare(x.Round, y.Round), cmp.Compare(x.Branch, y.Branch))
	})
	return steps, nil
}

// tracing is a trail that is being read. A branch may leave stages out; what
// they would have told is then taken from the next.
type tracing struct {
	trail
	filtered, aligned map[branch]bool
}

// add notes what a message tells.
func (t *tracing) add(m messages.Carrier) {
	switch m := m.(type) {
	case *messages.Decompose:
		if m.Round == 1 && m.Rerouted == "" {
			t.planned = m.Class
		}
	case *messages.Filter:
		t.searched(m.Query, m.Queries, m.Passages)
		t.filtered[branch{m.Round, m.Branch}] = true
	case *messages.Align:
		at := branch{m.Round, m.Branch}
		if !t.filtered[at] { // the filter was skipped
			t.searched(m.Query, m.Queries, m.Passages)
		}
		t.kept = append(t.kept, m.Passages...)
		t.filtered[at], t.aligned[at] = true, true
	case *messages.Generate:
		if m.Branch > 0 && !t.aligned[branch{m.Round, m.Branch}] { // the aligner was skipped
			t.addWhole(m)
		}
		t.windows = append(t.windows, windowsOf(m)...)
		t.direct = t.direct || m.Branch == 0 && m.Round == 0
	}
}

// windowsOf returns the texts that a sub-query is answered from: the spans of the
// passages, or passages whole, or the windows of builds that knew no spans.
func windowsOf(m *messages.Generate) []messages.Window {
	if len(m.Passages) == 0 {
		return m.Windows
	}
	var out []messages.Window
	for _, s := range m.Spans {
		if s.Passage < 0 || s.Passage >= len(m.Passages) {
			continue
		}
		p := &m.Passages[s.Passage]
		from := min(max(s.From, 0), len(p.Text))
		out = append(out, messages.Window{Passage: p.ID, Title: p.Title, Text: p.Text[from:min(max(s.To, from), len(p.Text))], Scale: s.Scale, Score: s.Score})
	}
	if len(m.Spans) > 0 {
		return out
	}
	for i := range m.Passages {
		p := &m.Passages[i]
		out = append(out, messages.Window{Passage: p.ID, Title: p.Title, Text: p.Text, Score: p.Score})
	}
	return out
}

// addWhole notes the passages of a message that came without an alignment.
func (t *tracing) addWhole(m *messages.Generate) {
	whole := slices.Clone(m.Passages)
	if len(whole) == 0 { // the windows of older builds are whole passages then
		for _, w := range m.Windows {
			whole = append(whole, messages.Passage{ID: w.Passage, Title: w.Title, Text: w.Text, Score: w.Score})
		}
	}
	for i := range whole {
		whole[i].Rank = cmp.Or(whole[i].Rank, i+1)
	}
	if !t.filtered[branch{m.Round, m.Branch}] {
		t.searched(m.Query, m.Queries, whole)
	}
	t.kept = append(t.kept, whole...)
}

// searched notes what a sub-query came to. Others may have been searched for in
// its place, such as the statements of hypothetical answers.
func (t *trail) searched(query string, inPlace []string, passages []messages.Passage) {
	t.queries = append(t.queries, query)
	if len(inPlace) == 0 {
		inPlace = []string{query}
	}
	t.sought = append(t.sought, inPlace...)
	t.retrieved = append(t.retrieved, passages...)
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
