package revelator

import (
	"crypto/sha256"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/revelator/draw"
	"hopstream/messages"
)

// Split is one of the three parts that have nothing in common.
type Split string

// The splits.
const (
	Train Split = "train"
	Dev   Split = "dev"
	Test  Split = "test"
)

// SplitNames returns the three, train first.
func SplitNames() []Split { return []Split{Train, Dev, Test} }

// Shares are how much of the questions Dev and Test get, each 0 to 1, at most
// 1 together.
type Shares struct {
	Dev  float64 `json:"dev"`
	Test float64 `json:"test"`
}

// splits says where every question and document belongs. Questions with the
// same text, a sub-question in common or a gold document in common are
// connected, and what is connected stays together; documents are the same
// if their title and text are, whatever their set and ID. A document that is
// gold for no question is put into one split, too, and shown in that one only.
type splits struct {
	seed   uint64
	shares Shares
	number map[string]int // of a key
	parent []int
	least  []string // of a root: the smallest key of its component
	in     map[int]Split
	docs   map[docRef]string
	// components counts those with a question, largest the most questions in one.
	components, largest int
}

type docRef struct {
	set int
	id  string
}

func newSplits(sets []Set, seed uint64, shares Shares) *splits {
	s := &splits{seed: seed, shares: shares, number: map[string]int{}, in: map[int]Split{}, docs: map[docRef]string{}}
	for i := range sets {
		for j := range sets[i].Documents {
			d := &sets[i].Documents[j]
			key := documentKey(d)
			s.docs[docRef{i, d.ID}] = key
			s.node(key)
		}
	}
	for i := range sets {
		for j := range sets[i].Questions {
			s.connect(i, &sets[i].Questions[j])
		}
	}
	s.settle(sets)
	return s
}

func documentKey(d *dataset.Document) string {
	sum := sha256.Sum256([]byte(d.Title + "\x00" + d.Text))
	return "d:" + string(sum[:16])
}

// document is the key of a gold document, even where the set has no corpus.
func (s *splits) document(set int, id string) string {
	if key, ok := s.docs[docRef{set, id}]; ok {
		return key
	}
	return "i:" + id
}

func (s *splits) connect(set int, q *dataset.Question) {
	at := s.node("q:" + textKey(q.Question))
	for _, id := range q.Supporting {
		s.union(at, s.node(s.document(set, id)))
	}
	hops, _ := chain(q)
	for i, step := range q.Decomposition {
		if step.Support != "" {
			s.union(at, s.node(s.document(set, step.Support)))
		}
		text := step.Question
		if i < len(hops) {
			text = hops[i].question
		}
		if !reference.MatchString(text) {
			s.union(at, s.node("q:"+textKey(text)))
		}
	}
}

func (s *splits) node(key string) int {
	n, ok := s.number[key]
	if !ok {
		n = len(s.parent)
		s.number[key] = n
		s.parent = append(s.parent, n)
		s.least = append(s.least, key)
	}
	return n
}

func (s *splits) root(n int) int {
	for s.parent[n] != n {
		s.parent[n] = s.parent[s.parent[n]] // halve the path
		n = s.parent[n]
	}
	return n
}

func (s *splits) union(a, b int) {
	a, b = s.root(a), s.root(b)
	if a == b {
		return
	}
	if s.least[b] < s.least[a] {
		a, b = b, a
	}
	s.parent[b] = a
}

// A component goes to Train if it has more than bigCount questions of a class,
// and these are more than half of what Dev or Test should have of that class:
// it would dominate a held-out split.
const bigCount = 10

func (s *splits) settle(sets []Set) {
	limit := max(s.shares.Dev, s.shares.Test) / 2
	total := map[messages.Class]int{}
	count := map[int]map[messages.Class]int{}
	for i := range sets {
		for j := range sets[i].Questions {
			q := &sets[i].Questions[j]
			class, root := sets[i].class(q), s.root(s.number["q:"+textKey(q.Question)])
			if count[root] == nil {
				count[root] = map[messages.Class]int{}
			}
			count[root][class]++
			total[class]++
		}
	}
	s.components = len(count)
	for root, classes := range count {
		all, big := 0, false
		for class, n := range classes {
			all += n
			big = big || n > bigCount && float64(n) > limit*float64(total[class])
		}
		s.largest = max(s.largest, all)
		if big {
			s.in[root] = Train
		}
	}
}

// of returns the split of a key that newSplits has met.
func (s *splits) of(key string) Split {
	root := s.root(s.number[key])
	if to, ok := s.in[root]; ok {
		return to
	}
	to, at := Train, draw.Part(s.seed, "split", s.least[root])
	switch {
	case at < s.shares.Test:
		to = Test
	case at < s.shares.Test+s.shares.Dev:
		to = Dev
	}
	s.in[root] = to
	return to
}

func (s *splits) ofQuestion(q *dataset.Question) Split { return s.of("q:" + textKey(q.Question)) }

func (s *splits) ofDocument(set int, id string) Split { return s.of(s.document(set, id)) }
