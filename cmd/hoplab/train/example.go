package train

import (
	"cmp"
	"context"
	"hash/fnv"
	"strings"

	"hopstream/index"
	"hopstream/index/lang"
	"hopstream/index/links"
	"hopstream/messages"
)

// depth is how many passages are retrieved for a question, and kept for
// answering.
const (
	depth = 10
	keep  = 3
)

// Example is a question, what is right, and what was found for it.
type Example struct {
	Set, ID, Kind string
	Whole         string // ID of the question of several steps that it is, or is a step of
	Question      string
	Answers       []string // any of them is right, or all are wanted
	All           bool
	Unanswerable  bool
	Gold          map[string]bool // IDs of the passages that hold the answer
	Quotes        []string        // verbatim, what the answer rests on; in place of Gold
	Passages      []messages.Passage
}

// Part tells in which of n parts the example is: those with the same gold,
// or of the same question of several steps, are in the same part. Each salt makes parts of its own.
func (x *Example) Part(n uint32, salt string) uint32 {
	key := cmp.Or(x.Whole, x.ID)
	if x.Whole == "" && len(x.Gold) > 0 {
		key = ""
		for id := range x.Gold {
			if key == "" || id < key {
				key = id
			}
		}
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(salt + strings.TrimSuffix(x.Set, wholes) + "/" + key))
	k := h.Sum32() // whose low bits do not depend on the salt
	k = (k ^ k>>16) * 0x85ebca6b
	return (k ^ k>>13) % n
}

// source identifies the document that an example is about: that of its gold
// passage, or else of the first passage that was found.
func (x *Example) source() uint64 {
	if len(x.Passages) == 0 {
		return 0
	}
	about := &x.Passages[0]
	for i := range x.Passages {
		if x.Gold[x.Passages[i].ID] {
			about = &x.Passages[i]
			break
		}
	}
	return lang.Hash(strings.TrimSuffix(x.Set, wholes) + "/" + about.Title)
}

// docsSet is the set of questions over documents as people have them.
const docsSet = "docs"

// wholes is behind the names of sets of whole questions that take several steps.
const wholes = "-whole"

// shelf is a set's documents, to be searched.
type shelf struct{ *links.Store }

func newShelf() (*shelf, error) {
	s, err := links.Open("", links.Options{})
	return &shelf{s}, err
}

// put stores documents.
func (s *shelf) put(ctx context.Context, docs []messages.Document, at uint64) error {
	return s.Apply(ctx, docs, index.Position{Stream: "train", Sequence: at})
}

// find sets an example's passages.
func (s *shelf) find(ctx context.Context, x *Example) (err error) {
	x.Passages, err = s.Search(ctx, x.Question, depth)
	return err
}
