// Package stages holds the pipeline's table: which stage reads which kind of
// message, what it may write, and how much of it runs at once. Streams,
// consumers, redelivery look-ups, metrics, the command line and the tests all
// derive from it; adding a stage is one package, one message, one row here
// and one line of wiring.
//
// Below it, from the bottom up:
//
//	meter       what one delivery may use and has used
//	log         the log: streams, write-once puts, direct reads
//	runner      consume → decode → deadline → Handle → publish → ack
//	client      asking questions and following answers
//	engine/…    who answers a stage's questions
//	router … judge   the stages' logic, which knows none of the above
package stages

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hopstream/messages"
)

// Place says where an output stands relative to its input.
type Place int

// The places.
const (
	Whole      Place = iota // the question as a whole
	SameRound               // the input's round
	NextRound               // the round after the input's
	Same                    // the input's round and branch
	FirstRound              // round 1
	First                   // round 1, branch 1
)

// Output is a kind of message a stage may write, and where.
type Output struct {
	Kind messages.Kind
	At   Place
	// Of limits the output to questions of one class; empty means any.
	Of messages.Class
}

// Key returns the key of the output for an input with head h.
func (o Output) Key(h *messages.Head) messages.Key {
	switch o.At {
	case SameRound:
		return messages.Key{ID: h.ID, Round: h.Round}
	case NextRound:
		return messages.Key{ID: h.ID, Round: h.Round + 1}
	case Same:
		return messages.Key{ID: h.ID, Round: h.Round, Branch: h.Branch}
	case FirstRound:
		return messages.Key{ID: h.ID, Round: 1}
	case First:
		return messages.Key{ID: h.ID, Round: 1, Branch: 1}
	}
	return messages.Key{ID: h.ID}
}

// Stage is a row of the table.
type Stage struct {
	Name    string
	Input   messages.Kind
	Outputs []Output
	// Decides is set where one input leads to several outputs: the first
	// output is then the decision, stored before the others are derived. An
	// output of another kind is stored as it is.
	Decides bool
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
	row := func(name string, in messages.Kind, out ...Output) Stage {
		return Stage{Name: name, Input: in, Outputs: out, Concurrency: 64,
			AckWait: 10 * time.Second, Timeout: 2 * time.Minute, Attempts: 6}
	}
	table := []Stage{
		row("router", messages.KindQuestion,
			Output{Kind: messages.KindRetrieve, At: First},
			Output{Kind: messages.KindDecompose, At: FirstRound},
			Output{Kind: messages.KindGenerate, At: Whole}),
		row("decomposer", messages.KindDecompose,
			Output{Kind: messages.KindPlan, At: SameRound},
			// Nothing is left to ask.
			Output{Kind: messages.KindGenerate, At: Whole}),
		row("retriever", messages.KindRetrieve,
			Output{Kind: messages.KindFilter, At: Same}),
		row("filter", messages.KindFilter,
			Output{Kind: messages.KindAlign, At: Same},
			// The aligner is off: passages go on whole.
			Output{Kind: messages.KindGenerate, At: Same}),
		row("aligner", messages.KindAlign,
			Output{Kind: messages.KindGenerate, At: Same}),
		row("generator", messages.KindGenerate,
			Output{Kind: messages.KindAnswer, At: Whole},
			Output{Kind: messages.KindSubanswer, At: Same},
			// A straightforward question that turns out to need documents.
			Output{Kind: messages.KindRetrieve, At: First, Of: messages.Straightforward},
			// A single question whose answer does not suffice.
			Output{Kind: messages.KindDecompose, At: NextRound, Of: messages.Single}),
		row("aggregator", messages.KindSubanswer,
			Output{Kind: messages.KindJudge, At: SameRound}, Output{Kind: messages.KindGenerate, At: Whole}),
		row("judge", messages.KindJudge,
			Output{Kind: messages.KindDecompose, At: NextRound}, Output{Kind: messages.KindGenerate, At: Whole}),
	}
	table[1].Decides = true
	return table
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
