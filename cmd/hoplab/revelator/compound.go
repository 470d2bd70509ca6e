package revelator

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/revelator/draw"
	"hopstream/cmd/hoplab/score"
	"hopstream/index/lang"
	"hopstream/messages"
)

// A compound question has two to four parts (HANRAG B.1).
const (
	minJoined = 2
	maxJoined = 4
)

// CompoundOptions say what to make.
type CompoundOptions struct {
	Seed  uint64
	Limit int // questions at most; 0: as many as there are
}

// CompoundSet is a benchmark of compound questions.
type CompoundSet struct {
	Questions []dataset.Question
	Documents []dataset.Document
	Entities  int            // things that questions are about
	Styles    map[string]int // how many were joined in which way
	Pronouns  int            // how many name the thing once only
	Model     string         // that wrote them; empty where they are gold ones
	Tally     Tally          // of what it was asked for
}

// simple is a single-step question about something.
type simple struct {
	set     int
	q       *dataset.Question
	text    string // with one question mark at its end
	entity  string // as the document's title has it, or empty
	support []string
	about   []string // texts of the gold documents
}

// Compounds joins simple questions about one thing, two to four of them, into
// compound ones: the paper's benchmark, made of gold questions instead of a
// model's. The thing is the document's title, or the document where it has
// none. Each part's answers are an Entity of the gold, in all its names.
// Questions with a decomposition, with another class than single, without a
// gold passage or without an answer are passed over; every one is used once.
func Compounds(sets []Set, o CompoundOptions) *CompoundSet {
	out := &CompoundSet{Styles: map[string]int{}}
	ids := out.corpus(sets)
	groups := map[string][]simple{}
	seen := map[string]bool{}
	for i := range sets {
		titles := map[string]*dataset.Document{}
		for j := range sets[i].Documents {
			titles[sets[i].Documents[j].ID] = &sets[i].Documents[j]
		}
		for j := range sets[i].Questions {
			s, group, ok := simpleQuestion(sets, i, j, titles, ids)
			if key := textKey(s.text); ok && !seen[key] {
				seen[key] = true
				groups[group] = append(groups[group], s)
			}
		}
	}
	names := make([]string, 0, len(groups))
	for name := range groups {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if made := out.fromGroup(groups[name], o.Seed); len(made) > 0 {
			out.Entities++
			out.Questions = append(out.Questions, made...)
		}
	}
	out.settle(o)
	return out
}

// settle draws the questions that are kept and counts them.
func (c *CompoundSet) settle(o CompoundOptions) {
	draw.Shuffle(o.Seed, c.Questions, func(q dataset.Question) string { return q.ID })
	if o.Limit > 0 && len(c.Questions) > o.Limit {
		c.Questions = c.Questions[:o.Limit]
	}
	for i := range c.Questions {
		style, pronoun, _ := strings.Cut(c.Questions[i].Type, "+")
		c.Styles[style]++
		if pronoun != "" {
			c.Pronouns++
		}
		c.Questions[i].Type = fmt.Sprintf("compound-%d", len(c.Questions[i].Decomposition))
	}
}

// corpus takes in all documents. Where two sets have different ones under the
// same ID, the later's is prefixed with its set's name.
func (c *CompoundSet) corpus(sets []Set) map[docRef]string {
	ids := map[docRef]string{}
	have := map[string]string{} // ID to content
	for i := range sets {
		for _, d := range sets[i].Documents {
			id, key := d.ID, documentKey(&d)
			if old, ok := have[id]; ok && old != key {
				id = sets[i].Name + ":" + id
			}
			ids[docRef{i, d.ID}] = id
			if _, ok := have[id]; !ok {
				have[id] = key
				c.Documents = append(c.Documents, dataset.Document{ID: id, Title: d.Title, Text: d.Text})
			}
		}
	}
	return ids
}

// maxSimple is the longest part, in bytes; longer ones make a question that
// nobody would ask in one breath.
const maxSimple = 200

func simpleQuestion(sets []Set, set, at int, docs map[string]*dataset.Document, ids map[docRef]string) (s simple, group string, ok bool) {
	q := &sets[set].Questions[at]
	class := sets[set].class(q)
	body := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(q.Question), "?. "))
	if class != "" && class != messages.Single || len(q.Decomposition) > 0 || len(q.Entities) > 0 || q.List || len(q.Answers) == 0 ||
		len(body) > maxSimple || strings.ContainsAny(body, "?\n") || !usable(body+"?") {
		return s, "", false
	}
	s = simple{set: set, q: q, text: body + "?"}
	for _, id := range q.Supporting {
		d := docs[id]
		if d == nil {
			return s, "", false
		}
		if group == "" { // the first gold document is what the question is about
			s.entity = strings.TrimSpace(d.Title)
			if group = "t:" + score.Normalize(s.entity); s.entity == "" {
				group = "d:" + ids[docRef{set, id}]
			}
		}
		s.support = append(s.support, ids[docRef{set, id}])
		s.about = append(s.about, d.Text)
	}
	return s, group, group != "" && s.clear()
}

// fromGroup joins the questions about one thing, in drawn order.
func (c *CompoundSet) fromGroup(group []simple, seed uint64) []dataset.Question {
	draw.Shuffle(seed, group, func(s simple) string { return s.text })
	var out []dataset.Question
	for len(group) >= minJoined {
		n := minJoined + int(draw.Number(seed, "size", group[0].text)%(maxJoined-minJoined+1))
		n = min(n, len(group))
		parts := group[:n:n]
		group = group[n:]
		// The order asked is that of the texts' draw, but a part that names
		// the thing comes first: what follows may say "it".
		slices.SortStableFunc(parts, func(a, b simple) int {
			return cmp.Compare(b2i(b.names()), b2i(a.names()))
		})
		text, style := join(seed, parts)
		if !usable(text) || sameAnswers(parts) {
			continue
		}
		out = append(out, compoundOf(seed, text, style, parts))
	}
	return out
}

// names reports whether the question names the thing it is about.
func (s simple) names() bool { _, ok := s.name(); return ok }

// name returns the name by which the question calls what it is about.
func (s simple) name() (name string, ok bool) {
	for _, n := range namesOf(s.entity) {
		if mention(s.text, n) >= 0 {
			return n, true
		}
	}
	return "", false
}

// clear reports whether a question can be understood alone: it holds a name or a
// number (which cannot be told of one without capitals), and no pronoun that
// refers to something before it.
func (s simple) clear() bool {
	named, capitals := false, false
	for _, t := range lang.Tokens(s.text) {
		switch t.Norm {
		case "this", "these", "those", "he", "she", "they", "them", "his", "her", "their", "it":
			return false
		}
		named = named || t.Num || t.Cap && !t.First
		capitals = capitals || t.Cap
	}
	return named || !capitals
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sameAnswers reports whether two parts have an answer in common: then a found
// answer could not be credited to one of them.
func sameAnswers(parts []simple) bool {
	seen := map[string]int{}
	for i, p := range parts {
		for _, a := range p.q.Answers {
			n := score.Normalize(a)
			if at, ok := seen[n]; ok && at != i {
				return true
			}
			seen[n] = i
		}
	}
	return false
}

func compoundOf(seed uint64, text, style string, parts []simple) dataset.Question {
	q := dataset.Question{Question: text, Class: messages.Compound, Type: style}
	var key, firsts []string
	for _, p := range parts {
		key = append(key, p.text)
		firsts = append(firsts, p.q.Answers[0])
		q.Entities = append(q.Entities, slices.Clone(p.q.Answers))
		q.Decomposition = append(q.Decomposition, dataset.Step{Question: p.text, Answer: p.q.Answers[0], Support: p.support[0]})
		q.Supporting = append(q.Supporting, p.support...)
	}
	slices.Sort(q.Supporting)
	q.Supporting = slices.Compact(q.Supporting)
	q.Answers = []string{strings.Join(firsts, "; ")}
	q.ID = fmt.Sprintf("compound-%016x", draw.Number(seed, append([]string{"id"}, key...)...))
	return q
}

// Write writes questions.jsonl, corpus.jsonl and the manifest into dir, which
// must exist.
func (c *CompoundSet) Write(dir string, seed uint64, inputs []Input) error {
	return errors.Join(
		writeLines(filepath.Join(dir, "questions.jsonl"), c.Questions),
		writeLines(filepath.Join(dir, "corpus.jsonl"), c.Documents),
		writeJSON(filepath.Join(dir, ManifestFile), c.manifest(seed, inputs)),
	)
}

func writeLines[T any](path string, all []T) error {
	return create(path, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		for _, v := range all {
			if err := enc.Encode(v); err != nil {
				return err
			}
		}
		return nil
	})
}
