package messages

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

// AddEvidence appends to all those of more that it does not have yet, up to
// MaxEvidence.
func AddEvidence(all []Evidence, more ...Evidence) []Evidence {
next:
	for _, e := range more {
		for _, o := range all {
			if o.ID == e.ID && o.Start == e.Start && o.End == e.End {
				continue next
			}
		}
		if len(all) < MaxEvidence {
			all = append(all, e)
		}
	}
	return all
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
