package stages_test

import (
	"slices"
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/stages"
)

// TestTable holds that every inner kind is read by one stage and written by
// another.
func TestTable(t *testing.T) {
	t.Parallel()
	reads, writes := map[messages.Kind]string{}, map[messages.Kind]bool{messages.KindRetrieve: true}
	for _, s := range stages.Pipeline() {
		if other := reads[s.Input]; other != "" {
			t.Errorf("%s and %s both read %s", other, s.Name, s.Input)
		}
		reads[s.Input] = s.Name
		for i, o := range s.Outputs {
			writes[o.Kind] = true
			if slices.Contains(s.Outputs[:i], o) {
				t.Errorf("%s writes %+v twice", s.Name, o)
			}
		}
		if s.Concurrency <= 0 || s.AckWait <= 0 || s.Timeout <= 0 || s.Attempts <= 0 {
			t.Errorf("%s has no bounds: %+v", s.Name, s)
		}
	}
	for _, k := range messages.Kinds() {
		if k.Inner() && k != messages.KindPlan && reads[k] == "" {
			t.Errorf("nobody reads %s", k)
		}
		if k.Inner() && !writes[k] {
			t.Errorf("nobody writes %s", k)
		}
	}
}

func TestOutputKeys(t *testing.T) {
	t.Parallel()
	h := &messages.Head{ID: "q", Round: 2, Branch: 3}
	for place, want := range map[stages.Place]messages.Key{
		stages.Whole: {ID: "q"}, stages.SameRound: {ID: "q", Round: 2}, stages.NextRound: {ID: "q", Round: 3},
		stages.Same: {ID: "q", Round: 2, Branch: 3}, stages.FirstRound: {ID: "q", Round: 1}, stages.First: {ID: "q", Round: 1, Branch: 1},
	} {
		if got := (stages.Output{At: place}).Key(h); got != want {
			t.Errorf("place %d is %+v, want %+v", place, got, want)
		}
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	for list, want := range map[string][]string{"": stages.Names(), "all": stages.Names(), "judge, router": {"router", "judge"}} {
		rows, err := stages.Select(list)
		var got []string
		for _, r := range rows {
			got = append(got, r.Name)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q selects %v (%v)", list, got, err)
		}
	}
	if _, err := stages.Select("router,nobody"); err == nil || !strings.Contains(err.Error(), `"nobody"`) {
		t.Errorf("error is %v", err)
	}
}
