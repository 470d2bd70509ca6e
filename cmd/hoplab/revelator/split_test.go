package revelator

import (
	"reflect"
	"slices"
	"testing"

	"hopstream/cmd/hoplab/sim"
	"hopstream/messages"
)

// Nothing that a model reads in one split is in another: no question, no
// sub-question, no passage, gold or not.
func TestSplitsHaveNothingInCommon(t *testing.T) {
	t.Parallel()
	made := build(t, invented(120), usual)
	checkApart(t, made)
	for _, role := range Roles() {
		for _, split := range SplitNames() {
			if len(made.Examples[role][split]) == 0 {
				t.Errorf("no %s examples for %s", split, role)
			}
		}
	}
}

// checkApart reads every prompt back and looks where its texts are.
func checkApart(t *testing.T, made *Made) {
	t.Helper()
	where := map[string]Split{}
	see := func(kind, text string, split Split) {
		if text == "" {
			return
		}
		key := kind + text
		if old, ok := where[key]; ok && old != split {
			t.Errorf("in %s and in %s: %.80q", old, split, key)
		}
		where[key] = split
	}
	for _, role := range made.Options.Roles {
		for split, examples := range made.Examples[role] {
			for _, e := range examples {
				_, in, ok := sim.Read(e.Prompt)
				if !ok {
					t.Fatalf("%s: not read:\n%s", role, e.Prompt.User)
				}
				see("question ", textKey(in.Question), split)
				for _, p := range in.Pairs {
					see("question ", textKey(p.Question), split)
				}
				for _, p := range in.Passages {
					see("passage ", p.Title+"\n"+p.Text, split)
				}
			}
		}
	}
	for i, s := range made.Sets {
		for split, ids := range s.Placed {
			for _, id := range ids {
				see("id "+made.Sets[i].Name+" ", id, split)
			}
		}
	}
}

// Two sets that have the same passage, or the same question, under other IDs
// are connected by it.
func TestConnections(t *testing.T) {
	t.Parallel()
	sets := invented(40)
	s := newSplits(sets, 3, Shares{Dev: 0.3, Test: 0.3})
	for i := range sets[3].Questions {
		q := &sets[3].Questions[i]
		split := s.ofQuestion(q)
		for _, id := range q.Supporting {
			if got := s.ofDocument(3, id); got != split {
				t.Fatalf("%s is in %s, its gold passage %s in %s", q.ID, split, id, got)
			}
		}
		// The same person in the set of single-step questions.
		if got := s.ofDocument(1, q.Supporting[0]); got != split {
			t.Fatalf("%s is in %s, the same passage of another set in %s", q.ID, split, got)
		}
		if got := s.ofQuestion(&sets[1].Questions[3*i]); got != split {
			t.Fatalf("%s is in %s, what shares its passage in %s", q.ID, split, got)
		}
	}
}

// What is connected and more than a held-out split should have goes to Train.
func TestLargeComponents(t *testing.T) {
	t.Parallel()
	sets := invented(60)[1:2]
	for i := range sets[0].Questions[:90] { // half of all share a document
		q := &sets[0].Questions[i]
		q.Supporting = append(slices.Clone(q.Supporting), "p0")
	}
	for seed := range uint64(20) {
		s := newSplits(sets, seed, Shares{Dev: 0.2, Test: 0.2})
		if got := s.ofQuestion(&sets[0].Questions[0]); got != Train || s.largest != 90 {
			t.Fatalf("seed %d: 90 of 180 questions (%d) are in %s", seed, s.largest, got)
		}
	}
}

// The order of sets and questions changes nothing, another seed does.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	sets, o := invented(60), usual
	first := build(t, sets, o)
	again := invented(60)
	slices.Reverse(again)
	for i := range again {
		slices.Reverse(again[i].Questions)
		slices.Reverse(again[i].Documents)
	}
	if got := build(t, again, o); !reflect.DeepEqual(got.Examples, first.Examples) {
		t.Error("another order of the same sets gives other examples")
	}
	o.Seed++
	if got := build(t, sets, o); reflect.DeepEqual(got.Examples[Router], first.Examples[Router]) {
		t.Error("another seed gives the same examples")
	}
}

func TestBalance(t *testing.T) {
	t.Parallel()
	made := build(t, invented(120), usual)
	m := made.manifest(nil)
	for _, split := range SplitNames() {
		router := m.Roles[Router][split]
		for _, class := range messages.Classes() {
			drawn := m.Router[split]
			if n := router.Labels[string(class)]; n == 0 || n != drawn.Taken[class] || n > drawn.Have[class] {
				t.Errorf("%s: router labels %v, drawn %+v", split, router.Labels, drawn)
			}
		}
		ending := m.Roles[Ending][split].Labels
		if ending["true"] != ending["false"] { // chains of two: one prefix each
			t.Errorf("%s: ending labels %v", split, ending)
		}
		// With nothing found: each chain, and a quarter each of single and compound
		// ones, need a look-up; as many straightforward ones as there are do not.
		chains := ending["true"]
		if no, yes := ending["nothing found yet: false"], ending["nothing found yet: true"]; no <= chains || no > chains+2*((chains+3)/4) || yes == 0 || yes > chains {
			t.Errorf("%s: ending labels %v", split, ending)
		}
		relevance := m.Roles[Relevance][split].Labels
		if relevance["true"] == 0 || relevance["false"] > 2*relevance["true"] {
			t.Errorf("%s: relevance labels %v", split, relevance)
		}
		for _, role := range []Role{Decomposer, Refiner} {
			labels := m.Roles[role][split].Labels
			if n := labels["itself"]; n == 0 || 3*n > m.Roles[role][split].Examples {
				t.Errorf("%s: %s labels %v", split, role, labels)
			}
		}
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	sets := invented(40)
	for role, without := range map[Role]int{Router: 0, Decomposer: 2, Refiner: 3, Ending: 3} {
		o := usual
		o.Roles = []Role{role}
		some := slices.Delete(slices.Clone(sets), without, without+1)
		if _, err := Build(t.Context(), some, o); err != (Missing{role}) {
			t.Errorf("%s: %v", role, err)
		}
	}
	o := usual
	o.Roles = []Role{Relevance}
	bare := []Set{{Name: "bare", Class: messages.Single, Questions: sets[1].Questions}}
	if _, err := Build(t.Context(), bare, o); err != (Missing{Relevance}) {
		t.Errorf("relevance without a corpus: %v", err)
	}
}
