// Package classify tells the classes of questions apart (HANRAG's router) by how
// they are built, not by what they are about, and by what has to be found first
// according to their plan.
//
//	classify.go  Class: a linear model over what is observed
//	read.go      a question as a row of tags, and the traits of that row
//	tag.go       the tag of a word: itself, or its kind
package classify

import (
	"math"
	"slices"

	"hopstream/messages"
	"hopstream/stages/engine/builtin/linear"
)

// Classes is the order of a group's members, and of what Features returns.
func Classes() [4]messages.Class {
	return [4]messages.Class{messages.Straightforward, messages.Single, messages.Compound, messages.Complex}
}

// Plan is what the plan of a question says of it.
type Plan struct {
	Steps   int  // questions that it consists of
	Compare bool // it compares two things
	Named   bool // it names something
}

// Class returns the class of a question by the weights m: the one whose weights are
// the largest in sum. A question without a word is straightforward.
func Class(m *linear.Model, question string, p Plan) messages.Class {
	f, ok := Features(question, p)
	if !ok {
		return messages.Straightforward
	}
	best, top := messages.Single, float32(math.Inf(-1))
	for i, class := range Classes() {
		if s := m.Score(f[i]); s > top {
			best, top = class, s
		}
	}
	return best
}

// Templates of hashed features.
const (
	tTrait   = iota + 400 // a trait, the class
	tBias                 // the class
	tSteps                // how many steps the plan has, the class
	tCompare              // whether it compares, the class
	tNamed                // whether something is named, the class
)

// Features returns what is observed of a question, for each class; false if it has
// no words. Capitals, brackets and the mark at the end make no difference to its
// traits.
func Features(question string, p Plan) (out [4]linear.Features, ok bool) {
	var q routing
	if q.read(question); len(q.toks) == 0 {
		return out, false
	}
	traits := q.appendTraits(make([]uint64, 0, 256))
	slices.Sort(traits)
	traits = slices.Compact(traits)
	for c := range out {
		f, class := make(linear.Features, 0, len(traits)+4), uint64(c)
		f.Word(1, tBias, class)
		f.Pair(1, tSteps, uint64(min(p.Steps, 3)), class)
		if p.Compare {
			f.Word(1, tCompare, class)
		}
		if p.Named {
			f.Word(1, tNamed, class)
		}
		for _, t := range traits {
			f.Pair(1, tTrait, t, class)
		}
		out[c] = f
	}
	return out, true
}
