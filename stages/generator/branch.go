package generator

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"hopstream/messages"
	"hopstream/stages/meter"
	"hopstream/stages/preview"
)

// branch answers a sub-query. The only one of a question answers it as well,
// unless that does not suffice: then the question goes on as complex.
func (g *Generator) branch(ctx context.Context, in *messages.Generate) (messages.Message, error) {
	pair, err := g.pair(ctx, in)
	if err != nil {
		return nil, err
	}
	if !in.Single() {
		return &messages.Subanswer{Head: in.Head, Pair: pair}, nil
	}
	head := in.Head
	head.Pairs = append(slices.Clip(head.Pairs), pair)
	if onward, err := g.escalate(ctx, &head, &pair); onward != nil || err != nil {
		return onward, err
	}
	f := messages.Finding{Text: pair.Answer, Confidence: pair.Confidence, Sources: pair.Sources, Evidence: pair.Evidence, Claims: pair.Claims}
	if pair.Answer == "" {
		return messages.NewAnswer(&head, messages.Unanswered, f, pair.Error, g.now()), nil
	}
	if g.sure(&f) != "" {
		return g.unsure(&head, f), nil
	}
	return messages.NewAnswer(&head, messages.Answered, f, "", g.now()), nil
}

// pair answers the sub-query, unless another question has.
func (g *Generator) pair(ctx context.Context, in *messages.Generate) (messages.Pair, error) {
	if in.Answered != nil {
		return *in.Answered, nil
	}
	f, err := g.answer(ctx, in)
	if err != nil {
		return messages.Pair{}, err
	}
	found := f.Text != ""
	f = g.supported(in, f)
	pair := messages.Pair{
		Round: in.Round, Branch: in.Branch, Question: in.Query,
		Answer: f.Text, Confidence: f.Confidence, Sources: f.Sources, Evidence: f.Evidence,
		Found: in.Found[:min(len(in.Found), messages.MaxFinds)], Degraded: in.Degraded, Queries: in.Queries,
		Part: in.Part, Claims: f.Claims,
	}
	switch {
	case pair.Answer != "":
	case found:
		pair.Error = Unsupported
	default:
		pair.Error = NotFound
	}
	return pair, nil
}

// escalate sends a single question on as complex, once and within its budget,
// if its answer does not suffice: HANRAG's router errs for one in six. It
// returns nothing if the answer stands.
func (g *Generator) escalate(ctx context.Context, head *messages.Head, pair *messages.Pair) (messages.Message, error) {
	left, used := head.Remaining(), meter.From(ctx).Used()
	switch {
	case g.opts.Escalate == EscalateNever, head.Rerouted != "", head.Round >= head.Budget.Rounds,
		left.ModelCalls <= used.ModelCalls, left.PromptTokens <= used.PromptTokens+used.CompletionTokens:
		return nil, nil
	case !pair.Open():
		if g.opts.Escalate != EscalateJudged {
			return nil, nil
		}
		enough, err := g.engine.Enough(ctx, head.Question, head.Pairs)
		if err != nil {
			return nil, fmt.Errorf("judge: %w", err)
		}
		if enough {
			return nil, nil
		}
	}
	on := *head
	on.Class, on.Rerouted = messages.Complex, messages.Escalated
	on.Round, on.Branch, on.Branches, on.Base = head.Round+1, 0, 0, messages.Usage{}
	return &messages.Decompose{Head: on}, nil
}

// answer asks once per scale, in parallel, and fuses. What LevelRAG asks for
// is a summary.
func (g *Generator) answer(ctx context.Context, in *messages.Generate) (messages.Finding, error) {
	windows := g.windowsOf(in)
	if len(windows) == 0 {
		return g.unsourced(ctx, in.Query)
	}
	ask, question := g.engine.Answer, in.Query
	if in.Summarised() {
		ask = g.engine.Summarise
	}
	scales := byScale(windows)
	final := ctx
	if in.Single() {
		final = preview.Final(ctx) // the reply is the question's answer as well
	}
	one := func(ctx context.Context, ws []messages.Window) (f messages.Finding, err error) {
		defer recoverTo(&err)
		return ask(ctx, question, ws)
	}
	if len(scales) == 1 { // no goroutine: a new one would have to grow its stack first
		f, err := one(final, scales[0])
		if err != nil {
			return messages.Finding{}, fmt.Errorf("answer: %w", err)
		}
		return f, nil
	}
	findings := make([]messages.Finding, len(scales))
	group, gctx := errgroup.WithContext(ctx)
	for i, ws := range scales {
		group.Go(func() (err error) {
			findings[i], err = one(gctx, ws)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return messages.Finding{}, fmt.Errorf("answer: %w", err)
	}
	if g.opts.NoFusion {
		return slices.MaxFunc(findings, func(x, y messages.Finding) int { return cmp.Compare(x.Confidence, y.Confidence) }), nil
	}
	f, err := g.engine.Fuse(final, question, findings, in.Passages)
	if err != nil {
		return messages.Finding{}, fmt.Errorf("fuse: %w", err)
	}
	return f, nil
}

// unsourced answers a sub-query for which there is no passage, if that is wanted.
func (g *Generator) unsourced(ctx context.Context, query string) (messages.Finding, error) {
	if !g.opts.Unsourced {
		return messages.Finding{}, nil
	}
	f, err := g.engine.Direct(ctx, query)
	if err != nil {
		return messages.Finding{}, fmt.Errorf("answer without passages: %w", err)
	}
	f.Sources, f.Evidence = nil, nil // there is nothing that it could rest on
	return f, nil
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

// addressed returns the sources with the URLs of those that were found on the
// web. Engines cannot set them, as windows have no URL.
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
