// Package generator answers. A sub-query is answered from its passages, or once
// per window scale, all at the same time and each from its own windows only,
// and the answers are fused (MGA-RAG), or summarised where the strategy is
// LevelRAG's; a finished compound or complex question is answered from its
// (sub-question, answer) pairs (HANRAG); a straightforward question is answered
// directly. Every answer from passages is given the words it rests on.
//
//	Handle (generator.go) ─┬─ branch.go  one sub-query, from its windows
//	                       ├─ whole.go   a joined question, from its pairs
//	                       └─ direct.go  without documents
//
// evidence.go looks up the words of the passages that an answer rests on;
// claim.go says what an answer consists of.
package generator

import (
	"cmp"
	"context"
	"time"

	"hopstream/messages"
)

// Answerer answers a sub-question from windows; an empty text means that they
// do not hold the answer.
type Answerer interface {
	Answer(ctx context.Context, question string, windows []messages.Window) (messages.Finding, error)
}

// Fuser makes one answer of those found at several scales of the passages.
type Fuser interface {
	Fuse(ctx context.Context, question string, findings []messages.Finding, passages []messages.Passage) (messages.Finding, error)
}

// Synthesizer answers a question from its sub-questions' answers.
type Synthesizer interface {
	Synthesize(ctx context.Context, question string, class messages.Class, pairs []messages.Pair) (messages.Finding, error)
}

// Director answers without documents; an empty text means that it cannot.
type Director interface {
	Direct(ctx context.Context, question string) (messages.Finding, error)
}

// Summariser answers a query in one sentence from windows; an empty text means
// that they say nothing of it.
type Summariser interface {
	Summarise(ctx context.Context, query string, windows []messages.Window) (messages.Finding, error)
}

// Sufficiency tells whether the pairs are enough to answer the question.
type Sufficiency interface {
	Enough(ctx context.Context, question string, pairs []messages.Pair) (bool, error)
}

// Engine is all the generator asks.
type Engine interface {
	Answerer
	Fuser
	Summariser
	Synthesizer
	Director
	Sufficiency
}

// Escalation says when a question routed as single goes on as complex.
type Escalation string

// The escalations.
const (
	EscalateNever  Escalation = "never"      // nor is a straightforward one looked up
	EscalateOpen   Escalation = "unanswered" // when its documents hold no answer
	EscalateJudged Escalation = "judged"     // also when the judge finds the answer insufficient
)

// Options adjust the generator.
type Options struct {
	// NoFusion takes the most confident scale's answer (MGA-RAG's ablation).
	NoFusion bool
	// Windows answers a sub-query from the windows of each scale by themselves,
	// and fuses the answers, instead of from whole passages.
	Windows bool
	// Escalate is EscalateOpen unless set.
	Escalate Escalation
	// Unsourced answers a sub-query without passages from what the model knows
	// (HANRAG); else it stays unanswered.
	Unsourced bool
	// RequireEvidence drops an answer that no passage supports.
	RequireEvidence bool
	// MinConfidence is how sure an engine must be, from 0 to 1, for its answer to
	// be given.
	MinConfidence float64
}

// The reasons given where there is no answer.
const (
	// NotFound says that the documents do not hold one.
	NotFound = "no answer found in the documents"
	// NotKnown says that none was known, of a question that is not looked up.
	NotKnown = "no answer known without documents, and none were searched"
)

// Generator is the stage.
type Generator struct {
	engine Engine
	opts   Options
	now    func() time.Time
}

// New returns the stage.
func New(e Engine, o Options) *Generator {
	o.Escalate = cmp.Or(o.Escalate, EscalateOpen)
	return &Generator{engine: e, opts: o, now: time.Now}
}

// Handle answers a sub-query, a straightforward question, or a joined one.
func (g *Generator) Handle(ctx context.Context, in *messages.Generate) ([]messages.Message, error) {
	var out messages.Message
	var err error
	switch {
	case in.Branch > 0:
		out, err = g.branch(ctx, in)
	case in.Class == messages.Straightforward:
		out, err = g.direct(ctx, in)
	default:
		out, err = g.synthesize(ctx, in)
	}
	if err != nil {
		return nil, err
	}
	return []messages.Message{out}, nil
}
