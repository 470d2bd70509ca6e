package generator

import (
	"fmt"
	"slices"

	"hopstream/messages"
	"hopstream/stages/evidence"
)

const (
	// Unsupported is the reason given with an answer that was dropped because no
	// passage has it.
	Unsupported = "the answer found stands in no passage"
	// doubt is what is left of the confidence in an answer that no passage
	// supports.
	doubt = 0.5
)

// supported returns f with the evidence for it and for its claims, looked up in
// what the sub-query was answered from. Its sources are those it names and
// those of the evidence, and no others. An answer without evidence is trusted
// less, or dropped.
func (g *Generator) supported(in *messages.Generate, f messages.Finding) messages.Finding {
	if f.Text == "" {
		return messages.Finding{}
	}
	passages := passagesOf(in)
	f.Evidence = evidence.Support(in.Query, &f, passages, in.Spans)
	f.Claims = distinct(f.Claims, in.Found)
	for i := range f.Claims { // distinct made them anew
		c := &f.Claims[i]
		c.Evidence = evidence.Of(in.Query, c.Text, c.Citations, passages, in.Spans)
		f.Evidence = messages.AddEvidence(f.Evidence, c.Evidence...)
	}
	if len(f.Evidence) == 0 {
		if g.opts.RequireEvidence {
			return messages.Finding{}
		}
		f.Confidence *= doubt
	}
	f.Sources = slices.Clip(f.Sources) // an engine may keep its own
	for _, e := range f.Evidence {
		f.Sources = messages.AddSources(f.Sources, messages.Source{ID: e.ID, Title: e.Title, URL: e.URL})
	}
	f.Sources = addressed(f.Sources, in.Found)
	return f
}

// sure returns why an answer is not given for want of confidence; empty if it
// is given. An engine that does not say how sure it is, is believed.
func (g *Generator) sure(f *messages.Finding) string {
	if f.Confidence > 0 && f.Confidence < g.opts.MinConfidence {
		return fmt.Sprintf("not sure enough: confidence %.2f is below answer.min_confidence %.2f", f.Confidence, g.opts.MinConfidence)
	}
	return ""
}

// unsure ends a question whose answer is not sure enough: the evidence is shown,
// the answer is not.
func (g *Generator) unsure(h *messages.Head, f messages.Finding) *messages.Answer {
	a := messages.NewAnswer(h, messages.Unanswered, f, g.sure(&f), g.now())
	a.Answer, a.Claims = "", nil
	return a
}

// passagesOf returns what a sub-query is answered from.
func passagesOf(in *messages.Generate) []messages.Passage {
	if len(in.Passages) > 0 {
		return in.Passages
	}
	var out []messages.Passage
	for _, w := range in.Windows { // of a build that knew no spans
		if w.Scale == 0 {
			out = append(out, messages.Passage{ID: w.Passage, Title: w.Title, Text: w.Text})
		}
	}
	return out
}

// windowsOf returns what an engine is given to answer from: the passages whole,
// or, where each scale is answered for itself, the texts of the spans.
func (g *Generator) windowsOf(in *messages.Generate) []messages.Window {
	if len(in.Passages) == 0 {
		return in.Windows
	}
	if g.opts.Windows && len(in.Spans) > 0 {
		out := make([]messages.Window, 0, len(in.Spans))
		for _, s := range in.Spans {
			p := &in.Passages[s.Passage]
			out = append(out, messages.Window{Passage: p.ID, Title: p.Title, Heading: p.Heading, Text: p.Text[s.From:s.To], Scale: s.Scale, Score: s.Score})
		}
		return out
	}
	out := make([]messages.Window, len(in.Passages))
	for i := range in.Passages {
		p := &in.Passages[i]
		out[i] = messages.Window{Passage: p.ID, Title: p.Title, Heading: p.Heading, Text: p.Text, Score: p.Score}
	}
	return out
}
