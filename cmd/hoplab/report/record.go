// Package report turns measured questions into figures, and figures into
// tables and pages.
//
//	record.go   Record: one measured question, one JSON line
//	file.go     File: records as they come, resumable
//	metrics.go  what is averaged over records, and how it is called
//	figures.go  Figures: means, intervals, latencies, funnel, router
//	run.go      Run: a preset on a data set, with its figures by type and class
//	table.go    runs side by side, for a terminal or as Markdown
//	html.go, page.html, svg.go, plots.go   the same as a page with plots
package report

import "hopstream/messages"

// Record is one measured question: what the pipeline answered, and the scores
// of it. Shares are between 0 and 1. What does not apply to a question is nil.
type Record struct {
	ID       string         `json:"id"`
	Question string         `json:"question"`
	Type     string         `json:"type,omitempty"`   // as the data set names it
	Gold     messages.Class `json:"gold,omitempty"`   // the gold class
	Routed   messages.Class `json:"routed,omitempty"` // as which it was routed; empty where the router was not asked
	Class    messages.Class `json:"class,omitempty"`  // as which it was answered in the end

	Answer string   `json:"answer"`
	Wanted []string `json:"wanted,omitempty"` // the gold answer in its first form, or all that is wanted; none: nothing to compare with
	// Unanswerable is set where the documents do not answer the question, so that
	// unanswered is right; EM, F1 and Acc are 1 then.
	Unanswerable bool            `json:"unanswerable,omitempty"`
	Confidence   float64         `json:"confidence,omitempty"` // 0 where the engine did not say
	Status       messages.Status `json:"status"`
	Error        string          `json:"error,omitempty"`

	EM  float64 `json:"em"`
	F1  float64 `json:"f1"`
	Acc float64 `json:"acc"`
	// Judged is whether the answer means the same as a gold one, as an engine
	// judges it (MGA-RAG).
	Judged *bool    `json:"judged,omitempty"`
	AA     *float64 `json:"aa,omitempty"` // of lists (MuISQA)
	AC     *float64 `json:"ac,omitempty"`

	Steps   int `json:"steps"`   // rounds of retrieval
	Queries int `json:"queries"` // sub-queries searched for
	// GoldRanks are the ranks, from 1, of the gold passages among all that was
	// retrieved, sub-queries interleaved; 0 is not found.
	GoldRanks []int    `json:"gold_ranks,omitempty"`
	Kept      *float64 `json:"kept,omitempty"` // share of the gold passages that passed the filter
	Succ      float64  `json:"succ"`           // whether a gold answer stands in what was retrieved
	IRR       *float64 `json:"irr,omitempty"`  // share of the gold facts that do
	// Windowed is the share of the gold steps' answers, or of the gold facts
	// where there are no steps, that stand in an aligned window.
	Windowed *float64 `json:"windowed,omitempty"`
	HMix     *float64 `json:"h_mix,omitempty"` // entropy of the queries' embeddings, in nats

	ModelCalls int     `json:"model_calls"`
	Tokens     int     `json:"tokens"`
	LatencyMS  float64 `json:"latency_ms"`
}

// Measured reports whether it is known what is right: a gold answer, or that
// there is none.
func (r *Record) Measured() bool { return r.Unanswerable || len(r.Wanted) > 0 }

// Given reports whether the question was given an answer, be it in part.
func (r *Record) Given() bool {
	return r.Answer != "" && (r.Status == messages.Answered || r.Status == messages.Partial)
}

// Right reports whether the answer is: a gold answer is contained, or an engine
// judged that it means the same; of a question without one, that it was refused.
func (r *Record) Right() bool {
	return r.Acc == 1 || !r.Unanswerable && r.Judged != nil && *r.Judged
}

// Recall is the share of gold passages among the first k retrieved.
func (r *Record) Recall(k int) float64 {
	n := 0
	for _, rank := range r.GoldRanks {
		if rank > 0 && rank <= k {
			n++
		}
	}
	return float64(n) / float64(max(1, len(r.GoldRanks)))
}

// Retrieved is the share of gold passages that were retrieved in any round.
func (r *Record) Retrieved() float64 {
	n := 0
	for _, rank := range r.GoldRanks {
		if rank > 0 {
			n++
		}
	}
	return float64(n) / float64(max(1, len(r.GoldRanks)))
}
