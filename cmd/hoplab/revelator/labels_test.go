package revelator

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"hopstream/cmd/hoplab/sim"
	"hopstream/messages"
)

// opinion labels by a rule, and notes what it was asked.
type opinion struct {
	mu    sync.Mutex
	asked map[string]int // passages by question
	rule  func(question string, p messages.Passage) (relevant, ok bool, err error)
}

func (o *opinion) Relevant(_ context.Context, question string, p messages.Passage) (relevant, ok bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.asked == nil {
		o.asked = map[string]int{}
	}
	o.asked[question]++
	return o.rule(question, p)
}

// baker finds what a baker did relevant, whatever was asked.
func baker(_ string, p messages.Passage) (relevant, ok bool, err error) {
	return strings.Contains(p.Text, "baker"), true, nil
}

// With a model, its labels are taught and not the gold's, about no more questions
// than wanted.
func TestLabels(t *testing.T) {
	t.Parallel()
	o := usual
	o.Roles = []Role{Relevance, RelevanceAll}
	labels := &opinion{rule: baker}
	o.Labels, o.AtOnce = labels, 3
	made := build(t, invented(60), o)
	checkApart(t, made)
	yes, none := 0, 0
	for split, examples := range made.Examples[Relevance] {
		for _, e := range examples {
			checkExample(t, string(split), Relevance, e)
			_, in, _ := sim.Read(e.Prompt)
			if want := strings.Contains(in.Passages[0].Text, "baker"); (e.Label == "true") != want {
				t.Errorf("%q is %s for %q", in.Passages[0].Text, e.Label, in.Question)
			}
			if e.Label == "true" {
				yes++
			}
		}
	}
	for _, e := range made.Examples[RelevanceAll][Train] {
		checkExample(t, "train", RelevanceAll, e)
		_, in, _ := sim.Read(e.Prompt)
		for _, p := range in.Passages {
			if strings.Contains(p.Text, "baker") && e.Label == "none" {
				t.Errorf("none of %q is relevant", in.Passages)
			}
		}
		if e.Label == "none" {
			none++
		}
	}
	if yes == 0 || none == 0 {
		t.Errorf("%d relevant passages, %d searches without any", yes, none)
	}
	for q, n := range labels.asked {
		if n > shownPassages+2 {
			t.Errorf("%d passages for %q", n, q)
		}
	}
	whole := len(labels.asked)

	o.AtOnce = 1
	if again := build(t, invented(60), o); !reflect.DeepEqual(again.Examples, made.Examples) {
		t.Error("one at a time teaches something else")
	}
	labels = &opinion{rule: baker}
	o.Labels, o.Labelled = labels, 30
	made = build(t, invented(60), o)
	if n := len(labels.asked); n > 32 || n < 28 || whole < 60 {
		t.Errorf("%d questions of %d labelled, want about 30", n, whole)
	}
	for _, split := range SplitNames() {
		if len(made.Examples[Relevance][split]) == 0 {
			t.Errorf("no examples for %s", split)
		}
	}
}

// A passage that the model says nothing of is not taught; an error ends the work.
func TestLabelsMissing(t *testing.T) {
	t.Parallel()
	o := usual
	o.Roles = []Role{Relevance, RelevanceAll}
	o.Labels = &opinion{rule: func(q string, p messages.Passage) (bool, bool, error) {
		yes, _, _ := baker(q, p)
		return yes, !strings.Contains(p.Text, "glazier"), nil
	}}
	made, err := Build(t.Context(), invented(60), o)
	for _, role := range o.Roles {
		for _, e := range made.Examples[role][Train] {
			if strings.Contains(e.Prompt.User, "glazier") {
				t.Errorf("%s: %s", role, e.Prompt.User)
			}
		}
	}
	if err != nil || len(made.Examples[Relevance][Train]) == 0 {
		t.Errorf("%v, %d examples", err, len(made.Examples[Relevance][Train]))
	}
	sick := errors.New("sick")
	o.Labels = &opinion{rule: func(string, messages.Passage) (bool, bool, error) { return false, false, sick }}
	if _, err := Build(t.Context(), invented(60), o); !errors.Is(err, sick) {
		t.Errorf("%v", err)
	}
}
