// Package stages holds the pipeline's table: for every stage the kind of
// message it reads, what it may write, how it is made, what turns it off, and
// how much of it runs at once. Streams, consumers, wiring, redelivery, metrics,
// the command line, and the checks of deployments and dashboards derive from
// it. Adding a stage is one package, one message and one row here.
//
//	question ─▶ router ─┬─ straightforward ─────────────────────────────▶ generator ─▶ answer
//	                    ├─ single ─────────▶ retriever ─▶ filter ─▶ aligner ─▶ generator ─▶ answer
//	                    ├─ compound ─▶ decomposer ═╪═ n sub-queries, each a message ═▶ … ─▶ generator
//	                    │                          │                                          │ sub-answers
//	                    └─ complex ──▶ decomposer ─┘       aggregator (joins the round) ◀─────┘
//	                                      ▲                    │ compound, or judged enough ─▶ generator ─▶ answer
//	                                      └── next round ── judge ◀┘ complex
//
// The files, in reading order:
//
//	pipeline.go  the table
//	output.go    where an output stands relative to its input
//	parts.go     what the stages are made of: engine, searcher, settings
//	logic.go     rows made into logic; a stage that is off is skipped
//
// The packages below it, from the bottom up:
//
//	meter            what one delivery may use and has used
//	evidence         the words of passages that an answer rests on
//	router … judge   the stages' logic, which knows neither the log nor one another
//	log              the streams: write-once puts, direct reads
//	bucket           a key-value bucket beside them
//	replies          models' replies kept in one, for attempts that are repeated
//	work             sub-queries claimed in one, for questions that ask the same
//	admission        whose question is admitted next, and how many are
//	runner           consume → decode → deadline → Handle → publish → ack
//	client           asking questions and following answers
//	engine/…         who answers the questions of the stages' logic
package stages

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hopstream/messages"
	"hopstream/stages/aggregator"
	"hopstream/stages/aligner"
	"hopstream/stages/decomposer"
	"hopstream/stages/filter"
	"hopstream/stages/generator"
	"hopstream/stages/judge"
	"hopstream/stages/retriever"
	"hopstream/stages/router"
)

// Stage is a row of the table.
type Stage struct {
	Name    string
	Input   messages.Kind
	Outputs []Output
	// New makes the stage's logic.
	New func(*Parts) Logic
	// Off says that the stage only passes on what it is given. It is then
	// skipped: the stage before it does the passing on, and no message is
	// stored in between. It is nil for a stage that cannot be off; one that
	// can writes in its input's place only.
	Off func(*Settings) bool
	// Searches is set for the stage that looks into the documents, and so
	// waits until an index holds those that its message needs.
	Searches bool
	// Concurrency is how many messages one process works on at once.
	Concurrency int
	// AckWait is how long a silent worker keeps a message; a working one
	// renews it.
	AckWait time.Duration
	// Timeout bounds one attempt.
	Timeout time.Duration
	// Attempts is how often a failing message is tried.
	Attempts int
}

// Pipeline returns the table, in the order a question meets the stages.
func Pipeline() []Stage {
	table := []Stage{{
		Name: "router", Input: messages.KindQuestion,
		New: func(p *Parts) Logic { return Of(router.New(p.Engine, p.Router).Handle) },
		Outputs: []Output{
			{Kind: messages.KindRetrieve, At: First},
			{Kind: messages.KindDecompose, At: FirstRound},
			{Kind: messages.KindGenerate, At: Whole},
		},
	}, {
		Name: "decomposer", Input: messages.KindDecompose,
		New: func(p *Parts) Logic { return Of(decomposer.New(p.Engine, p.Decomposer).Handle) },
		Outputs: []Output{
			{Kind: messages.KindPlan, At: SameRound},
			{Kind: messages.KindGenerate, At: Whole}, // nothing is left to ask
		},
	}, {
		Name: "retriever", Input: messages.KindRetrieve, Searches: true,
		New: retrieve,
		Outputs: []Output{
			{Kind: messages.KindFilter, At: Same},
			{Kind: messages.KindGenerate, At: Same}, // another question has asked the same
		},
	}, {
		Name: "filter", Input: messages.KindFilter,
		New:     func(p *Parts) Logic { return Of(filter.New(p.Engine, p.Filter).Handle) },
		Off:     func(s *Settings) bool { return s.Filter.Off },
		Outputs: []Output{{Kind: messages.KindAlign, At: Same}},
	}, {
		Name: "aligner", Input: messages.KindAlign,
		New:     func(p *Parts) Logic { return Of(aligner.New(p.Engine, p.Aligner).Handle) },
		Off:     func(s *Settings) bool { return s.Aligner.Off },
		Outputs: []Output{{Kind: messages.KindGenerate, At: Same}},
	}, {
		Name: "generator", Input: messages.KindGenerate,
		New: func(p *Parts) Logic { return Of(generator.New(p.Engine, p.Generator).Handle) },
		Outputs: []Output{
			{Kind: messages.KindAnswer, At: Whole},
			{Kind: messages.KindSubanswer, At: Same},
			// A straightforward question that turns out to need documents.
			{Kind: messages.KindRetrieve, At: First, Of: messages.Straightforward},
			// A single question whose answer does not suffice.
			{Kind: messages.KindDecompose, At: NextRound, Of: messages.Single},
		},
	}, {
		Name: "aggregator", Input: messages.KindSubanswer,
		New: func(p *Parts) Logic { return Of(aggregator.New(p.Branches).Handle) },
		Outputs: []Output{
			{Kind: messages.KindJudge, At: SameRound},
			{Kind: messages.KindGenerate, At: Whole},
		},
	}, {
		Name: "judge", Input: messages.KindJudge,
		New: func(p *Parts) Logic { return Of(judge.New(p.Engine, p.Judge).Handle) },
		Outputs: []Output{
			{Kind: messages.KindDecompose, At: NextRound},
			{Kind: messages.KindGenerate, At: Whole},
		},
	}}
	for i := range table {
		s := &table[i]
		s.Concurrency, s.AckWait, s.Timeout, s.Attempts = 64, 10*time.Second, 2*time.Minute, 6
	}
	outputsPastSkipped(table)
	return table
}

// retrieve also says when the index is loaded, and what it lacks.
func retrieve(p *Parts) Logic {
	l := Of(retriever.New(p.Search, p.Retriever).Handle)
	l.Gate = p.Loaded
	if p.Lacks != nil {
		l.Lacks = func(h *messages.Head) string { return p.Lacks(h.Docs) }
	}
	return l
}

// Names returns the stages' names in order.
func Names() []string {
	var names []string
	for _, s := range Pipeline() {
		names = append(names, s.Name)
	}
	return names
}

// Select returns the rows named in a comma-separated list, in the table's
// order; "all" and "" mean every row. It fails on a name that is none.
func Select(list string) ([]Stage, error) {
	table := Pipeline()
	if list == "" || list == "all" {
		return table, nil
	}
	want := map[string]bool{}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(Names(), name) {
			return nil, fmt.Errorf("unknown stage %q: choose from all, %s", name, strings.Join(Names(), ", "))
		}
		want[name] = true
	}
	return slices.DeleteFunc(table, func(s Stage) bool { return !want[s.Name] }), nil
}

// Searching returns the row of table that looks into the documents, or nil.
func Searching(table []Stage) *Stage {
	i := slices.IndexFunc(table, func(s Stage) bool { return s.Searches })
	if i < 0 {
		return nil
	}
	return &table[i]
}

// Reading returns the row of table that reads messages of kind k, or nil.
func Reading(table []Stage, k messages.Kind) *Stage {
	i := slices.IndexFunc(table, func(s Stage) bool { return s.Input == k })
	if i < 0 {
		return nil
	}
	return &table[i]
}
