package messages

import (
	"fmt"
	"strings"
	"time"
)

// KindAnswer is the kind of an Answer.
const KindAnswer Kind = "answer"

// Answer is the one terminal answer of a question, whatever its status.
type Answer struct {
	Envelope
	ID       string `json:"id"`
	Question string `json:"question"`
	Answer   string `json:"answer"`
	Status   Status `json:"status"`
	Class    Class  `json:"class,omitempty"`
	// Confidence is how sure the engine is, from 0 to 1; 0 where it does not say.
	Confidence float64 `json:"confidence,omitempty"`
	Steps      int     `json:"steps"` // rounds of retrieval
	// DocsSeq is the sequence in the document stream up to which the indexes
	// that were asked held every document, at least. It is 0 where no
	// sub-query was asked.
	DocsSeq uint64 `json:"docs_seq,omitempty"`
	// Evidence is what the answer rests on, word for word; it is empty where
	// nothing was found, and of a question that no document was asked for.
	Evidence  []Evidence `json:"evidence,omitzero"`
	Hops      []Hop      `json:"hops"` // the sub-queries, in order of round and branch
	Citations []Source   `json:"citations"`
	Usage     Usage      `json:"usage"`
	LatencyMS float64    `json:"latency_ms"` // from stored question to answer
	Error     string     `json:"error,omitempty"`
	Trace     string     `json:"trace,omitempty"`
	// Claims are what the answer consists of, where that is several things:
	// the items of a list, the sub-answers of a compound question.
	Claims   []Claim  `json:"claims,omitempty"`
	Strategy Strategy `json:"strategy,omitempty"` // of a complex question
	Rerouted Reroute  `json:"rerouted,omitempty"` // empty if it was answered as its class
	// GaveUp is what was done without for the question as a whole, see Head; a
	// hop's is in its Degraded.
	GaveUp   []string `json:"gave_up,omitempty"`
	Repaired bool     `json:"repaired,omitempty"` // its plan could not be followed and was planned anew
}

// Hop is one sub-query of an answer: what was asked, found, and where.
type Hop struct {
	Round    int    `json:"round"`
	Branch   int    `json:"branch"`
	Question string `json:"question"`
	Answer   string `json:"answer"`
	// Confidence is how sure the engine is of the hop's answer, from 0 to 1.
	Confidence float64 `json:"confidence,omitempty"`
	// Evidence is the first of the quotes that the hop's answer rests on.
	Evidence []Evidence `json:"evidence,omitzero"`
	Passages []string   `json:"passages"`
	Error    string     `json:"error,omitempty"`
	Found    []Find     `json:"found,omitempty"`    // the passages it was answered from, and who found them
	Degraded []string   `json:"degraded,omitempty"` // searchers and roles that did not help, "name: reason"
	Queries  []string   `json:"queries,omitempty"`  // what was searched for in its place, see Found
	Shared   string     `json:"shared,omitempty"`   // whose work it is, where it is not the question's own, see Pair
}

// Kind returns KindAnswer.
func (*Answer) Kind() Kind { return KindAnswer }

// Key returns the question's ID.
func (a *Answer) Key() Key { return Key{ID: a.ID} }

// Validate checks ID and status.
func (a *Answer) Validate() error {
	if err := CheckID(a.ID); err != nil {
		return err
	}
	if !a.Status.Valid() {
		return fmt.Errorf("unknown status %q", a.Status)
	}
	return nil
}

// NewAnswer returns the answer that ends the question of h, at now. Text,
// claims, the first citations and the first evidence are f's; steps, hops, the other citations,
// usage and DocsSeq come from the head. The reason becomes the answer's Error;
// it is empty where nothing went wrong. Citations name each source once, and
// claims beyond MaxClaims and finds beyond MaxFinds are left out.
func NewAnswer(h *Head, s Status, f Finding, reason string, now time.Time) *Answer {
	a := &Answer{
		ID: h.ID, Question: h.Question, Answer: f.Text, Status: s, Class: h.Class,
		Hops: make([]Hop, 0, len(h.Pairs)), Citations: make([]Source, 0, 4), Confidence: f.Confidence,
		Evidence: evidenceOf(h, &f),
		Usage:    h.Usage, Error: reason, Trace: h.Trace,
		LatencyMS: float64(max(0, now.Sub(h.Asked)).Microseconds()) / 1000,
		Claims:    f.Claims[:min(len(f.Claims), MaxClaims)], Rerouted: h.Rerouted, Repaired: h.Repaired, GaveUp: h.GaveUp,
	}
	if len(h.Pairs) > 0 {
		a.DocsSeq = h.Docs
	}
	if h.Class == Complex {
		a.Strategy = h.Strategy
	}
	a.late(h.GaveUp)
	cited := make(map[string]bool, 8)
	cite := func(src []Source) {
		for _, c := range src {
			if !cited[c.ID] {
				cited[c.ID] = true
				a.Citations = append(a.Citations, c)
			}
		}
	}
	cite(f.Sources)
	for i := range h.Pairs {
		p := &h.Pairs[i]
		a.Steps = max(a.Steps, p.Round)
		hop := Hop{Round: p.Round, Branch: p.Branch, Question: p.Question, Answer: p.Answer,
			Passages: make([]string, 0, len(p.Sources)), Error: p.Error, Confidence: p.Confidence,
			Evidence: make([]Evidence, 0, 1),
			Found:    p.Found[:min(len(p.Found), MaxFinds)], Degraded: p.Degraded, Queries: p.Queries, Shared: p.Shared}
		if len(h.Pairs) > 1 || len(a.Evidence) == 0 { // an only hop's quotes are the answer's
			hop.Evidence = AddEvidence(hop.Evidence, p.Evidence[:min(len(p.Evidence), 1)]...)
		}
		for _, c := range p.Sources {
			hop.Passages = append(hop.Passages, c.ID)
		}
		a.Hops = append(a.Hops, hop)
		a.late(p.Degraded)
		if !p.Open() && f.Text != "" {
			cite(p.Sources)
		}
	}
	return a
}

// maxQuoted bounds the words quoted beside an answer, as far as its first
// quotes leave room for more.
const maxQuoted = 120

// evidenceOf returns what an answer rests on: what its own finding brings, or
// else the first quote of every hop that was answered, and further ones as long
// as they are few words together.
func evidenceOf(h *Head, f *Finding) []Evidence {
	out := AddEvidence(make([]Evidence, 0, 4), f.Evidence...)
	if len(out) > 0 || f.Text == "" {
		return out
	}
	words, more := 0, true
	for n := 0; more; n++ {
		more = false
		for i := range h.Pairs {
			p := &h.Pairs[i]
			if p.Open() || n >= len(p.Evidence) {
				continue
			}
			more = true
			quote := len(strings.Fields(p.Evidence[n].Quote))
			if n == 0 || words+quote <= maxQuoted {
				words += quote
				out = AddEvidence(out, p.Evidence[n])
			}
		}
	}
	return out
}
