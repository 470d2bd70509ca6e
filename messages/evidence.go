package messages

import "slices"

// Evidence is a stretch of a passage that an answer rests on, word for word.
type Evidence struct {
	ID      string `json:"id"` // the passage's
	Title   string `json:"title,omitempty"`
	Heading string `json:"heading,omitempty"` // path of the section that the quote stands in
	URL     string `json:"url,omitempty"`     // where a passage from the web stands
	Lines   [2]int `json:"lines,omitzero"`    // of the document's file: the first and the last, from 1
	Page    int    `json:"page,omitempty"`    // from 1, where the document has pages
	Quote   string `json:"quote"`
	// Start and End say where in the passage's text the quote stands, in
	// characters (Unicode code points): it is text[Start:End].
	Start int `json:"start"`
	End   int `json:"end"`
}

// MaxEvidence bounds the evidence of an answer.
const MaxEvidence = 16

// AddEvidence appends to all those of more that do not stand within one it has,
// up to MaxEvidence. One that has another within it takes its place.
func AddEvidence(all []Evidence, more ...Evidence) []Evidence {
	for _, e := range more {
		at := slices.IndexFunc(all, func(o Evidence) bool { return e.within(&o) || o.within(&e) })
		switch {
		case at < 0 && len(all) < MaxEvidence:
			all = append(all, e)
		case at >= 0 && all[at].within(&e):
			all[at] = e
		}
	}
	return all
}

// within reports whether e stands within o.
func (e *Evidence) within(o *Evidence) bool {
	return e.ID == o.ID && o.Start <= e.Start && e.End <= o.End
}

// Span is a stretch of a passage that an alignment found at one scale, in bytes
// of the passage's text.
type Span struct {
	Passage int     `json:"passage"` // index among the message's passages
	From    int     `json:"from"`
	To      int     `json:"to"`
	Scale   int     `json:"scale"` // nominal length in characters
	Score   float64 `json:"score,omitempty"`
}
