// Package generator answers. A sub-query is answered once per window scale,
// all at the same time and each from its own windows only, and the answers
// are fused (MGA-RAG); a finished compound or complex question is answered
// from its (sub-question, answer) pairs (HANRAG); a straightforward question
// is answered directly.
package generator

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"hopstream/messages"
)

// Answerer answers a sub-question from windows; an empty text means that they
// do not hold the answer.
type Answerer interface {
	Answer(ctx context.Context, question string, windows []messages.Window) (messages.Finding, error)
}

// Fuser makes one answer of those found at several scales.
type Fuser interface {
	Fuse(ctx context.Context, question string, findings []messages.Finding) (messages.Finding, error)
}

// Synthesizer answers a question from its sub-questions' answers.
type Synthesizer interface {
	Synthesize(ctx context.Context, question string, class messages.Class, pairs []messages.Pair) (messages.Finding, error)
}

// Director answers without documents; an empty text means that it cannot.
type Director interface {
	Direct(ctx context.Context, question string) (messages.Finding, error)
}

// Engine is all the generator asks.
type Engine interface {
	Answerer
	Fuser
	Synthesizer
	Director
}

// NotFound is the reason given with an answer that nothing supports.
const NotFound = "no answer found in the documents"

// Generator is the stage.
type Generator struct {
	engine Engine
	now    func() time.Time
}

// New returns the stage.
func New(e Engine) *Generator { return &Generator{engine: e, now: time.Now} }

// Handle answers a sub-query, a straightforward question, or a joined one.
func (g *Generator) Handle(ctx context.Context, in *messages.Generate) ([]messages.Message, error) {
	var out messages.Message
	var err error
	switch {
	case in.Branch > 0:
		out, err = g.branch(ctx, in)
	case in.Class == messages.Straightforward:
		out, err = g.direct(ctx, in)
	default:
		out, err = g.synthesize(ctx, in)
	}
	if err != nil {
		return nil, err
	}
	return []messages.Message{out}, nil
}

// direct answers without documents. A question that turns out to need them
// goes to the retriever, as a single one.
func (g *Generator) direct(ctx context.Context, in *messages.Generate) (messages.Message, error) {
	f, err := g.engine.Direct(ctx, in.Question)
	if err != nil {
		return nil, fmt.Errorf("answer directly: %w", err)
	}
	if f.Text == "" {
		return messages.FirstRetrieve(in.Head), nil
	}
	return messages.NewAnswer(&in.Head, messages.Answered, f, "", g.now()), nil
}

func (g *Generator) branch(ctx context.Context, in *messages.Generate) (messages.Message, error) {
	f, err := g.answer(ctx, in.Query, in.Windows)
	if err != nil {
		return nil, err
	}
	f.Sources = addressed(f.Sources, in.Found)
	pair := messages.Pair{
		Round: in.Round, Branch: in.Branch, Question: in.Query,
		Answer: f.Text, Confidence: f.Confidence, Sources: sources(f, in),
		Found: in.Found[:min(len(in.Found), messages.MaxFinds)], Degraded: in.Degraded,
	}
	if pair.Answer == "" {
		pair.Error = NotFound
	}
	if !in.Single() {
		return &messages.Subanswer{Head: in.Head, Pair: pair}, nil
	}
	head := in.Head
	head.Pairs = append(slices.Clip(head.Pairs), pair)
	if pair.Answer == "" {
		return messages.NewAnswer(&head, messages.Failed, messages.Finding{}, NotFound, g.now()), nil
	}
	return messages.NewAnswer(&head, messages.Answered, f, "", g.now()), nil
}

// answer asks once per scale, in parallel, and fuses.
func (g *Generator) answer(ctx context.Context, question string, windows []messages.Window) (messages.Finding, error) {
	if len(windows) == 0 {
		return messages.Finding{}, nil
	}
	scales := byScale(windows)
	findings := make([]messages.Finding, len(scales))
	group, gctx := errgroup.WithContext(ctx)
	for i, ws := range scales {
		group.Go(func() (err error) {
			defer recoverTo(&err)
			findings[i], err = g.engine.Answer(gctx, question, ws)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return messages.Finding{}, fmt.Errorf("answer: %w", err)
	}
	if len(findings) == 1 {
		return findings[0], nil
	}
	f, err := g.engine.Fuse(ctx, question, findings)
	if err != nil {
		return messages.Finding{}, fmt.Errorf("fuse: %w", err)
	}
	return f, nil
}

func (g *Generator) synthesize(ctx context.Context, in *messages.Generate) (messages.Message, error) {
	f, err := g.engine.Synthesize(ctx, in.Question, in.Class, in.Pairs)
	if err != nil {
		return nil, fmt.Errorf("synthesize: %w", err)
	}
	status, reason := messages.Answered, in.Cut
	switch {
	case f.Text == "":
		status, reason = messages.Failed, NotFound
	case in.Cut != "" || slices.ContainsFunc(in.Pairs, func(p messages.Pair) bool { return p.Open() }):
		status = messages.Partial
	}
	if reason == "" && status == messages.Partial {
		reason = "some sub-questions found no answer"
	}
	return messages.NewAnswer(&in.Head, status, f, reason, g.now()), nil
}

// byScale groups windows by scale, in order of appearance.
func byScale(windows []messages.Window) [][]messages.Window {
	var out [][]messages.Window
	at := map[int]int{}
	for _, w := range windows {
		i, ok := at[w.Scale]
		if !ok {
			i = len(out)
			at[w.Scale] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], w)
	}
	return out
}

// sources are the finding's own, or else the passages it was asked from.
func sources(f messages.Finding, in *messages.Generate) []messages.Source {
	if len(f.Sources) > 0 || f.Text == "" {
		return f.Sources
	}
	var out []messages.Source
	for _, w := range in.Windows {
		s := messages.Source{ID: w.Passage, Title: w.Title}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return addressed(out, in.Found)
}

// addressed returns the sources with the addresses of those that stand on the
// web. Engines know windows, which have none.
func addressed(sources []messages.Source, found []messages.Find) []messages.Source {
	web := slices.ContainsFunc(found, func(f messages.Find) bool { return f.URL != "" })
	if !web || len(sources) == 0 {
		return sources
	}
	out := slices.Clone(sources) // an engine may keep its own
	for i := range out {
		s := &out[i]
		if at := slices.IndexFunc(found, func(f messages.Find) bool { return f.ID == s.ID }); at >= 0 && s.URL == "" {
			s.URL = found[at].URL
		}
	}
	return out
}

// recoverTo turns a panic of an engine's goroutine into an error; the
// runner's own recovery cannot see other goroutines.
func recoverTo(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v", p)
	}
}
