package messages

import (
	"fmt"
	"slices"
	"strings"
)

// Version is the wire version this build writes, and the highest it reads.
const Version = 1

// Kind names a message type; it is also the third token of its subject, after
// the prefix and "v1".
type Kind string

// row is what the package knows about a kind beside its type; the rows are in
// inner.go.
type row struct {
	kind  Kind
	empty func() Message // a new message without content
	// key is the form of what follows the kind in a subject. <any-id> may be
	// any text and is escaped; <stage> comes before the ID.
	key   string
	inner bool // only stages read it: it lives in a trace stream, which ages out

	anyID, byStage bool // what key says; set with rows
}

// empty returns a new T, a message.
func empty[T any, P interface {
	*T
	Message
}]() Message {
	return P(new(T))
}

// rows has the rows by kind.
var rows = func() map[Kind]row {
	m := make(map[Kind]row, len(kinds))
	for _, r := range kinds {
		r.anyID = strings.Contains(r.key, "<any-id>")
		r.byStage = strings.HasPrefix(r.key, "<stage>")
		m[r.kind] = r
	}
	return m
}()

// Kinds returns every kind, in the order a question meets them.
func Kinds() []Kind {
	out := make([]Kind, len(kinds))
	for i, r := range kinds {
		out[i] = r.kind
	}
	return out
}

// Inner reports whether k lives in a trace stream, which ages out: whether it
// is one that only stages read and write. An unknown kind is not inner.
func (k Kind) Inner() bool { return rows[k].inner }

// New returns an empty message of kind k, or an error naming an unknown kind.
func New(k Kind) (Message, error) {
	r, ok := rows[k]
	if !ok {
		return nil, fmt.Errorf("unknown message kind %q", k)
	}
	return r.empty(), nil
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
	Answered   Status = "answered"   // every part was answered
	Partial    Status = "partial"    // some part failed or stayed open
	Unanswered Status = "unanswered" // the documents were read and do not say
	Failed     Status = "failed"     // something went wrong; Error says what
	Expired    Status = "expired"    // the deadline passed first
	Cancelled  Status = "cancelled"  // somebody stopped it
)

// Statuses returns every terminal status.
func Statuses() []Status { return []Status{Answered, Partial, Unanswered, Failed, Expired, Cancelled} }

// Valid reports whether s is a terminal status.
func (s Status) Valid() bool { return slices.Contains(Statuses(), s) }
