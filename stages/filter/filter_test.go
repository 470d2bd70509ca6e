package filter_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/engine/roles"
	"hopstream/stages/filter"
)

func in(ids string) *messages.Filter {
	m := &messages.Filter{Head: messages.Head{ID: "q", Round: 1, Branch: 2, Branches: 2}, Query: "one?"}
	for _, id := range strings.Split(ids, "") {
		m.Passages = append(m.Passages, messages.Passage{ID: id})
	}
	return m
}

func TestKeeps(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		passages, relevant string
		o                  filter.Options
		want               string
	}{
		"the relevant":               {"abcdef", "bd", filter.Options{}, "bd"},
		"no more than asked":         {"abcdef", "bcdef", filter.Options{Keep: 2}, "bc"},
		"three by default":           {"abcdef", "abcdef", filter.Options{}, "abc"},
		"the best, if none relevant": {"abcdef", "", filter.Options{Keep: 2}, "ab"},
		"none, if none relevant":     {"abcdef", "", filter.Options{IfNone: filter.IfNoneNone}, ""},
		"none, to answer directly":   {"abcdef", "", filter.Options{IfNone: filter.IfNoneDirect}, ""},
		"the relevant all the same":  {"abcdef", "e", filter.Options{IfNone: filter.IfNoneDirect}, "e"},
		"the best, unjudged anyway":  {"abcdef", "", filter.Options{Off: true, IfNone: filter.IfNoneDirect}, "abc"},
		"what there is":              {"a", "", filter.Options{}, "a"},
		"nothing of nothing":         {"", "", filter.Options{}, ""},
		"the best, unjudged":         {"abcdef", "f", filter.Options{Off: true, Keep: 2}, "ab"},
	} {
		e := &roles.Set{RelevantFunc: func(_ context.Context, _ string, ps []messages.Passage) ([]bool, error) {
			out := make([]bool, len(ps))
			for i, p := range ps {
				out[i] = strings.Contains(c.relevant, p.ID)
			}
			return out, nil
		}}
		out, err := filter.New(e, c.o).Handle(t.Context(), in(c.passages))
		if err != nil || len(out) != 1 {
			t.Fatalf("%s: %v, %v", name, out, err)
		}
		a, got := out[0].(*messages.Align), ""
		for _, p := range a.Passages {
			got += p.ID
		}
		if got != c.want || a.Query != "one?" || a.Key() != in("").Key() {
			t.Errorf("%s: kept %q, want %q", name, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		verdicts []bool
		err      error
		want     fault.Class
	}{
		"engine error":    {nil, broken, fault.Transient},
		"too few":         {[]bool{true}, nil, fault.Permanent},
		"none whatsoever": {nil, nil, fault.Permanent},
	} {
		e := &roles.Set{RelevantFunc: func(context.Context, string, []messages.Passage) ([]bool, error) { return c.verdicts, c.err }}
		_, err := filter.New(e, filter.Options{}).Handle(t.Context(), in("ab"))
		if class, _ := fault.Of(err); err == nil || class != c.want {
			t.Errorf("%s: %v is %v", name, err, class)
		}
	}
}

func TestKeepsHowTheSearchWent(t *testing.T) {
	t.Parallel()
	m := in("ab")
	m.Passages[0].By, m.Degraded = []string{"bm25"}, []string{"web: timeout"}
	for _, off := range []bool{false, true} {
		out, err := filter.New(&roles.Set{}, filter.Options{Off: off}).Handle(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		a := out[0].(*messages.Align)
		if !slices.Equal(a.Degraded, m.Degraded) || !slices.Equal(a.Passages[0].By, m.Passages[0].By) {
			t.Errorf("off %v: %+v", off, a)
		}
	}
}
