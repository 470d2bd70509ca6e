package revelator

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/score"
	"hopstream/index"
	"hopstream/index/bleve"
	"hopstream/index/document"
	"hopstream/messages"
)

const (
	// shownPassages is how many passages a search gives the filter (HANRAG).
	shownPassages = 10
	// searchDepth is how deep passages are looked for, and deepSearch where
	// that leaves too few: a split shows only the documents that belong to it.
	searchDepth = 25
	deepSearch  = 150
	// indexBatch is how many documents are indexed at once.
	indexBatch = 1000
)

// lookup is a single-step question with its gold documents.
type lookup struct {
	set     int
	text    string
	answers []string
	gold    []string
	split   Split
}

// lookups are the single-step questions with gold documents, and the gold
// sub-questions with theirs; of equal ones the first drawn.
func (m *material) lookups() []lookup {
	var out []lookup
	seen := map[string]bool{}
	add := func(it item, text string, answers, gold []string) {
		key := textKey(text)
		gold = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(gold))), func(id string) bool {
			_, ok := m.splits.docs[docRef{it.set, id}]
			return !ok
		})
		if len(gold) > 0 && usable(text) && !seen[key] {
			seen[key] = true
			out = append(out, lookup{it.set, text, answers, gold, it.split})
		}
	}
	for _, split := range SplitNames() {
		for _, it := range m.items[split] {
			if it.class == messages.Single {
				add(it, it.q.Question, it.q.Answers, it.q.Supporting)
			}
			for _, h := range it.hops {
				if h.support != "" {
					add(it, h.question, []string{h.answer}, []string{h.support})
				}
			}
		}
	}
	return out
}

// relevances make, per split, ⟨question, passage, relevant⟩ with hard
// negatives, and ⟨question, passages, which⟩ as a search shows them. Which passage
// helps is known of the gold, or said by o.Labels. step is called after each
// question.
func (m *material) relevances(ctx context.Context, all []lookup, o *Options, step func()) (one, list map[Split][]Example, err error) {
	one, list = map[Split][]Example{}, map[Split][]Example{}
	for set := range m.sets {
		mine := slices.DeleteFunc(slices.Clone(all), func(l lookup) bool { return l.set != set })
		if len(mine) == 0 {
			continue
		}
		if err := m.relevancesOf(ctx, set, mine, o, one, list, step); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", m.sets[set].Name, err)
		}
	}
	return one, list, nil
}

func (m *material) relevancesOf(ctx context.Context, set int, mine []lookup, o *Options, one, list map[Split][]Example, step func()) (err error) {
	store, err := openIndex(ctx, m.sets[set].Documents)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	byID := map[string]*dataset.Document{}
	for i := range m.sets[set].Documents {
		byID[m.sets[set].Documents[i].ID] = &m.sets[set].Documents[i]
	}
	stated := statements{}
	var waiting []unlabelled
	for _, l := range mine {
		found, err := store.Search(ctx, l.text, searchDepth)
		if err != nil {
			return err
		}
		good := positives(l, found, byID)
		if o.Labels != nil {
			waiting = append(waiting, m.toLabel(l, good, found))
			continue
		}
		if len(good) > 0 {
			w := m.show(l, good, found, stated)
			if len(w.shown) < shownPassages && len(found) == searchDepth {
				if found, err = store.Search(ctx, l.text, deepSearch); err != nil {
					return err
				}
				w = m.show(l, good, found, stated)
			}
			w.examples(l, good, o.Negatives, one, list)
		}
		step()
	}
	return m.label(ctx, waiting, o, one, list, step)
}

// window is what the filter is shown for a question.
type window struct {
	shown    []messages.Passage // as a search ranks them
	relevant []int              // numbers of those that help, from 1
	wrong    []messages.Passage // shown, and of no help
}

// show picks from the passages found those for the example of l: the good ones,
// and as wrong ones those of l's own split that certainly do not help, which
// excludes other pieces of gold documents and passages that state an answer.
func (m *material) show(l lookup, good, found []messages.Passage, stated statements) (w window) {
	for _, p := range found {
		if len(w.shown) == shownPassages {
			break
		}
		doc := document.DocID(p.ID)
		isGood := slices.ContainsFunc(good, func(g messages.Passage) bool { return g.ID == p.ID })
		switch {
		case isGood:
			w.shown = append(w.shown, p)
			w.relevant = append(w.relevant, len(w.shown))
		case slices.Contains(l.gold, doc), m.splits.ofDocument(l.set, doc) != l.split, stated.holds(p, l.answers):
		default:
			w.shown, w.wrong = append(w.shown, p), append(w.wrong, p)
		}
	}
	return w
}

// examples adds what the window teaches: each good passage with as many wrong
// ones, the hardest first, and the whole of it.
func (w window) examples(l lookup, good []messages.Passage, negatives int, one, list map[Split][]Example) {
	if len(w.wrong) == 0 {
		return
	}
	for _, p := range good {
		one[l.split] = append(one[l.split], relevanceExample(l.text, p, true))
	}
	for _, p := range w.wrong[:min(len(w.wrong), negatives*len(good))] {
		one[l.split] = append(one[l.split], relevanceExample(l.text, p, false))
	}
	list[l.split] = append(list[l.split], relevanceAllExample(l.text, w.shown, w.relevant))
}

// statements caches passages in the normalised form in which score.Acc compares
// them, by ID.
type statements map[string]string

func (s statements) holds(p messages.Passage, answers []string) bool {
	text, ok := s[p.ID]
	if !ok {
		text = " " + score.Normalize(p.Title+"\n"+p.Text) + " "
		s[p.ID] = text
	}
	return holds(text, answers)
}

// positives returns the passages of the gold documents that help, at most one
// per document. A single gold document with a single piece always helps. Else a
// piece has to state an answer, and where there are several gold documents, the
// search has to find it, too: data sets also list documents that tell about the
// answer and have nothing of the question.
func positives(l lookup, found []messages.Passage, byID map[string]*dataset.Document) []messages.Passage {
	var good []messages.Passage
	prepared := statements{}
	for _, id := range l.gold {
		d := byID[id]
		pieces := document.Chunk(messages.Document{ID: d.ID, Title: d.Title, Text: d.Text}, document.ChunkOptions{})
		if len(l.gold) == 1 && len(pieces) == 1 {
			return pieces
		}
		for _, p := range pieces {
			if len(l.gold) > 1 && !slices.ContainsFunc(found, func(f messages.Passage) bool { return f.ID == p.ID }) {
				continue
			}
			if prepared.holds(p, l.answers) {
				good = append(good, p)
				break // one per document: its pieces overlap
			}
		}
	}
	return good
}

// openIndex is the engine's own search over a set's documents, in memory.
func openIndex(ctx context.Context, docs []dataset.Document) (*bleve.Store, error) {
	store, err := bleve.Open("", bleve.Options{})
	if err != nil {
		return nil, err
	}
	for at := 0; at < len(docs); at += indexBatch {
		batch := make([]messages.Document, 0, indexBatch)
		for _, d := range docs[at:min(at+indexBatch, len(docs))] {
			batch = append(batch, messages.Document{ID: d.ID, Title: d.Title, Text: d.Text})
		}
		if err := store.Apply(ctx, batch, index.Position{Stream: "memory", Sequence: uint64(at + len(batch))}); err != nil {
			return nil, errors.Join(err, store.Close())
		}
	}
	return store, nil
}
