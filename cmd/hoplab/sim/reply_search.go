package sim

import (
	"context"
	"strconv"

	"hopstream/messages"
	"hopstream/prompts"
)

// word is the reply to an operator on a search.
type word struct {
	Word string `json:"word"`
}

// searching is reply for the prompts that search; ok is false for the others.
func (s *Server) searching(ctx context.Context, p *prompt) (object any, ok bool, err error) {
	e, d := s.opts.Engine, &p.data
	q, found := d.Question, retrieved(d.Passages)
	switch p.role {
	case "keywords":
		words, err := e.Keywords(ctx, q)
		if len(words) == 0 {
			words = []string{q}
		}
		return struct {
			Keywords []string `json:"keywords"`
		}{words}, true, err
	case "extend":
		w, err := e.Extend(ctx, q, d.Keywords, found)
		return word{w}, true, err
	case "emphasise":
		w, err := e.Emphasise(ctx, q, d.Keywords, found)
		return word{w}, true, err
	case "exclude":
		w, err := e.Exclude(ctx, q, d.Keywords, found)
		return word{w}, true, err
	case "verify":
		yes, err := e.Verify(ctx, q, found)
		return struct {
			Sufficient bool `json:"sufficient"`
		}{yes}, true, err
	case "pseudo_document":
		text, err := e.PseudoDocument(ctx, q, found)
		return struct {
			Text string `json:"text"`
		}{text}, true, err
	case "hypothesise":
		all, err := e.Hypothesise(ctx, q)
		if len(all) == 0 {
			all = []string{q}
		}
		return struct {
			Statements []string `json:"statements"`
		}{all}, true, err
	}
	return nil, false, nil
}

// retrieved are the passages that a prompt shows, as a search returns them.
func retrieved(passages []prompts.Passage) []messages.Passage {
	out := make([]messages.Passage, len(passages))
	for i, p := range passages {
		out[i] = messages.Passage{ID: strconv.Itoa(i + 1), Title: p.Title, Text: p.Text, Rank: i + 1}
	}
	return out
}
