package builtin

import (
	"context"
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
)

// maxSynthesized bounds the pairs looked at; a budget allows far fewer.
const maxSynthesized = 128

// Synthesize answers question from its answered sub-questions. A compound
// question gets every answer, in order. A complex one gets its last hop's (that
// of the parsed question's last step, or else the last that was asked),
// unless it compares, offers options or asks yes or no: then it is resolved
// from what the pairs say of the things compared. Open pairs are skipped; with
// none left the finding is empty.
func (e *engine) Synthesize(_ context.Context, question string, class messages.Class, pairs []messages.Pair) (messages.Finding, error) {
	known := make([]messages.Pair, 0, min(len(pairs), maxSynthesized))
	for i := range pairs {
		if !pairs[i].Open() && strings.TrimSpace(pairs[i].Answer) != "" && len(known) < maxSynthesized {
			known = append(known, pairs[i])
		}
	}
	if len(known) == 0 {
		return messages.Finding{}, nil
	}
	if class == messages.Compound {
		return joined(known), nil
	}
	known = e.gists(known)
	q := lang.Focus(clip(question, maxText))
	p := e.plans.Of(question)
	if p.Compare || len(known) > 1 || q.Type == lang.YesNo || q.Type == lang.Choice {
		if f, ok := e.compared(&q, p, known); ok {
			return f, nil
		}
	}
	last := &known[len(known)-1]
	if !p.Compare {
		if end := p.End(e.short(known)); end >= 0 {
			last = &known[end]
		}
	}
	f := messages.Finding{Text: last.Answer, Confidence: chainConfidence(known), Sources: unite(known)}
	// The last hop's sources support the answer itself.
	f.Sources = prefer(f.Sources, last.Sources)
	return f, nil
}

// joined lists the answers in order, each once.
func joined(pairs []messages.Pair) messages.Finding {
	var b strings.Builder
	var sum float64
	var keys []string
	for i := range pairs {
		a := strings.TrimSpace(pairs[i].Answer)
		sum += pairs[i].Confidence
		k := lang.Norm(clip(a, 256))
		dup := false
		for _, o := range keys {
			dup = dup || o == k
		}
		if dup {
			continue
		}
		keys = append(keys, k)
		if b.Len() > 0 {
			b.WriteString("; ")
		}
		b.WriteString(strings.TrimRight(a, ".;,"))
	}
	return messages.Finding{Text: b.String(), Confidence: sum / float64(len(pairs)), Sources: unite(pairs)}
}

// unite returns the pairs' sources, each once.
func unite(pairs []messages.Pair) []messages.Source {
	var out []messages.Source
	for i := range pairs {
		for _, s := range pairs[i].Sources {
			if len(out) < 64 {
				out = messages.AddSources(out, s)
			}
		}
	}
	return out
}

// prefer moves first to the front of all.
func prefer(all, first []messages.Source) []messages.Source {
	out := make([]messages.Source, 0, len(all))
	for _, s := range first {
		if len(out) < 64 {
			out = messages.AddSources(out, s)
		}
	}
	return messages.AddSources(out, all...)
}

// chainConfidence is the product of the pairs' confidences, softened: a chain
// is as weak as its links, but a wrong link often does no harm. Softer than this, chains
// over documents that do not have the answer pass a threshold that single answers
// fail; harder, right ones are lost.
func chainConfidence(pairs []messages.Pair) float64 {
	c := 1.0
	for i := range pairs {
		c *= 0.3 + 0.7*max(0, min(1, pairs[i].Confidence))
	}
	return c
}
