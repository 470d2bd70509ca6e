package links

import (
	"cmp"
	"context"
	"crypto/sha1"
	"errors"
	"slices"
	"testing"
	"time"

	"hopstream/messages"
)

// memorySource is a Source over an index in memory.
type memorySource struct {
	x      *Index
	called map[string][]int32
	sample *Sample
	fail   error
}

func newMemorySource(x *Index, sample int) *memorySource {
	s := &memorySource{x: x, called: map[string][]int32{}}
	var all []messages.Passage
	for num, p := range x.now.held {
		if p == nil {
			continue
		}
		for _, k := range Keys(p.message()) {
			s.called[k] = append(s.called[k], int32(num))
		}
		all = append(all, p.message())
	}
	hash := func(p messages.Passage) string { h := sha1.Sum([]byte(p.ID)); return string(h[:]) }
	slices.SortFunc(all, func(a, b messages.Passage) int { return cmp.Compare(hash(a), hash(b)) })
	s.sample = NewSample(all[:min(sample, len(all))])
	return s
}

func (s *memorySource) Words(_ context.Context, question string, k int) ([]messages.Passage, error) {
	return s.x.plain(question, k), s.fail
}

func (s *memorySource) Called(_ context.Context, question string, keys []string, k int) ([]messages.Passage, error) {
	var nums []int32
	for _, key := range keys {
		nums = append(nums, s.called[key]...)
	}
	slices.Sort(nums)
	if nums = slices.Compact(nums); len(nums) > k {
		err := s.x.ask(context.Background(), question, func(q *query) error {
			q.search(1)
			nums = q.firsts(nil, nums, k)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var out []messages.Passage
	for _, n := range nums {
		out = append(out, s.x.now.held[n].message())
	}
	return out, s.fail
}

func (s *memorySource) Sample(context.Context) (*Sample, error) { return s.sample, nil }

// TestFinderRecall compares a Finder with an Index over the same passages, on
// an eighth of the questions that nothing was fitted on.
func TestFinderRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("reads six question sets")
	}
	l := openLibrary(t, true)
	n := 0
	l.questions = slices.DeleteFunc(l.questions, func(q *question) bool {
		if !q.Fitted {
			n++
		}
		return q.Fitted || n%8 != 0
	})
	recall := func(search func(x *Index, text string) ([]messages.Passage, error)) [6][3]float64 {
		return l.measure(func(x *Index, text string) []messages.Passage {
			ps, err := search(x, text)
			if err != nil {
				t.Error(err)
			}
			return ps
		})[1]
	}
	want := recall(func(x *Index, text string) ([]messages.Passage, error) { return x.Search(t.Context(), text, 10) })
	t.Logf("%-38s %6.2f", "index", want)
	for _, size := range []int{1 << 20, SampleSize} {
		finders := map[*Index]*Finder{}
		for _, x := range l.indexes {
			finders[x] = NewFinder(newMemorySource(x, size))
		}
		began := time.Now()
		got := recall(func(x *Index, text string) ([]messages.Passage, error) {
			return finders[x].Search(t.Context(), text, 10)
		})
		t.Logf("finder, sample of at most %-12d %6.2f, %v each", size, got, time.Since(began)/time.Duration(len(l.questions)))
		for i, s := range sets {
			if got[i][1] < want[i][1]-3 {
				t.Errorf("%s: recall@5 is %.2f, and of the index %.2f", s.name, got[i][1], want[i][1])
			}
		}
	}
}

// TestReadings: a passage is cut into words once, as long as its text is the
// same.
func TestReadings(t *testing.T) {
	t.Parallel()
	k := newReadings()
	a := passageOf("a", "Orla Venn", "Orla Venn grew up near Tarsk.")
	first := k.read([]messages.Passage{a, lake[0]})
	again := k.read([]messages.Passage{lake[0], a})
	if &first[0].body[0] != &again[1].body[0] || &first[1].body[0] != &again[0].body[0] {
		t.Error("the same text was cut twice")
	}
	a.Text = "Orla Venn lives in Tarsk."
	if r := k.read([]messages.Passage{a})[0]; r.p.Text != a.Text || r.body[2].Text != "lives" {
		t.Errorf("another text is read as %+v", r)
	}
}

// TestFinder: as the index does, it finds a passage that shares no word with
// the question, in a corpus it sees a part of.
func TestFinder(t *testing.T) {
	x := New()
	x.Apply([]messages.Passage{
		{ID: "film", Title: "Silver Harbour (film)", Text: "Silver Harbour is a drama directed by Orla Venn."},
		{ID: "orla", Title: "Orla Venn", Text: "Orla Venn grew up near Tarsk."},
		{ID: "other", Title: "Copper Wharf", Text: "Copper Wharf is a comedy."},
	}, nil)
	source := newMemorySource(x, 1)
	const asked = "Who made the drama Silver Harbour?"
	ps, err := NewFinder(source).Search(t.Context(), asked, 3)
	if err != nil || len(ps) != 2 || ps[0].ID != "film" || ps[1].ID != "orla" || ps[1].Rank != 2 {
		t.Errorf("%+v, %v", ps, err)
	}
	delete(source.called, "orla venn")
	if ps, err = NewFinder(source).Search(t.Context(), asked, 3); err != nil || len(ps) != 1 {
		t.Errorf("%+v, %v", ps, err)
	}
	for _, q := range []string{"", "?", "the of", "\xff\x00", "zzz"} {
		if ps, err := NewFinder(source).Search(t.Context(), q, 3); err != nil || len(ps) != 0 {
			t.Errorf("%q: %+v, %v", q, ps, err)
		}
	}
	source.fail = errors.New("away")
	if _, err := NewFinder(source).Search(t.Context(), asked, 3); !errors.Is(err, source.fail) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewFinder(source).Search(ctx, asked, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
