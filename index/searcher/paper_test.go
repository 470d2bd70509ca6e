package searcher

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hopstream/index"
	"hopstream/messages"
	"hopstream/stages/engine/roles"
)

// diary plays the roles and the stores of a search and writes down, in order,
// who was asked and what was searched for. Operators that are asked at the same
// time stand in one line.
type diary struct {
	mu     sync.Mutex
	lines  []string
	at     time.Time // when the last line was written
	enough string    // the search whose passages suffice
}

func (d *diary) write(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

// operators are the three, each of which takes a second and says a word that
// tells where it was asked.
func (d *diary) operator(name string) roles.Operator {
	return func(_ context.Context, _ string, keywords []string, found []messages.Passage) (string, error) {
		time.Sleep(time.Second)
		d.mu.Lock()
		defer d.mu.Unlock()
		line := "operators on " + found[0].ID + ": "
		if last := len(d.lines) - 1; strings.HasPrefix(d.lines[last], line) && d.at.Equal(time.Now()) {
			all := append(strings.Fields(d.lines[last][len(line):]), name)
			slices.SortFunc(all, func(a, b string) int {
				return strings.Index("extend emphasise exclude", a) - strings.Index("extend emphasise exclude", b)
			})
			d.lines[last] = line + strings.Join(all, " ")
		} else {
			d.lines, d.at = append(d.lines, line+name), time.Now()
		}
		switch name {
		case "extend":
			return fmt.Sprintf("x%d", len(keywords)), nil
		case "emphasise":
			return keywords[len(keywords)-1], nil
		}
		return fmt.Sprint("n", len(found[0].ID)), nil
	}
}

// Find finds one passage, which is named by the search.
func (d *diary) Find(_ context.Context, q index.Query, _ int) ([]messages.Passage, error) {
	d.write("search %s", written(q))
	return list(strings.ReplaceAll(written(q), " ", "_")), nil
}

func (d *diary) roles() *roles.Set {
	return &roles.Set{
		KeywordsFunc: func(_ context.Context, query string) ([]string, error) {
			d.write("rewrite %s", query)
			return []string{"k"}, nil
		},
		VerifyFunc: func(_ context.Context, _ string, found []messages.Passage) (bool, error) {
			d.write("verify %s", found[0].ID)
			return found[0].ID == d.enough, nil
		},
		ExtendFunc: d.operator("extend"), EmphasiseFunc: d.operator("emphasise"), ExcludeFunc: d.operator("exclude"),
	}
}

// TestAlgorithm1 holds the sparse searcher to LevelRAG's Algorithm 1: rewrite;
// take the first search of the queue, retrieve, verify, return that search's
// result if it suffices; else apply the three operators, whose searches go to the
// queue's end. Searches of a level are verified before an operator is applied to
// one of them, so the path to a result that suffices costs no more calls than the
// algorithm's.
func TestAlgorithm1(t *testing.T) {
	t.Parallel()
	three := "extend emphasise exclude"
	whole := []string{
		"rewrite q", "search k", "verify k",
		"operators on k: " + three,
		`search k "x1"`, `verify k_"x1"`,
		"search k^2", "verify k^2",
		"search k -n1", "verify k_-n1",
		`operators on k_"x1": ` + three,
		`search k "x1" "x2"`, `verify k_"x1"_"x2"`,
		`search k "x1"^2`, `verify k_"x1"^2`,
		`search k "x1" -n6`, `verify k_"x1"_-n6`,
		"operators on k^2: " + three,
		`search k^2 "x1"`, `verify k^2_"x1"`,
		`search k^2 -n3`, `verify k^2_-n3`,
		"operators on k_-n1: " + three,
		`search k "x1" -n1`, `verify k_"x1"_-n1`,
	}
	for _, c := range []struct {
		enough string
		lines  int
		took   time.Duration // of roles, each of which takes a second or none
	}{
		{"k", 3, 0},
		{`k_"x1"`, 6, time.Second},
		{"k_-n1", 10, time.Second},
		{`k_"x1"^2`, 15, 2 * time.Second},
		{`k_"x1"_-n1`, len(whole), 4 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := &diary{enough: c.enough}
			e := d.roles()
			start := time.Now()
			found, err := NewSparse(d, e, e, e, SparseOptions{}).Search(t.Context(), "q", 10)
			if err != nil || !slices.Equal(ids(found), []string{c.enough}) || time.Since(start) != c.took {
				t.Errorf("%s: found %v, %v in %v", c.enough, ids(found), err, time.Since(start))
			}
			if !slices.Equal(d.lines, whole[:c.lines]) {
				t.Errorf("%s: did\n%s\nwant\n%s", c.enough, strings.Join(d.lines, "\n"), strings.Join(whole[:c.lines], "\n"))
			}
		})
	}
	// The bounds: 27 refinements, three deep.
	synctest.Test(t, func(t *testing.T) {
		d := &diary{}
		e := d.roles()
		if _, err := NewSparse(d, e, e, e, SparseOptions{}).Search(t.Context(), "q", 10); err != nil {
			t.Fatal(err)
		}
		n, deepest := 0, 0
		for _, line := range d.lines {
			if rest, ok := strings.CutPrefix(line, "operators on "); ok {
				n++
				deepest = max(deepest, strings.Count(rest[:strings.LastIndex(rest, ": ")], "x"))
			}
		}
		if n != 9 || deepest != 2 {
			t.Errorf("the operators were applied to %d searches, up to %d deep", n, deepest)
		}
	})
}

// TestHypotheticalQueries holds the search of many intents to MuISQA's section 4:
// hypothetical answers, their statements, each embedded and searched for, and
// reciprocal rank fusion with 60 as its constant. The question is no query.
func TestHypotheticalQueries(t *testing.T) {
	t.Parallel()
	d := &diary{}
	e := &roles.Set{
		HypothesiseFunc: func(_ context.Context, question string) ([]string, error) {
			d.write("hypothesise %s", question)
			return []string{"Orla in 1931.", "Venn."}, nil
		},
		StatementsFunc: func(_ context.Context, question string, answers []string) ([]string, error) {
			d.write("statements %s: %s", question, strings.Join(answers, "|"))
			return []string{"Orla did.", "In 1931.", "Venn did."}, nil
		},
		EmbedFunc: func(_ context.Context, texts []string) ([][]float32, error) {
			d.write("embed %s", strings.Join(texts, "|"))
			return [][]float32{{0}, {1}, {2}}, nil
		},
	}
	near := nearFunc(func(v []float32, k int) []messages.Passage {
		d.write("near %v %d", v, k)
		return [][]messages.Passage{list("a", "b"), list("b", "c"), list("d", "b")}[int(v[0])]
	})
	s := NewDenseIntents(near, e, e, IntentsOptions{Parallel: 1})
	found, queries, err := s.SearchTold(t.Context(), "Who, and when?", 3)
	if err != nil || !slices.Equal(ids(found), []string{"b", "a", "d"}) || found[0].Score != 1.0/61+1.0/62+1.0/62 {
		t.Errorf("%+v, %v", found, err)
	}
	if want := []string{"Orla did.", "In 1931.", "Venn did."}; !slices.Equal(queries, want) {
		t.Errorf("told %q", queries)
	}
	want := []string{
		"hypothesise Who, and when?",
		"statements Who, and when?: Orla in 1931.|Venn.",
		"embed Orla did.|In 1931.|Venn did.",
		"near [0] 10", "near [1] 10", "near [2] 10",
	}
	if !slices.Equal(d.lines, want) {
		t.Errorf("did\n%s\nwant\n%s", strings.Join(d.lines, "\n"), strings.Join(want, "\n"))
	}
	e.EmbedFunc = func(context.Context, []string) ([][]float32, error) { return [][]float32{{0}}, nil }
	if found, err := s.Search(t.Context(), "q", 3); err == nil {
		t.Errorf("with vectors missing: %v", found)
	}
}

type nearFunc func(v []float32, k int) []messages.Passage

func (f nearFunc) Near(_ context.Context, v []float32, k int) ([]messages.Passage, error) {
	return f(v, k), nil
}

// TestPlainDense holds that without rewrites a dense search makes no call but for
// its query's vector, and that the table's 0 means none.
func TestPlainDense(t *testing.T) {
	t.Parallel()
	p := &parts{}
	row, _ := Lookup(NameDense)
	s, err := row.New(t.Context(), &Deps{Stores: p, Roles: p})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := s.Search(t.Context(), "q", 3); err != nil || len(found) != 1 || !slices.Equal(p.asked, []string{"embedder"}) {
		t.Errorf("%v, %v, asked %v", found, err, p.asked)
	}
}

// TestIntentsOver holds that the table's intents search what the configuration
// says.
func TestIntentsOver(t *testing.T) {
	t.Parallel()
	for dense, want := range map[bool]Need{false: Words, true: Vectors} {
		p := &parts{}
		row, _ := Lookup(NameIntents)
		s, err := row.New(t.Context(), &Deps{Stores: p, Roles: p, IntentsOverDense: dense})
		if err != nil {
			t.Fatal(err)
		}
		if found, err := s.Search(t.Context(), "q", 3); err != nil || len(found) != 1 || !slices.Equal(p.opened, []Need{want}) || slices.Contains(p.asked, "embedder") != dense {
			t.Errorf("over dense %v: %v, %v, opened %v, asked %v", dense, found, err, p.opened, p.asked)
		}
	}
}
