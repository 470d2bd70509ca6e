package searcher

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"hopstream/index"
	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/engine/roles"
	"hopstream/stages/meter"
)

// finder finds by the query as a text, and writes down what it is asked.
type finder struct {
	finds map[string][]messages.Passage
	err   error
	asked []string
}

func (f *finder) Find(ctx context.Context, q index.Query, k int) ([]messages.Passage, error) {
	text := written(q)
	f.asked = append(f.asked, text)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ps := f.finds[text]
	if all, ok := f.finds["*"]; ok && ps == nil {
		ps = all
	}
	return ps[:min(k, len(ps))], f.err
}

// written is a query as people would type it.
func written(q index.Query) string {
	var parts []string
	for _, w := range q.Words {
		if w.Phrase {
			w.Text = `"` + w.Text + `"`
		}
		if w.Boost > 1 {
			w.Text += fmt.Sprintf("^%g", w.Boost)
		}
		parts = append(parts, w.Text)
	}
	for _, p := range q.Not {
		parts = append(parts, "-"+p)
	}
	return strings.Join(parts, " ")
}

// says is an operator that says its words in turn, and then nothing.
func says(words ...string) roles.Operator {
	return func(context.Context, string, []string, []messages.Passage) (string, error) {
		if len(words) == 0 {
			return "", nil
		}
		w := words[0]
		words = words[1:]
		return w, nil
	}
}

// wants verifies passages that hold id.
func wants(id string) func(context.Context, string, []messages.Passage) (bool, error) {
	return func(_ context.Context, _ string, found []messages.Passage) (bool, error) {
		return slices.Contains(ids(found), id), nil
	}
}

func TestSparse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		e     roles.Set
		opts  SparseOptions
		finds map[string][]messages.Passage
		want  string // IDs
		asked string // of the index
	}{
		"what suffices is the result": {
			finds: map[string][]messages.Passage{"red bridge": list("a", "b")},
			want:  "a b", asked: "red bridge",
		},
		"nothing found: another word may find something": {
			e: roles.Set{ExtendFunc: says("x"), EmphasiseFunc: says("red"), ExcludeFunc: says("y"),
				VerifyFunc: func(_ context.Context, _ string, found []messages.Passage) (bool, error) {
					return true, nil
				}},
			finds: map[string][]messages.Passage{`red bridge "x"`: list("a")},
			want:  "a", asked: `red bridge|red bridge|red bridge "x"`,
		},
		"nothing found, and no other word": {
			e:     roles.Set{EmphasiseFunc: says("red"), ExcludeFunc: says("y")},
			asked: "red bridge|red bridge",
		},
		"keywords that nobody wrote": {
			e:     roles.Set{KeywordsFunc: func(context.Context, string) ([]string, error) { return []string{"rouge", " ? "}, nil }},
			finds: map[string][]messages.Passage{"red bridge": list("a")},
			want:  "a", asked: "rouge|red bridge",
		},
		"extended": {
			e:     roles.Set{ExtendFunc: says(` "Orla Venn" `), VerifyFunc: wants("x")},
			finds: map[string][]messages.Passage{"red bridge": list("a", "b"), `red bridge "Orla Venn"`: list("x", "b")},
			want:  "x b", asked: `red bridge|red bridge "Orla Venn"`,
		},
		"emphasised, breadth first": {
			e:     roles.Set{ExtendFunc: says("Orla"), EmphasiseFunc: says("Bridge"), VerifyFunc: wants("x")},
			finds: map[string][]messages.Passage{"red bridge": list("a"), `red bridge "Orla"`: list("c"), "red bridge^2": list("x", "a")},
			want:  "x a", asked: `red bridge|red bridge "Orla"|red bridge^2`,
		},
		"excluded, one deeper": {
			e:     roles.Set{ExtendFunc: says("Orla"), ExcludeFunc: says("", "lamp"), VerifyFunc: wants("x")},
			finds: map[string][]messages.Passage{"red bridge": list("a"), `red bridge "Orla"`: list("a", "b"), `red bridge "Orla" -lamp`: list("x")},
			want:  "x", asked: `red bridge|red bridge "Orla"|red bridge "Orla" -lamp`,
		},
		"an emphasis on no keyword": {
			e:     roles.Set{EmphasiseFunc: says("elephant"), VerifyFunc: wants("x")},
			finds: map[string][]messages.Passage{"red bridge": list("a")},
			want:  "a", asked: "red bridge",
		},
		"a quoted keyword emphasised": {
			e:     roles.Set{ExtendFunc: says("Orla Venn"), EmphasiseFunc: says("", `"orla venn"`), VerifyFunc: wants("x")},
			finds: map[string][]messages.Passage{"red bridge": list("a"), `red bridge "Orla Venn"`: list("b"), `red bridge "Orla Venn"^2`: list("x")},
			want:  "x", asked: `red bridge|red bridge "Orla Venn"|red bridge "Orla Venn"^2`,
		},
		"extended by a keyword that is there": {
			e:     roles.Set{ExtendFunc: says("Bridge"), VerifyFunc: wants("x")},
			finds: map[string][]messages.Passage{"red bridge": list("a")},
			want:  "a", asked: "red bridge",
		},
		"an operator that contradicts": {
			e:     roles.Set{ExcludeFunc: says("old bridge"), VerifyFunc: wants("x")},
			finds: map[string][]messages.Passage{"red bridge": list("a")},
			want:  "a", asked: "red bridge",
		},
		"what finds nothing is extended only": {
			e:     roles.Set{ExcludeFunc: says("Elephant"), ExtendFunc: says("", "Orla"), EmphasiseFunc: says("", "red"), VerifyFunc: wants("x")},
			finds: map[string][]messages.Passage{"red bridge": list("a")},
			want:  "a", asked: `red bridge|red bridge -Elephant|red bridge "Orla" -Elephant`,
		},
		"nothing is asked twice": {
			e:     roles.Set{ExtendFunc: says("Orla", "ORLA!", "orla"), EmphasiseFunc: says("red", "Red", "red", "red"), VerifyFunc: wants("x")},
			finds: map[string][]messages.Passage{"red bridge": list("a"), `red bridge "Orla"`: list("a"), "red^2 bridge": list("a"), `red^2 bridge "Orla"`: list("a")},
			want:  "a", asked: `red bridge|red bridge "Orla"|red^2 bridge|red^2 bridge "Orla"`,
		},
		"no depth": {
			e: roles.Set{ExtendFunc: says("Orla"), VerifyFunc: wants("x")}, opts: SparseOptions{Depth: -1},
			finds: map[string][]messages.Passage{"*": list("a")},
			want:  "a", asked: "red bridge",
		},
		"no verification": {
			e: roles.Set{ExtendFunc: says("Orla"), VerifyFunc: wants("x")}, opts: SparseOptions{MaxVerifications: -1},
			finds: map[string][]messages.Passage{"*": list("a")},
			want:  "a", asked: "red bridge",
		},
		"one refinement": {
			e: roles.Set{ExtendFunc: says("Orla"), EmphasiseFunc: says("red"), VerifyFunc: wants("x")}, opts: SparseOptions{MaxRefinements: 1},
			finds: map[string][]messages.Passage{"*": list("a")},
			want:  "a", asked: `red bridge|red bridge "Orla"`,
		},
	} {
		f := &finder{finds: c.finds}
		got, err := NewSparse(f, &c.e, &c.e, &c.e, c.opts).Search(t.Context(), "red bridge", 5)
		if asked := strings.Join(f.asked, "|"); err != nil || strings.Join(ids(got), " ") != c.want || asked != c.asked {
			t.Errorf("%s: %v, %v, asked\n%s\nwant %s, asked\n%s", name, ids(got), err, asked, c.want, c.asked)
		}
	}
}

// TestSparseKeepsTheFirstSearch gives operators that say whatever they like
// and a verifier that likes nothing: what the keywords rank first stays among the
// best. What a verifier does like is the result as it was found.
func TestSparseKeepsTheFirstSearch(t *testing.T) {
	t.Parallel()
	for _, verdict := range []bool{true, false} {
		n := 0
		e := &roles.Set{
			ExtendFunc: func(context.Context, string, []string, []messages.Passage) (string, error) {
				n++
				return fmt.Sprint("w", n), nil
			},
			VerifyFunc: func(_ context.Context, _ string, found []messages.Passage) (bool, error) {
				return verdict && found[0].ID != "a", nil
			},
		}
		f := &finder{finds: map[string][]messages.Passage{"red bridge": list("a", "b", "c", "d", "e"), "*": list("v", "w", "x", "y", "z")}}
		got, err := NewSparse(f, e, e, e, SparseOptions{}).Search(t.Context(), "red bridge", 5)
		if verdict {
			if want := []string{"v", "w", "x", "y", "z"}; err != nil || !slices.Equal(ids(got), want) {
				t.Errorf("%v, %v; what suffices is %v", ids(got), err, want)
			}
			continue
		}
		for _, id := range []string{"a", "b"} {
			if err != nil || !slices.Contains(ids(got), id) {
				t.Errorf("%v lost %s, %v", ids(got), id, err)
			}
		}
	}
}

// TestSparseCost counts what a search may ask for at most.
func TestSparseCost(t *testing.T) {
	t.Parallel()
	n, operators, verifications := 0, 0, 0
	var mu sync.Mutex
	op := func(_ context.Context, _ string, keywords []string, _ []messages.Passage) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		operators++
		return fmt.Sprint("w", operators), nil
	}
	emphasise := func(ctx context.Context, q string, keywords []string, found []messages.Passage) (string, error) {
		word, err := op(ctx, q, keywords, found)
		return keywords[0] + " " + word, err
	}
	e := &roles.Set{ExtendFunc: op, EmphasiseFunc: emphasise, ExcludeFunc: op,
		VerifyFunc: func(context.Context, string, []messages.Passage) (bool, error) { verifications++; return false, nil }}
	f := findFunc(func(index.Query, int) ([]messages.Passage, error) { n++; return list(fmt.Sprint(n)), nil })
	if _, err := NewSparse(f, e, e, e, SparseOptions{}).Search(t.Context(), "red bridge", 5); err != nil || n != 28 || operators != 27 || verifications != 28 {
		t.Errorf("%d searches, %d operators, %d verifications, %v", n, operators, verifications, err)
	}
	n, operators, verifications = 0, 0, 0
	if _, err := NewSparse(f, e, e, e, SparseOptions{MaxVerifications: 4}).Search(t.Context(), "red bridge", 5); err != nil || n != 4 || verifications != 4 {
		t.Errorf("%d searches, %d verifications, %v", n, verifications, err)
	}
	n, operators, verifications = 0, 0, 0
	if _, err := NewSparse(f, e, e, e, SparseOptions{MaxRefinements: 1000, MaxVerifications: 1000}).Search(t.Context(), "red bridge", 5); err != nil || operators != 39 {
		t.Errorf("%d operators in three levels, %v", operators, err)
	}
	// The same passages are verified once.
	verifications = 0
	same := findFunc(func(index.Query, int) ([]messages.Passage, error) { return list("a"), nil })
	if _, err := NewSparse(same, e, e, e, SparseOptions{}).Search(t.Context(), "red bridge", 5); err != nil || verifications != 1 {
		t.Errorf("%d verifications, %v", verifications, err)
	}
}

type findFunc func(q index.Query, k int) ([]messages.Passage, error)

func (f findFunc) Find(_ context.Context, q index.Query, k int) ([]messages.Passage, error) {
	return f(q, k)
}

func TestSparseErrors(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	spent := fault.AsPermanent(fmt.Errorf("%w: no model calls left", meter.ErrSpent))
	for _, c := range []struct {
		name string
		err  error
	}{
		{"broken", fault.Permanentf("broken")}, {"spent", spent}, {"away", fault.AsUnavailable(errors.New("away"), 0)},
		{"odd", errors.New("odd")}, {"cancels itself", context.Canceled},
	} {
		op := func(context.Context, string, []string, []messages.Passage) (string, error) { return "", c.err }
		for role, e := range map[string]*roles.Set{
			"keywords":  {KeywordsFunc: func(context.Context, string) ([]string, error) { return nil, c.err }},
			"verify":    {VerifyFunc: func(context.Context, string, []messages.Passage) (bool, error) { return false, c.err }},
			"extend":    {ExtendFunc: op, VerifyFunc: wants("x")},
			"emphasise": {EmphasiseFunc: op, VerifyFunc: wants("x")},
			"exclude":   {ExcludeFunc: op, VerifyFunc: wants("x")},
		} {
			var told []error
			f := &finder{finds: map[string][]messages.Passage{"*": list("a", "b")}}
			s := NewSparse(f, e, e, e, SparseOptions{OnGiveUp: func(_ context.Context, what string, err error) { told = append(told, fmt.Errorf("%s: %w", what, err)) }})
			got, err := s.Search(t.Context(), "red bridge", 5)
			if err != nil || len(got) != 2 || len(told) != 1 || !errors.Is(told[0], c.err) || !strings.HasPrefix(told[0].Error(), "sparse "+step(role)) {
				t.Errorf("%s, %s: %v, %v, told %v", role, c.name, got, err, told)
			}
			broken := &finder{err: errors.New("disk"), finds: f.finds}
			if _, err := NewSparse(broken, &roles.Set{}, e, e, SparseOptions{}).Search(t.Context(), "red bridge", 5); !errors.Is(err, broken.err) {
				t.Errorf("%s: %v", role, err)
			}
		}
	}
	leaving := &roles.Set{VerifyFunc: func(context.Context, string, []messages.Passage) (bool, error) {
		cancel()
		return false, fault.Permanentf("too late")
	}}
	f := &finder{finds: map[string][]messages.Passage{"*": list("a")}}
	s := NewSparse(f, leaving, leaving, leaving, SparseOptions{OnGiveUp: func(_ context.Context, what string, err error) { t.Error("told", what, err) }})
	for range 2 {
		if got, err := s.Search(ctx, "red bridge", 5); !errors.Is(err, context.Canceled) || got != nil {
			t.Error(got, err)
		}
	}
}

// step is how what is given up with a role is told.
func step(role string) string {
	if role == "keywords" {
		return "keywords: "
	}
	return "refinement: " + role + ": "
}

// TestSparseLaterSearchFails holds that an error of the index in a refinement
// leaves what was found before.
func TestSparseLaterSearchFails(t *testing.T) {
	t.Parallel()
	e := &roles.Set{ExtendFunc: says("Orla"), VerifyFunc: wants("x")}
	f := findFunc(func(q index.Query, _ int) ([]messages.Passage, error) {
		if len(q.Words) > 2 {
			return nil, errors.New("disk")
		}
		return list("a"), nil
	})
	var told string
	s := NewSparse(f, e, e, e, SparseOptions{OnGiveUp: func(_ context.Context, what string, err error) { told = what + ": " + err.Error() }})
	if got, err := s.Search(t.Context(), "red bridge", 5); err != nil || !slices.Equal(ids(got), []string{"a"}) || told != "sparse refinement: search: disk" {
		t.Errorf("%v, %v, told %q", ids(got), err, told)
	}
}

func TestSparseWithoutRoles(t *testing.T) {
	t.Parallel()
	f := &finder{finds: map[string][]messages.Passage{"*": list("a", "b")}}
	s := NewSparse(f, nil, nil, nil, SparseOptions{})
	if got, err := s.Search(t.Context(), "red bridge", 1); err != nil || !slices.Equal(ids(got), []string{"a"}) || f.asked[0] != "red bridge" {
		t.Error(got, err, f.asked)
	}
	for _, q := range []string{"", " \n"} {
		if got, err := s.Search(t.Context(), q, 5); got != nil || err != nil {
			t.Errorf("%q: %v, %v", q, got, err)
		}
	}
	if got, err := s.Search(t.Context(), "red", 0); got != nil || err != nil || len(f.asked) != 1 {
		t.Error(got, err, f.asked)
	}
}
