package revelator

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/revelator/teacher"
	"hopstream/messages"
)

// scribe writes by rule: of "The height of Tarn Hill is 40 metres." it asks for
// the height.
type scribe struct {
	mu        sync.Mutex
	shown     map[string]int // passages by thing
	refuses   int            // how many parts cannot be combined, and more
	fails     error
	sameEvery bool // asks for the same of every passage
}

var stated = regexp.MustCompile(`The (\w+) of ([A-Z]\w+ \w+) is (\w+)\.`)

func (s *scribe) Question(_ context.Context, about teacher.Thing, p messages.Passage) (w teacher.Written, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown == nil {
		s.shown = map[string]int{}
	}
	s.shown[about.Names[0]]++
	for _, fact := range stated.FindAllStringSubmatch(p.Text, -1) {
		if fact[2] == about.Names[0] {
			if s.sameEvery {
				fact[1] = "name"
			}
			return teacher.Written{Question: "What is the " + fact[1] + " of " + fact[2] + "?", Answer: fact[3]}, true, s.fails
		}
	}
	return w, false, s.fails
}

func (s *scribe) Combine(_ context.Context, about teacher.Thing, parts []teacher.Written) (string, bool, error) {
	if s.refuses > 0 && len(parts) >= s.refuses {
		return "", false, nil
	}
	var asked []string
	for _, p := range parts {
		asked = append(asked, strings.TrimSuffix(strings.TrimPrefix(p.Question, "What is "), " of "+about.Names[0]+"?"))
	}
	return "What are " + strings.Join(asked, " and ") + " of " + about.Names[0] + "?", true, nil
}

// hills is a corpus in which each of n hills has facts documents under its title.
func hills(n, facts int) []Set {
	var s Set
	s.Name = "hills"
	for i := range n {
		for j := range facts {
			name := fmt.Sprintf("Tarn%c Hill%d", 'a'+i%26, i)
			s.Documents = append(s.Documents, dataset.Document{ID: fmt.Sprintf("h%d-%d", i, j), Title: name,
				Text: fmt.Sprintf("The fact%d of %s is value%dx%d.", j, name, i, j)})
		}
	}
	return []Set{s}
}

func write(t *testing.T, sets []Set, w writer, o WriteOptions) *CompoundSet {
	t.Helper()
	if o.Entities == 0 {
		o.Entities = DefaultEntities
	}
	if o.PerEntity == 0 {
		o.PerEntity = DefaultPerEntity
	}
	made, err := WriteCompounds(t.Context(), sets, w, o)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Of each thing ten passages are shown, each question is used in one compound
// question of two to four parts, and the gold is the parts' answers.
func TestWriteCompounds(t *testing.T) {
	t.Parallel()
	w := &scribe{}
	made := write(t, hills(20, 13), w, WriteOptions{CompoundOptions: CompoundOptions{Seed: 3}, AtOnce: 4})
	used, sizes := map[string]bool{}, map[string]int{}
	for _, q := range made.Questions {
		sizes[q.Type]++
		if q.Class != messages.Compound || len(q.Entities) != len(q.Decomposition) || len(q.Supporting) != len(q.Decomposition) {
			t.Fatalf("%+v", q)
		}
		for i, step := range q.Decomposition {
			if used[step.Question] || q.Entities[i][0] != step.Answer || !strings.HasPrefix(step.Support, "h") || !strings.Contains(q.Answers[0], step.Answer) {
				t.Errorf("%+v of %q", step, q.Question)
			}
			used[step.Question] = true
		}
	}
	if len(w.shown) != 20 || made.Entities != 20 || len(made.Documents) != 260 {
		t.Errorf("%d things, %d with questions, %d documents", len(w.shown), made.Entities, len(made.Documents))
	}
	for name, n := range w.shown {
		if n != 10 {
			t.Errorf("%d passages of %s", n, name)
		}
	}
	if sizes["compound-2"] == 0 || sizes["compound-3"] == 0 || sizes["compound-4"] == 0 || len(sizes) != 3 {
		t.Errorf("sizes %v", sizes)
	}
	if made.Tally.Passages != 200 || made.Tally.Simple != 200 || made.Styles[styleWritten] != len(made.Questions) {
		t.Errorf("%+v, styles %v", made.Tally, made.Styles)
	}
	for _, atOnce := range []int{1, 9} {
		again := write(t, hills(20, 13), &scribe{}, WriteOptions{CompoundOptions: CompoundOptions{Seed: 3}, AtOnce: atOnce})
		if !reflect.DeepEqual(again.Questions, made.Questions) {
			t.Errorf("%d at once write another benchmark", atOnce)
		}
	}
}

// No more is written about than the limits say.
func TestWriteLimits(t *testing.T) {
	t.Parallel()
	w := &scribe{}
	made := write(t, hills(60, 6), w, WriteOptions{CompoundOptions: CompoundOptions{Limit: 7}, AtOnce: 2})
	if len(made.Questions) != 7 || len(w.shown) > 12 {
		t.Errorf("%d questions about %d things", len(made.Questions), len(w.shown))
	}
	for _, atOnce := range []int{1, 8} {
		again := write(t, hills(60, 6), &scribe{}, WriteOptions{CompoundOptions: CompoundOptions{Limit: 7}, AtOnce: atOnce})
		if !reflect.DeepEqual(again.Questions, made.Questions) {
			t.Errorf("%d at once write others", atOnce)
		}
	}
	w = &scribe{}
	if made := write(t, hills(60, 6), w, WriteOptions{Entities: 5, PerEntity: 3, AtOnce: 2}); len(w.shown) != 5 || made.Tally.Passages != 15 {
		t.Errorf("%d things, %+v", len(w.shown), made.Tally)
	}
}

// What cannot be combined is tried with fewer parts, and questions that are asked
// twice count once.
func TestWriteRefusals(t *testing.T) {
	t.Parallel()
	for refuses, most := range map[int]int{4: 3, 3: 2} {
		made := write(t, hills(20, 8), &scribe{refuses: refuses}, WriteOptions{AtOnce: 1})
		for _, q := range made.Questions {
			if len(q.Decomposition) > most {
				t.Errorf("%q has %d parts", q.Question, len(q.Decomposition))
			}
		}
		if len(made.Questions) == 0 || made.Tally.Refused == 0 {
			t.Errorf("%d questions, %+v", len(made.Questions), made.Tally)
		}
	}
	if made := write(t, hills(3, 8), &scribe{refuses: 2}, WriteOptions{AtOnce: 1}); len(made.Questions) != 0 {
		t.Errorf("%q", made.Questions[0].Question)
	}
	if made := write(t, hills(3, 8), &scribe{sameEvery: true}, WriteOptions{AtOnce: 1}); len(made.Questions) != 0 || made.Tally.Twice != 21 {
		t.Errorf("%d questions, %+v", len(made.Questions), made.Tally)
	}
	sick := errors.New("sick")
	if _, err := WriteCompounds(t.Context(), hills(3, 8), &scribe{fails: sick}, WriteOptions{Entities: 9, PerEntity: 9, AtOnce: 1}); !errors.Is(err, sick) {
		t.Errorf("%v", err)
	}
}

// Things are titles and, of own documents, names within sentences of several
// passages; passages under the title come first.
func TestEntities(t *testing.T) {
	t.Parallel()
	corpus := []dataset.Document{
		{ID: "a", Title: "Lumen Bridge (Tarnby)", Text: "It was drawn by Orla Venn. Invoices are kept, and in Spring the paint."},
		{ID: "b", Title: "Lumen Bridge", Text: "It is painted by Jon Vik, in Spring. Invoices are burnt. The spring is cold, but spring comes."},
		{ID: "c", Title: "Town hall", Text: "Its plans, too, are by Orla Venn, who saw the Lumen Bridge."},
		{ID: "d", Title: "Alone", Text: "Nothing is said of the Lumen Bridge and the Lumen Bridge."},
		{ID: "e", Title: "?!", Text: "x"}, {ID: "f", Title: "?!", Text: "y"},
	}
	show := func(names bool, most int) (out []string) {
		for _, e := range entitiesOf(corpus, names, most, 1) {
			ids := make([]string, len(e.passages))
			for i, p := range e.passages {
				ids[i] = p.doc
			}
			slices.Sort(ids[:min(2, len(ids))])
			slices.Sort(ids[min(2, len(ids)):])
			out = append(out, e.name+": "+strings.Join(ids, " "))
		}
		slices.Sort(out)
		return out
	}
	if got := show(false, 10); !slices.Equal(got, []string{"Lumen Bridge: a b c d"}) {
		t.Errorf("titles: %q", got)
	}
	if got := show(false, 2); !slices.Equal(got, []string{"Lumen Bridge: a b"}) {
		t.Errorf("titles, two passages each: %q", got)
	}
	if got := show(true, 10); !slices.Equal(got, []string{"Lumen Bridge: a b c d", "Orla Venn: a c"}) {
		t.Errorf("names, too: %q", got)
	}
}

// Whoever interrupts the work of a model is told that its replies are not lost.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	sick := errors.New("sick")
	if err := kept(ctx, sick, "j"); !errors.Is(err, sick) || !strings.Contains(err.Error(), "the replies so far are in j") {
		t.Errorf("%v", err)
	}
	cancel()
	_, err := WriteCompounds(ctx, hills(3, 8), &scribe{}, WriteOptions{Entities: 9, PerEntity: 9, AtOnce: 1})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	if err := kept(ctx, err, "j"); !strings.HasPrefix(err.Error(), "interrupted: the replies so far are in j") {
		t.Errorf("%v", err)
	}
}
