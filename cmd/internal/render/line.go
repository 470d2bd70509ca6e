package render

import (
	"io"
	"slices"

	"hopstream/cmd/internal/cli"
	"hopstream/messages"
)

// Line is an answer as commands print it: a promise to scripts, while
// the answer on the wire (messages.Answer) may grow.
type Line struct {
	ID       string          `json:"id"`
	Question string          `json:"question"`
	Answer   string          `json:"answer"`
	Status   messages.Status `json:"status"`
	Class    messages.Class  `json:"class"` // empty where the question was not routed
	// Confidence is how sure the engine is, from 0 to 1; left out where it does
	// not say.
	Confidence float64 `json:"confidence,omitempty"`
	Steps      int     `json:"steps"`
	DocsSeq    uint64  `json:"docs_seq,omitempty"` // left out if no document was searched
	// Evidence is what the answer rests on, word for word; empty where nothing
	// was found or no document was asked.
	Evidence  []messages.Evidence `json:"evidence"`
	Hops      []messages.Hop      `json:"hops"`
	Citations []citation          `json:"citations"`
	Usage     usageLine           `json:"usage"`
	LatencyMS float64             `json:"latency_ms"`
	Error     string              `json:"error,omitempty"`
	// Claims are left out of an answer that is a single thing. The fields below
	// are left out if the question took its usual way.
	Claims   []messages.Claim  `json:"claims,omitempty"`
	Strategy messages.Strategy `json:"strategy,omitempty"`
	Rerouted messages.Reroute  `json:"rerouted,omitempty"`
	Repaired bool              `json:"repaired,omitempty"`
	GaveUp   []string          `json:"gave_up,omitempty"` // what was done without for the question as a whole
}

type citation struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url,omitempty"` // of what came from the web
}

type usageLine struct {
	ModelCalls       int `json:"model_calls"`
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	// Roles say who used it, sorted by role; left out where no model was used.
	Roles []messages.RoleUsage `json:"roles,omitempty"`
}

// JSON writes a as one line of JSON. The searchers that found a passage are
// named if there were several, and always with trace.
func JSON(w io.Writer, a *messages.Answer, trace bool) error {
	l := Line{
		ID: a.ID, Question: a.Question, Answer: a.Answer, Status: a.Status, Class: a.Class,
		Steps: a.Steps, DocsSeq: a.DocsSeq, Confidence: a.Confidence, Evidence: a.Evidence, Hops: a.Hops, Citations: make([]citation, len(a.Citations)),
		Usage:     usageLine{a.Usage.ModelCalls, a.Usage.PromptTokens, a.Usage.CompletionTokens, a.Usage.Roles},
		LatencyMS: a.LatencyMS, Error: a.Error,
		Claims: a.Claims, Strategy: a.Strategy, Rerouted: a.Rerouted, Repaired: a.Repaired, GaveUp: a.GaveUp,
	}
	if !trace {
		l.Hops = withoutSearcher(l.Hops)
	}
	if l.Evidence == nil {
		l.Evidence = []messages.Evidence{}
	}
	if l.Hops == nil {
		l.Hops = []messages.Hop{}
	}
	for i, c := range a.Citations {
		l.Citations[i] = citation{c.ID, c.Title, c.URL}
	}
	return cli.WriteJSON(w, l)
}

// withoutSearcher returns the hops without the searchers' names if the same
// searcher found all passages.
func withoutSearcher(hops []messages.Hop) []messages.Hop {
	name := ""
	for i := range hops {
		for _, f := range hops[i].Found {
			if len(f.By) != 1 || f.URL != "" || name != "" && f.By[0] != name {
				return hops
			}
			name = f.By[0]
		}
	}
	hops = slices.Clone(hops)
	for i := range hops {
		hops[i].Found = nil
	}
	return hops
}
