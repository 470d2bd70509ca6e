package storage

import (
	"time"

	"hopstream/messages"
)

// Bound is how much is kept. Zero fields are no bound.
type Bound struct {
	Age      time.Duration
	Bytes    uint64
	Messages uint64
}

// Bounds are those of a pipeline.
type Bounds struct {
	Trace   Bound // the inner messages of all questions together
	Answers Bound
	Dead    Bound // dead letters
	// Least is the age below which no answer is dropped, whatever the bounds. It is
	// how long inner messages are kept, which outlive every deadline: whoever asked
	// has had the time to read the answer, and no message is left that could lead to
	// another one.
	Least time.Duration
}

// Group is streams that are kept alike and bounded together.
type Group struct {
	Name  string
	Kinds []messages.Kind
	Bound Bound
}

// The groups' names.
const (
	Questions = "questions" // open ones
	Trace     = "trace"
	Answers   = "answers"
	Dead      = "dead"
	Documents = "documents"
)

// Groups returns every stream of messages, by how it is kept. Open questions are
// bounded by their stream, documents by whoever stores them.
func (b *Bounds) Groups() []Group {
	all := []Group{
		{Name: Questions, Kinds: []messages.Kind{messages.KindQuestion}},
		{Name: Trace, Bound: b.Trace},
		{Name: Answers, Kinds: []messages.Kind{messages.KindAnswer}, Bound: b.Answers},
		{Name: Dead, Kinds: []messages.Kind{messages.KindDead}, Bound: b.Dead},
		{Name: Documents, Kinds: []messages.Kind{messages.KindDocument}},
	}
	for _, k := range messages.Kinds() {
		if k.Inner() {
			all[1].Kinds = append(all[1].Kinds, k)
		}
	}
	return all
}
