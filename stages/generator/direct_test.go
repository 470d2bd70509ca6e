package generator_test

import (
	"context"
	"errors"
	"testing"

	"hopstream/messages"
	"hopstream/stages/engine/roles"
	"hopstream/stages/generator"
)

// TestDirectInVain holds where a straightforward question goes that the model
// cannot answer: to the retriever, unless questions keep their class or it came
// here from the decomposer.
func TestDirectInVain(t *testing.T) {
	t.Parallel()
	e := &roles.Set{DirectFunc: func(context.Context, string) (messages.Finding, error) { return messages.Finding{}, nil }}
	for name, c := range map[string]struct {
		escalate generator.Escalation
		rerouted messages.Reroute
		looked   bool
	}{
		"goes on":        {generator.EscalateOpen, "", true},
		"judged":         {generator.EscalateJudged, "", true},
		"stays":          {generator.EscalateNever, "", false},
		"was complex":    {generator.EscalateOpen, messages.Reduced, false},
		"was, and stays": {generator.EscalateNever, messages.Reduced, false},
	} {
		in := &messages.Generate{Head: head(messages.Straightforward, 0, 0, 0)}
		in.Rerouted = c.rerouted
		out, err := generator.New(e, generator.Options{Escalate: c.escalate}).Handle(t.Context(), in)
		if err != nil || len(out) != 1 || out[0].Validate() != nil {
			t.Fatalf("%s: %v, %v", name, out, err)
		}
		if a, ok := out[0].(*messages.Answer); ok == c.looked || ok && (a.Status != messages.Unanswered || a.Error != generator.NotKnown || a.Steps != 0 || a.Rerouted != c.rerouted) {
			t.Errorf("%s: %+v", name, out[0])
		}
	}
}

// TestAnsweredWithoutPassages holds that a sub-query none of whose passages is
// relevant is answered from what the model knows, where that is wanted: without
// evidence, with half the confidence, and not at all where evidence is required.
func TestAnsweredWithoutPassages(t *testing.T) {
	t.Parallel()
	asked := ""
	e := &roles.Set{
		DirectFunc: func(_ context.Context, q string) (messages.Finding, error) {
			asked = q
			return messages.Finding{Text: "Paris", Confidence: 0.8, Sources: []messages.Source{{ID: "made up"}}}, nil
		},
		AnswerFunc: func(context.Context, string, []messages.Window) (messages.Finding, error) { panic("asked") },
	}
	in := func() *messages.Generate {
		return &messages.Generate{Head: head(messages.Complex, 1, 1, 1), Query: "one?"}
	}
	for name, c := range map[string]struct {
		o      generator.Options
		answer string
		reason string
	}{
		"not wanted":        {generator.Options{}, "", generator.NotFound},
		"wanted":            {generator.Options{Unsourced: true}, "Paris", ""},
		"evidence required": {generator.Options{Unsourced: true, RequireEvidence: true}, "", generator.Unsupported},
	} {
		asked = ""
		out, err := generator.New(e, c.o).Handle(t.Context(), in())
		if err != nil {
			t.Fatal(err)
		}
		p := out[0].(*messages.Subanswer).Pair
		if p.Answer != c.answer || p.Error != c.reason || (asked == "one?") != c.o.Unsourced || len(p.Evidence)+len(p.Sources) > 0 || p.Answer != "" && p.Confidence != 0.4 {
			t.Errorf("%s: asked %q: %+v", name, asked, p)
		}
	}
	// What has passages is answered from them.
	e.AnswerFunc = nil
	full := in()
	full.Windows = windows()[:2]
	out, err := generator.New(e, generator.Options{Unsourced: true}).Handle(t.Context(), full)
	if err != nil || out[0].(*messages.Subanswer).Pair.Answer != "yes" {
		t.Errorf("%v, %v", out, err)
	}
	broken := errors.New("broken")
	e.DirectFunc = func(context.Context, string) (messages.Finding, error) { return messages.Finding{}, broken }
	if _, err := generator.New(e, generator.Options{Unsourced: true}).Handle(t.Context(), in()); !errors.Is(err, broken) {
		t.Error(err)
	}
}
