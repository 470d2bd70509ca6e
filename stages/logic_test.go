package stages_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/aligner"
	"hopstream/stages/engine/scripted"
	"hopstream/stages/filter"
	"hopstream/stages/retriever"
)

// way returns the kinds of messages that follow one sub-query's Retrieve, up
// to its Generate, when the given rows run.
func way(t *testing.T, p stages.Parts) (kinds []messages.Kind, last *messages.Generate) {
	t.Helper()
	logics := stages.Assemble(stages.Pipeline(), p)
	q := &messages.Question{Question: "Who?"}
	q.Accept("q", time.Now(), messages.Policy{}, "")
	var m messages.Message = messages.FirstRetrieve(*q.Meta())
	for last == nil {
		i := slices.IndexFunc(logics, func(l stages.Logic) bool { return l.Stage.Input == m.Kind() })
		outs, err := logics[i].Handle(t.Context(), m.(messages.Carrier))
		if err != nil || len(outs) != 1 {
			t.Fatal(outs, err)
		}
		m = outs[0]
		kinds = append(kinds, m.Kind())
		last, _ = m.(*messages.Generate)
	}
	return kinds, last
}

// TestStagesThatAreOffAreSkipped holds that nothing is stored between the
// stages around one that is off, and that it makes no difference otherwise.
func TestStagesThatAreOffAreSkipped(t *testing.T) {
	t.Parallel()
	e := &scripted.Engine{SearchFunc: func(context.Context, string, int) ([]messages.Passage, error) {
		return []messages.Passage{{ID: "a", Text: "One."}, {ID: "b", Text: "Two."}, {ID: "c", Text: "Three."}, {ID: "d", Text: "Four."}}, nil
	}}
	for _, c := range []struct {
		filter, aligner bool // off
		want            []messages.Kind
	}{
		{false, false, []messages.Kind{messages.KindFilter, messages.KindAlign, messages.KindGenerate}},
		{false, true, []messages.Kind{messages.KindFilter, messages.KindGenerate}},
		{true, false, []messages.Kind{messages.KindAlign, messages.KindGenerate}},
		{true, true, []messages.Kind{messages.KindGenerate}},
	} {
		p := stages.Parts{Engine: e, Search: retriever.Plain(e)}
		p.Filter, p.Aligner = filter.Options{Off: c.filter}, aligner.Options{Off: c.aligner}
		kinds, got := way(t, p)
		if !slices.Equal(kinds, c.want) {
			t.Errorf("with %+v off a sub-query leads to %v, want %v", c, kinds, c.want)
		}
		p.EveryHop = true
		all, want := way(t, p)
		if len(all) != 3 {
			t.Errorf("every hop is %v", all)
		}
		if !slices.EqualFunc(got.Windows, want.Windows, func(x, y messages.Window) bool { return x == y }) {
			t.Errorf("with %+v off the generator gets %v, and by every hop %v", c, got.Windows, want.Windows)
		}
	}
}

// TestSkippableStages holds that a stage that may be off writes in its input's
// place only, and that the one before it tells a redelivery of what it may
// have written past it.
func TestSkippableStages(t *testing.T) {
	t.Parallel()
	for _, next := range stages.Pipeline() {
		if next.Off == nil {
			continue
		}
		before := 0
		for _, o := range next.Outputs {
			if o.At != stages.Same {
				t.Errorf("%s may be off and writes %s elsewhere", next.Name, o.Kind)
			}
			for _, s := range stages.Pipeline() {
				if slices.Contains(s.Outputs, stages.Output{Kind: next.Input, At: stages.Same}) {
					before++
					if !slices.Contains(s.Outputs, o) {
						t.Errorf("%s does not say that it may write %s past %s", s.Name, o.Kind, next.Name)
					}
				}
			}
		}
		if before == 0 {
			t.Errorf("nothing leads to %s", next.Name)
		}
	}
}
