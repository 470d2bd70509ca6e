package searcher

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hopstream/messages"
)

// script is every role of a dense search, and writes down what it is asked.
type script struct {
	texts   []string            // embedded, by the vector's only number
	finds   map[string][]string // IDs, by what is searched for
	enough  string              // the ID that suffices
	pseudos []string            // pseudo-documents, one after the other
	fail    string              // the step that fails
	then    func()              // done when it does
	log     []string
}

var errScript = errors.New("model is away")

func (s *script) step(format string, args ...any) error {
	line := fmt.Sprintf(format, args...)
	s.log = append(s.log, line)
	if line != s.fail {
		return nil
	}
	if s.then != nil {
		s.then()
	}
	return errScript
}

func names(ps []messages.Passage) string {
	var ids []string
	for _, p := range ps {
		ids = append(ids, p.ID)
	}
	return strings.Join(ids, " ")
}

func (s *script) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if err := s.step("embed %s", strings.Join(texts, "|")); err != nil {
		return nil, err
	}
	s.texts = append(s.texts, texts[0])
	return [][]float32{{float32(len(s.texts) - 1)}}, nil
}

func (s *script) Near(_ context.Context, vector []float32, k int) ([]messages.Passage, error) {
	text := s.texts[int(vector[0])]
	if err := s.step("near %s %d", text, k); err != nil {
		return nil, err
	}
	var ps []messages.Passage
	for i, id := range s.finds[text] {
		ps = append(ps, messages.Passage{ID: id, Text: "text of " + id, Score: 0.9, Rank: i + 1})
	}
	return ps, nil
}

func (s *script) Verify(_ context.Context, query string, found []messages.Passage) (bool, error) {
	err := s.step("verify %s: %s", query, names(found))
	return slices.ContainsFunc(found, func(p messages.Passage) bool { return p.ID == s.enough }), err
}

func (s *script) PseudoDocument(_ context.Context, query string, found []messages.Passage) (string, error) {
	if err := s.step("pseudo %s: %s", query, names(found)); err != nil {
		return "", err
	}
	pseudo := s.pseudos[0]
	s.pseudos = s.pseudos[1:]
	return pseudo, nil
}

func newScript() *script {
	return &script{
		finds: map[string][]string{
			"q":  {"a", "b"},
			"d1": {"b", "c"},
			"d2": {"c", "d"},
			"d3": {"e"},
		},
		pseudos: []string{"d1", "d2", "d3", "d4"},
	}
}

// steps are those of the paper, with what each is shown: a search, verified; a
// pseudo-document of the query and then of what the last search found, searched
// for and verified; three of them at most.
var steps = [][]string{
	{"embed q", "near q 3", "verify q: a b"},
	{"pseudo q: ", "embed d1", "near d1 3", "verify q: b c"},
	{"pseudo q: b c", "embed d2", "near d2 3", "verify q: c d"},
	{"pseudo q: c d", "embed d3", "near d3 3", "verify q: e"},
}

// upTo is what a search does in so many rounds.
func upTo(rounds int) []string { return slices.Concat(steps[:rounds]...) }

// plainly is what a search does that is not verified.
var plainly = steps[0][:2]

func TestDense(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		enough string
		opts   DenseOptions
		want   string
		log    []string
	}{
		{"suffices at once", "a", DenseOptions{}, "a b", upTo(1)},
		{"after one rewrite", "c", DenseOptions{}, "b c", upTo(2)},
		{"after two", "d", DenseOptions{}, "c d", upTo(3)},
		{"after three", "e", DenseOptions{}, "e", upTo(4)},
		{"never", "z", DenseOptions{}, "b c a", upTo(4)},
		{"more than there may be", "z", DenseOptions{Rewrites: 9}, "b c a", upTo(4)},
		{"one allowed", "z", DenseOptions{Rewrites: 1}, "b a c", upTo(2)},
		{"none allowed", "z", DenseOptions{Rewrites: -1}, "a b", plainly},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newScript()
			s.enough = test.enough
			test.opts.OnGiveUp = func(_ context.Context, what string, err error) { t.Error(what, err) }
			ps, err := NewDense(s, s, s, s, test.opts).Search(t.Context(), "q", 3)
			if err != nil || names(ps) != test.want {
				t.Errorf("found %q, %v; want %q", names(ps), err, test.want)
			}
			if !slices.Equal(s.log, test.log) {
				t.Errorf("did\n%s\nwant\n%s", strings.Join(s.log, "\n"), strings.Join(test.log, "\n"))
			}
			for i, p := range ps {
				if p.Rank != i+1 || p.Text != "text of "+p.ID {
					t.Errorf("result %d is %+v", i+1, p)
				}
			}
		})
	}
}

func TestDenseWithoutRoles(t *testing.T) {
	t.Parallel()
	s := newScript()
	for _, d := range []*Dense{
		NewDense(s, s, nil, nil, DenseOptions{}),
		NewDense(s, s, s, nil, DenseOptions{Rewrites: 3}),
		NewDense(s, s, nil, s, DenseOptions{}),
	} {
		s.log, s.texts = nil, nil
		ps, err := d.Search(t.Context(), "q", 3)
		if err != nil || names(ps) != "a b" || ps[0].Score != 0.9 || !slices.Equal(s.log, plainly) {
			t.Error(ps, err, s.log)
		}
	}
	s.log = nil
	for _, q := range []struct {
		query string
		k     int
	}{{"", 3}, {" \n", 3}, {"q", 0}, {"q", -1}} {
		if ps, err := NewDense(s, s, s, s, DenseOptions{}).Search(t.Context(), q.query, q.k); len(ps) != 0 || err != nil || s.log != nil {
			t.Error(q, ps, err, s.log)
		}
	}
}

// TestDenseFindsNothing: nothing needs no verdict, and a pseudo that is blank
// ends the search.
func TestDenseFindsNothing(t *testing.T) {
	t.Parallel()
	s := &script{pseudos: []string{"d1", " "}}
	ps, err := NewDense(s, s, s, s, DenseOptions{}).Search(t.Context(), "q", 3)
	want := []string{"embed q", "near q 3", "pseudo q: ", "embed d1", "near d1 3", "pseudo q: "}
	if len(ps) != 0 || err != nil || !slices.Equal(s.log, want) {
		t.Error(ps, err, s.log)
	}
}

func TestDenseErrors(t *testing.T) {
	t.Parallel()
	for fail, want := range map[string]string{
		"verify q: a b": "a b",
		"pseudo q: ":    "a b",
		"embed d1":      "a b",
		"near d1 3":     "a b",
		"verify q: b c": "b a c",
		"pseudo q: b c": "b a c",
		"near d3 3":     "b c a",
		"verify q: e":   "b c a",
		"embed q":       "",
		"near q 3":      "",
	} {
		t.Run(fail, func(t *testing.T) {
			t.Parallel()
			s := newScript()
			s.fail = fail
			var gaveUp error
			d := NewDense(s, s, s, s, DenseOptions{OnGiveUp: func(_ context.Context, _ string, err error) { gaveUp = err }})
			ps, err := d.Search(t.Context(), "q", 3)
			if names(ps) != want || s.log[len(s.log)-1] != fail {
				t.Errorf("found %q, want %q, at the end of %q", names(ps), want, s.log)
			}
			first := want == ""
			if errors.Is(err, errScript) != first || errors.Is(gaveUp, errScript) == first {
				t.Errorf("returned %v, gave up with %v", err, gaveUp)
			}
			// Nobody has to listen.
			s = newScript()
			s.fail = fail
			again, _ := NewDense(s, s, s, s, DenseOptions{}).Search(t.Context(), "q", 3)
			if !reflect.DeepEqual(ps, again) {
				t.Errorf("then %v", again)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := newScript()
	s.fail, s.then = "pseudo q: ", cancel
	if ps, err := NewDense(s, s, s, s, DenseOptions{}).Search(ctx, "q", 3); ps != nil || !errors.Is(err, context.Canceled) {
		t.Error(ps, err)
	}
	s.log = nil
	if _, err := NewDense(s, s, s, s, DenseOptions{}).Search(ctx, "q", 3); !errors.Is(err, context.Canceled) || s.log != nil {
		t.Error(err, s.log)
	}
}
