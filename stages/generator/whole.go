package generator

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"hopstream/messages"
	"hopstream/stages/preview"
)

// synthesize answers a joined question. Where no sub-question was answered
// there is nothing to answer from, and a model would only invent.
func (g *Generator) synthesize(ctx context.Context, in *messages.Generate) (messages.Message, error) {
	if !slices.ContainsFunc(in.Pairs, func(p messages.Pair) bool { return !p.Open() }) {
		status, reason := messages.Unanswered, NotFound
		if i := slices.IndexFunc(in.Pairs, func(p messages.Pair) bool { return p.Failed }); i >= 0 {
			status, reason = messages.Failed, cmp.Or(in.Pairs[i].Error, NotFound) // not everything was read
		}
		return messages.NewAnswer(&in.Head, status, messages.Finding{}, reason, g.now()), nil
	}
	f, err := g.engine.Synthesize(preview.Final(ctx), in.Question, in.Class, in.Pairs)
	if err != nil {
		return nil, fmt.Errorf("synthesize: %w", err)
	}
	if f.Text != "" && len(f.Claims) == 0 {
		f.Claims = claims(in, f.Text)
	}
	status, reason := messages.Answered, in.Cut
	switch {
	case f.Text == "":
		status, reason = messages.Unanswered, NotFound
	case g.opts.RequireEvidence && !slices.ContainsFunc(in.Pairs, func(p messages.Pair) bool { return !p.Open() && len(p.Evidence) > 0 }):
		f, status, reason = messages.Finding{}, messages.Unanswered, Unsupported
	case g.sure(&f) != "":
		return g.unsure(&in.Head, f), nil
	case in.Cut != "" || leftOpen(in):
		status = messages.Partial
	}
	if reason == "" && status == messages.Partial {
		reason = "some sub-questions found no answer"
	}
	return messages.NewAnswer(&in.Head, status, f, reason, g.now()), nil
}

// leftOpen reports whether some sub-question found no answer. The question
// itself, asked in vain before it went on as complex, is none.
func leftOpen(in *messages.Generate) bool {
	for i := range in.Pairs {
		if p := &in.Pairs[i]; p.Open() && (in.Rerouted != messages.Escalated || p.Question != in.Question) {
			return true
		}
	}
	return false
}
