package messages

import "slices"

// Version is the wire version this build writes, and the highest it reads.
const Version = 1

// Kind names a message type; it is also the second token of its subject.
type Kind string

// The kinds, in the order a question meets them.
const (
	KindQuestion  Kind = "question"
	KindDecompose Kind = "decompose"
	KindPlan      Kind = "plan"
	KindRetrieve  Kind = "retrieve"
	KindFilter    Kind = "filter"
	KindAlign     Kind = "align"
	KindGenerate  Kind = "generate"
	KindSubanswer Kind = "subanswer"
	KindJudge     Kind = "judge"
	KindAnswer    Kind = "answer"
	KindDead      Kind = "dead"
	KindDocument  Kind = "document"
)

// Kinds returns every kind, in the order a question meets them.
func Kinds() []Kind {
	return []Kind{
		KindQuestion, KindDecompose, KindPlan, KindRetrieve, KindFilter, KindAlign,
		KindGenerate, KindSubanswer, KindJudge, KindAnswer, KindDead, KindDocument,
	}
}

// Inner reports whether k lives in a trace stream, which ages out.
func (k Kind) Inner() bool {
	switch k {
	case KindQuestion, KindAnswer, KindDead, KindDocument:
		return false
	}
	return slices.Contains(Kinds(), k)
}

// Class says how a question is to be answered (HANRAG's four classes).
type Class string

// The classes.
const (
	Straightforward Class = "straightforward" // no retrieval
	Single          Class = "single"          // one retrieval
	Compound        Class = "compound"        // independent sub-questions, one round
	Complex         Class = "complex"         // one sub-question's answer is needed to ask the next
)

// Classes returns the four classes.
func Classes() []Class { return []Class{Straightforward, Single, Compound, Complex} }

// Valid reports whether c is one of the four classes.
func (c Class) Valid() bool { return slices.Contains(Classes(), c) }

// Status is how a question ended.
type Status string

// The terminal statuses: a question ends with exactly one of them.
const (
	Answered  Status = "answered"  // every part was answered
	Partial   Status = "partial"   // some part failed or stayed open
	Failed    Status = "failed"    // nothing could be answered; Error says why
	Expired   Status = "expired"   // the deadline passed first
	Cancelled Status = "cancelled" // somebody stopped it
)

// Statuses returns every terminal status.
func Statuses() []Status { return []Status{Answered, Partial, Failed, Expired, Cancelled} }

// Valid reports whether s is a terminal status.
func (s Status) Valid() bool { return slices.Contains(Statuses(), s) }
