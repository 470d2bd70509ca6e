package generator

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"hopstream/messages"
	"hopstream/stages/meter"
)

// branch answers a sub-query. The only one of a question answers it as well,
// unless that does not suffice: then the question goes on as complex.
func (g *Generator) branch(ctx context.Context, in *messages.Generate) (messages.Message, error) {
	f, err := g.answer(ctx, in)
	if err != nil {
		return nil, err
	}
	found := f.Text != ""
	f = g.supported(in, f)
	pair := messages.Pair{
		Round: in.Round, Branch: in.Branch, Question: in.Query,
		Answer: f.Text, Confidence: f.Confidence, Sources: f.Sources, Evidence: f.Evidence,
		Found: in.Found[:min(len(in.Found), messages.MaxFinds)], Degraded: in.Degraded,
		Part: in.Part, Claims: f.Claims,
	}
	switch {
	case pair.Answer != "":
	case found:
		pair.Error = Unsupported
	default:
		pair.Error = NotFound
	}
	if !in.Single() {
		return &messages.Subanswer{Head: in.Head, Pair: pair}, nil
	}
	head := in.Head
	head.Pairs = append(slices.Clip(head.Pairs), pair)
	if onward, err := g.escalate(ctx, &head, &pair); onward != nil || err != nil {
		return onward, err
	}
	if pair.Answer == "" {
		return messages.NewAnswer(&head, messages.Unanswered, f, pair.Error, g.now()), nil
	}
	if g.sure(&f) != "" {
		return g.unsure(&head, f), nil
	}
	return messages.NewAnswer(&head, messages.Answered, f, "", g.now()), nil
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
		return messages.Finding{}, nil
	}
	ask, question := g.engine.Answer, in.Query
	if in.Class == messages.Complex && in.Strategy == messages.Supplement {
		ask = g.engine.Summarise
	}
	scales := byScale(windows)
	one := func(ctx context.Context, ws []messages.Window) (f messages.Finding, err error) {
		defer recoverTo(&err)
		return ask(ctx, question, ws)
	}
	if len(scales) == 1 { // no goroutine: a new one would have to grow its stack first
		f, err := one(ctx, scales[0])
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
	f, err := g.engine.Fuse(ctx, question, findings)
	if err != nil {
		return messages.Finding{}, fmt.Errorf("fuse: %w", err)
	}
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
