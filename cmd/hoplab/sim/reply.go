package sim

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"unicode"

	"hopstream/messages"
	"hopstream/prompts"
)

// sure is the confidence of a reply that the engine gives none for, and of a
// pair or answer that a prompt shows.
const sure = 0.9

// reply asks the engine what the prompt asks, and returns the object that the
// prompt's system text describes, or a text where no JSON is wanted; with the
// engine's confidence.
func (s *Server) reply(ctx context.Context, p *prompt) (object any, confidence float64, err error) {
	e, d := s.opts.Engine, &p.data
	q := d.Question
	if object, ok, err := s.searching(ctx, p); ok {
		return object, sure, err
	}
	if object, confidence, ok, err := s.pursuing(ctx, p); ok {
		return object, confidence, err
	}
	var f messages.Finding
	switch p.role {
	case "router":
		class, err := e.Classify(ctx, q)
		return struct {
			Class messages.Class `json:"class"`
		}{class}, sure, err
	case "decomposer":
		parts, err := e.Split(ctx, q)
		if len(parts) == 0 {
			parts = []string{q}
		}
		return struct {
			Questions []string `json:"questions"`
		}{parts}, sure, err
	case "refiner":
		next, err := e.Refine(ctx, q, pairs(d.Pairs))
		return struct {
			Question string `json:"question"`
		}{next}, sure, err
	case "relevance_one":
		yes, err := relevant(ctx, e, q, d.Passages)
		return struct {
			Relevant bool `json:"relevant"`
		}{len(yes) > 0}, sure, err
	case "relevance_all":
		yes, err := relevant(ctx, e, q, d.Passages)
		return struct {
			Relevant []int `json:"relevant"`
		}{yes}, sure, err
	case "judge":
		enough, err := e.Enough(ctx, q, pairs(d.Pairs))
		return struct {
			Enough bool `json:"enough"`
		}{enough}, sure, err
	case "answerer", "scale_answerer":
		f, err = e.Answer(ctx, q, windows(d.Passages))
		return fromPassages(&f), confident(f), err
	case "fusion":
		f, err = e.Fuse(ctx, q, findings(d.Answers))
	case "synthesis":
		f, err = s.synthesize(ctx, q, pairs(d.Pairs))
	case "direct":
		f, err = e.Direct(ctx, q)
	default:
		f, err = e.Direct(ctx, p.plain)
		if !p.schema {
			return cmp.Or(f.Text, "I do not know."), confident(f), err
		}
	}
	return struct {
		Answer string `json:"answer"`
	}{f.Text}, confident(f), err
}

// synthesize answers every part of a question that has several.
func (s *Server) synthesize(ctx context.Context, q string, all []messages.Pair) (messages.Finding, error) {
	class, err := s.opts.Engine.Classify(ctx, q)
	if err != nil {
		return messages.Finding{}, err
	}
	if class != messages.Compound {
		class = messages.Complex
	}
	return s.opts.Engine.Synthesize(ctx, q, class, all)
}

// relevant returns the numbers of the passages that help; it is not nil.
func relevant(ctx context.Context, e Engine, q string, passages []prompts.Passage) ([]int, error) {
	verdict, err := e.Relevant(ctx, q, retrieved(passages))
	out := []int{}
	for i, yes := range verdict {
		if yes && i < len(passages) && passages[i].Text != "" && shareWord(q, passages[i]) {
			out = append(out, i+1)
		}
	}
	return out, err
}

// shareWord reports whether question and passage have a longer word in common.
// An engine that picks the best of a few has nothing to compare them with.
func shareWord(question string, p prompts.Passage) bool {
	words := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	in := map[string]bool{}
	for _, w := range words(p.Title + " " + p.Text) {
		in[w] = true
	}
	for _, w := range words(question) {
		if len(w) >= 4 && in[w] && !asking[w] {
			return true
		}
	}
	return false
}

var asking = map[string]bool{
	"what": true, "when": true, "where": true, "which": true, "whom": true, "whose": true, "that": true, "this": true,
	"from": true, "with": true, "were": true, "have": true, "does": true, "many": true, "much": true, "been": true,
}

func windows(passages []prompts.Passage) []messages.Window {
	out := make([]messages.Window, len(passages))
	for i, p := range passages {
		out[i] = messages.Window{Passage: strconv.Itoa(i + 1), Title: p.Title, Text: p.Text, Score: 1 / float64(i+1)}
	}
	return out
}

// numbers are those of the windows that a text comes from; not nil.
func numbers(text string, sources []messages.Source) []int {
	out := []int{}
	if text == "" {
		return out
	}
	for _, s := range sources {
		if n, err := strconv.Atoi(s.ID); err == nil {
			out = append(out, n)
		}
	}
	return out
}

func pairs(in []prompts.Pair) []messages.Pair {
	out := make([]messages.Pair, len(in))
	for i, p := range in {
		out[i] = messages.Pair{Round: i + 1, Branch: 1, Question: p.Question, Answer: p.Answer, Confidence: sure}
	}
	return out
}

func findings(answers []string) []messages.Finding {
	out := make([]messages.Finding, len(answers))
	for i, a := range answers {
		out[i] = messages.Finding{Text: a, Confidence: sure}
	}
	return out
}

func confident(f messages.Finding) float64 {
	return min(max(f.Confidence, 0.05), 0.99)
}
