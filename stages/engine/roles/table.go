package roles

//revive:disable:file-length-limit a new role is added in this file alone: its name, row, question and function stand together

import (
	"context"
	"slices"
	"strings"

	"hopstream/messages"
)

// Role is a kind of question that an engine answers, by the name that the
// configuration, the metrics and the usage of an answer know it by.
type Role string

// The roles.
const (
	Router         Role = "router"
	Decomposer     Role = "decomposer"
	Refiner        Role = "refiner"
	Planner        Role = "planner"
	Reviser        Role = "reviser"
	Atomiser       Role = "atomiser"
	Supplementer   Role = "supplementer"
	Keywords       Role = "keywords"
	Refinement     Role = "refinement"
	Verifier       Role = "verifier"
	PseudoDocument Role = "pseudo_document"
	Hypothesiser   Role = "hypothesiser"
	Statements     Role = "statements"
	Relevance      Role = "relevance"
	Embedder       Role = "embedder"
	Answerer       Role = "answerer"
	ScaleAnswerer  Role = "scale_answerer"
	Summariser     Role = "summariser"
	Fusion         Role = "fusion"
	Synthesis      Role = "synthesis"
	Direct         Role = "direct"
	Judge          Role = "judge"
	Completeness   Role = "completeness"
	Equivalence    Role = "equivalence"
)

// Table returns the roles, in the order a question meets them.
//
//revive:disable-next-line:function-length one row per role, and nothing else
func Table() []Row {
	return []Row{
		{Router, "tells which of the four classes a question is",
			stage("router"),
			[]Prompt{prompt1("router", Engine.Classify, question)},
			func(s *Set, f source) { s.ClassifyFunc = from1(f, Engine.Classify) }},
		{Decomposer, "cuts a compound question into its parts",
			stage("decomposer"),
			[]Prompt{prompt1("decomposer", Engine.Split, question)},
			func(s *Set, f source) { s.SplitFunc = from1(f, Engine.Split) }},
		// A plan may be given up for refining.
		{Refiner, "writes the next question to look up, from what was found",
			when(Refines, "decomposer"),
			[]Prompt{prompt2("refiner", Engine.Refine, question, pairs)},
			func(s *Set, f source) { s.RefineFunc = from2(f, Engine.Refine) }},
		{Planner, "plans the sub-questions of a complex question",
			when(Plans, "decomposer"),
			[]Prompt{prompt1("planner", Engine.Plan, question)},
			func(s *Set, f source) { s.PlanFunc = from1(f, Engine.Plan) }},
		{Reviser, "looks a plan over, and replaces one that led nowhere",
			when(Revises, "decomposer"),
			[]Prompt{prompt4("reviser", Engine.Revise, question, plan, pairs, problem), prompt4("repair", Engine.Revise, question, plan, pairs, problem)},
			func(s *Set, f source) { s.ReviseFunc = from4(f, Engine.Revise) }},
		{Atomiser, "takes a question apart into atomic queries",
			when(Supplement, "decomposer"),
			[]Prompt{prompt1("atomiser", Engine.Atomise, question)},
			func(s *Set, f source) { s.AtomiseFunc = from1(f, Engine.Atomise) }},
		{Supplementer, "writes the queries that are missing",
			when(Supplement, "decomposer"),
			[]Prompt{prompt2("supplementer", Engine.Supplement, question, pairs)},
			func(s *Set, f source) { s.SupplementFunc = from2(f, Engine.Supplement) }},
		{Keywords, "picks the words to look a query up with",
			searchers("sparse"),
			[]Prompt{prompt1("keywords", Engine.Keywords, question)},
			func(s *Set, f source) { s.KeywordsFunc = from1(f, Engine.Keywords) }},
		{Refinement, "adds a word to a search, stresses one or shuts one out",
			searchers("sparse"),
			[]Prompt{
				prompt3("extend", Engine.Extend, question, keywords, passages),
				prompt3("emphasise", Engine.Emphasise, question, keywords, passages),
				prompt3("exclude", Engine.Exclude, question, keywords, passages)},
			func(s *Set, f source) {
				s.ExtendFunc, s.EmphasiseFunc, s.ExcludeFunc = from3(f, Engine.Extend), from3(f, Engine.Emphasise), from3(f, Engine.Exclude)
			}},
		{Verifier, "tells whether a search found what is needed",
			searchers("sparse", "dense"),
			[]Prompt{prompt2("verify", Engine.Verify, question, passages)},
			func(s *Set, f source) { s.VerifyFunc = from2(f, Engine.Verify) }},
		{PseudoDocument, "writes a passage as it could stand in the documents",
			searchers("dense"),
			[]Prompt{prompt2("pseudo_document", Engine.PseudoDocument, question, passages)},
			func(s *Set, f source) { s.PseudoDocumentFunc = from2(f, Engine.PseudoDocument) }},
		{Hypothesiser, "makes up plausible answers",
			searchers("intents"),
			[]Prompt{prompt1("hypothesise", Engine.Hypothesise, question)},
			func(s *Set, f source) { s.HypothesiseFunc = from1(f, Engine.Hypothesise) }},
		{Statements, "splits plausible answers into statements of one fact each",
			searchers("intents"),
			[]Prompt{prompt2("statements", Engine.Statements, question, answers)},
			func(s *Set, f source) { s.StatementsFunc = from2(f, Engine.Statements) }},
		{Relevance, "tells which passages help",
			stage("filter"),
			[]Prompt{prompt2("relevance_one", Engine.Relevant, question, passages), prompt2("relevance_all", Engine.Relevant, question, passages)},
			func(s *Set, f source) { s.RelevantFunc = from2(f, Engine.Relevant) }},
		{Embedder, "makes vectors of passages, windows and queries",
			append(when(Aligned, "aligner"), searchers("dense", "weaviate")...),
			nil,
			func(s *Set, f source) { s.EmbedFunc = from1(f, Engine.Embed) }},
		// The two answerers are one question, asked of whole passages or of the
		// windows of one scale.
		{Answerer, "answers a sub-question from whole passages",
			when(Whole, "generator"),
			[]Prompt{prompt2("answerer", Engine.Answer, question, windows)},
			func(s *Set, f source) { s.AnswerFunc = from2(f, Engine.Answer) }},
		{ScaleAnswerer, "answers a sub-question from the windows of one scale",
			when(Aligned, "generator"),
			[]Prompt{prompt2("scale_answerer", Engine.Answer, question, windows)},
			func(s *Set, f source) { s.AnswerFunc = from2(f, Engine.Answer) }},
		{Summariser, "answers a query in a sentence",
			when(Supplement, "generator"),
			[]Prompt{prompt2("summariser", Engine.Summarise, question, windows)},
			func(s *Set, f source) { s.SummariseFunc = from2(f, Engine.Summarise) }},
		{Fusion, "makes one answer of those of several scales",
			when(Aligned, "generator"),
			[]Prompt{prompt3("fusion", Engine.Fuse, question, findings, passages)},
			func(s *Set, f source) { s.FuseFunc = from3(f, Engine.Fuse) }},
		{Synthesis, "answers the question from its sub-answers",
			stage("generator"),
			[]Prompt{prompt3("synthesis", Engine.Synthesize, question, class, pairs)},
			func(s *Set, f source) { s.SynthesizeFunc = from3(f, Engine.Synthesize) }},
		{Direct, "answers a question without documents",
			append(stage("generator"), when(NoneHelps, "generator")...),
			[]Prompt{prompt1("direct", Engine.Direct, question)},
			func(s *Set, f source) { s.DirectFunc = from1(f, Engine.Direct) }},
		{Judge, "tells whether the sub-answers suffice",
			slices.Concat(when(Refines, "judge"), when(JudgesFirst, "decomposer"), when(Escalates, "generator")),
			[]Prompt{prompt2("judge", Engine.Enough, question, pairs)},
			func(s *Set, f source) { s.EnoughFunc = from2(f, Engine.Enough) }},
		{Completeness, "tells whether the summaries suffice",
			when(Supplement, "judge"),
			[]Prompt{prompt2("completeness", Engine.Complete, question, pairs)},
			func(s *Set, f source) { s.CompleteFunc = from2(f, Engine.Complete) }},
		{Equivalence, "tells whether an answer means the same as a right one",
			nil,
			[]Prompt{prompt3("equivalence", Engine.Equivalent, question, prediction, golds)},
			func(s *Set, f source) { s.EquivalentFunc = from3(f, Engine.Equivalent) }},
	}
}

// Engine answers the questions of all roles. It is safe for concurrent use. A
// Finding with an empty text says that there is no answer.
type Engine interface {
	// Classify tells a question's class.
	Classify(ctx context.Context, question string) (messages.Class, error)
	// Split cuts a compound question into independent, self-contained
	// sub-questions; one that cannot be cut comes back as it is.
	Split(ctx context.Context, question string) ([]string, error)
	// Refine returns the next question to look up, given the pairs so far;
	// empty means that there is none. A question of one step comes back as it is.
	Refine(ctx context.Context, question string, pairs []messages.Pair) (string, error)
	// Plan takes a complex question apart into at most messages.MaxParts
	// sub-questions, which name each other's answers as $1, $2, ….
	Plan(ctx context.Context, question string) ([]string, error)
	// Revise returns the plan, or a better one. A problem, unless empty, says
	// why the plan cannot be followed; nil means that there is no better one.
	Revise(ctx context.Context, question string, plan []string, pairs []messages.Pair, problem string) ([]string, error)
	// Atomise takes a question apart into the atomic queries that can be looked up
	// at once; one that is atomic comes back as it is.
	Atomise(ctx context.Context, question string) ([]string, error)
	// Supplement returns the queries that are missing, given what was found.
	Supplement(ctx context.Context, question string, pairs []messages.Pair) ([]string, error)

	// Keywords returns the words to look a query up with, the most telling first.
	Keywords(ctx context.Context, query string) ([]string, error)
	// Extend returns a word to be found in addition, Emphasise the keyword that
	// should count more, Exclude a word whose passages are not wanted; empty
	// means that there is none.
	Extend(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error)
	Emphasise(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error)
	Exclude(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error)
	// Verify tells whether passages hold what is needed to answer a query.
	Verify(ctx context.Context, query string, found []messages.Passage) (bool, error)
	// PseudoDocument writes a passage as it could stand in the documents.
	PseudoDocument(ctx context.Context, query string, found []messages.Passage) (string, error)
	// Hypothesise makes up plausible answers, a text each.
	Hypothesise(ctx context.Context, question string) ([]string, error)
	// Statements splits answers to a question into statements of one fact each.
	Statements(ctx context.Context, question string, answers []string) ([]string, error)

	// Relevant tells for each passage whether it helps to answer a query.
	Relevant(ctx context.Context, query string, passages []messages.Passage) ([]bool, error)
	// Embed returns vectors of one length, one per text.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Answer answers a sub-question from windows, which may be whole passages.
	Answer(ctx context.Context, question string, windows []messages.Window) (messages.Finding, error)
	// Summarise answers a query in one sentence from windows.
	Summarise(ctx context.Context, query string, windows []messages.Window) (messages.Finding, error)
	// Fuse makes one answer of those found at several scales of the passages.
	Fuse(ctx context.Context, question string, findings []messages.Finding, passages []messages.Passage) (messages.Finding, error)
	// Synthesize answers a question from its sub-questions' answers.
	Synthesize(ctx context.Context, question string, class messages.Class, pairs []messages.Pair) (messages.Finding, error)
	// Direct answers without documents.
	Direct(ctx context.Context, question string) (messages.Finding, error)
	// Enough tells whether the pairs suffice to answer the question.
	// Without pairs it tells whether there is nothing to look up.
	Enough(ctx context.Context, question string, pairs []messages.Pair) (bool, error)
	// Complete tells whether summaries, the pairs, suffice to answer the question.
	Complete(ctx context.Context, question string, pairs []messages.Pair) (bool, error)
	// Equivalent tells whether a prediction means the same as one of the right
	// answers.
	Equivalent(ctx context.Context, question, prediction string, golds []string) (bool, error)
}

// Operator is Extend, Emphasise or Exclude.
type Operator func(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error)

// Set is an engine made of functions: what another engine does, what several
// do, or what a test sets. Where a function is nil, the method gives the
// cheapest answer that lets a question go on, so that the zero Set is an engine
// that does nothing.
type Set struct {
	ClassifyFunc       func(ctx context.Context, question string) (messages.Class, error)
	SplitFunc          func(ctx context.Context, question string) ([]string, error)
	RefineFunc         func(ctx context.Context, question string, pairs []messages.Pair) (string, error)
	PlanFunc           func(ctx context.Context, question string) ([]string, error)
	ReviseFunc         func(ctx context.Context, question string, plan []string, pairs []messages.Pair, problem string) ([]string, error)
	AtomiseFunc        func(ctx context.Context, question string) ([]string, error)
	SupplementFunc     func(ctx context.Context, question string, pairs []messages.Pair) ([]string, error)
	KeywordsFunc       func(ctx context.Context, query string) ([]string, error)
	ExtendFunc         Operator
	EmphasiseFunc      Operator
	ExcludeFunc        Operator
	VerifyFunc         func(ctx context.Context, query string, found []messages.Passage) (bool, error)
	PseudoDocumentFunc func(ctx context.Context, query string, found []messages.Passage) (string, error)
	HypothesiseFunc    func(ctx context.Context, question string) ([]string, error)
	StatementsFunc     func(ctx context.Context, question string, answers []string) ([]string, error)
	RelevantFunc       func(ctx context.Context, query string, passages []messages.Passage) ([]bool, error)
	EmbedFunc          func(ctx context.Context, texts []string) ([][]float32, error)
	AnswerFunc         func(ctx context.Context, question string, windows []messages.Window) (messages.Finding, error)
	SummariseFunc      func(ctx context.Context, query string, windows []messages.Window) (messages.Finding, error)
	FuseFunc           func(ctx context.Context, question string, findings []messages.Finding, passages []messages.Passage) (messages.Finding, error)
	SynthesizeFunc     func(ctx context.Context, question string, class messages.Class, pairs []messages.Pair) (messages.Finding, error)
	DirectFunc         func(ctx context.Context, question string) (messages.Finding, error)
	EnoughFunc         func(ctx context.Context, question string, pairs []messages.Pair) (bool, error)
	CompleteFunc       func(ctx context.Context, question string, pairs []messages.Pair) (bool, error)
	EquivalentFunc     func(ctx context.Context, question, prediction string, golds []string) (bool, error)
}

// Classify answers single unless set.
func (s *Set) Classify(ctx context.Context, question string) (messages.Class, error) {
	if s.ClassifyFunc == nil {
		return messages.Single, nil
	}
	return s.ClassifyFunc(ctx, question)
}

// Split answers the question itself unless set.
func (s *Set) Split(ctx context.Context, question string) ([]string, error) {
	if s.SplitFunc == nil {
		return []string{question}, nil
	}
	return s.SplitFunc(ctx, question)
}

// Refine answers the question itself unless set.
func (s *Set) Refine(ctx context.Context, question string, pairs []messages.Pair) (string, error) {
	if s.RefineFunc == nil {
		return question, nil
	}
	return s.RefineFunc(ctx, question, pairs)
}

// Plan answers the question itself unless set.
func (s *Set) Plan(ctx context.Context, question string) ([]string, error) {
	if s.PlanFunc == nil {
		return []string{question}, nil
	}
	return s.PlanFunc(ctx, question)
}

// Revise leaves the plan as it is unless set.
func (s *Set) Revise(ctx context.Context, question string, plan []string, pairs []messages.Pair, problem string) ([]string, error) {
	if s.ReviseFunc == nil {
		return plan, nil
	}
	return s.ReviseFunc(ctx, question, plan, pairs, problem)
}

// Atomise answers the question itself unless set.
func (s *Set) Atomise(ctx context.Context, question string) ([]string, error) {
	if s.AtomiseFunc == nil {
		return []string{question}, nil
	}
	return s.AtomiseFunc(ctx, question)
}

// Supplement answers the question itself unless set.
func (s *Set) Supplement(ctx context.Context, question string, pairs []messages.Pair) ([]string, error) {
	if s.SupplementFunc == nil {
		return []string{question}, nil
	}
	return s.SupplementFunc(ctx, question, pairs)
}

// Keywords answers the query's words unless set.
func (s *Set) Keywords(ctx context.Context, query string) ([]string, error) {
	if s.KeywordsFunc == nil {
		return strings.Fields(query), nil
	}
	return s.KeywordsFunc(ctx, query)
}

// Extend knows no word unless set.
func (s *Set) Extend(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	return s.ExtendFunc.ask(ctx, query, keywords, found)
}

// Emphasise knows no word unless set.
func (s *Set) Emphasise(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	return s.EmphasiseFunc.ask(ctx, query, keywords, found)
}

// Exclude knows no word unless set.
func (s *Set) Exclude(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	return s.ExcludeFunc.ask(ctx, query, keywords, found)
}

func (o Operator) ask(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	if o == nil {
		return "", nil
	}
	return o(ctx, query, keywords, found)
}

// Verify answers yes unless set.
func (s *Set) Verify(ctx context.Context, query string, found []messages.Passage) (bool, error) {
	if s.VerifyFunc == nil {
		return true, nil
	}
	return s.VerifyFunc(ctx, query, found)
}

// PseudoDocument answers the query itself unless set.
func (s *Set) PseudoDocument(ctx context.Context, query string, found []messages.Passage) (string, error) {
	if s.PseudoDocumentFunc == nil {
		return query, nil
	}
	return s.PseudoDocumentFunc(ctx, query, found)
}

// Hypothesise answers the question itself unless set.
func (s *Set) Hypothesise(ctx context.Context, question string) ([]string, error) {
	if s.HypothesiseFunc == nil {
		return []string{question}, nil
	}
	return s.HypothesiseFunc(ctx, question)
}

// Statements answers the answers themselves unless set.
func (s *Set) Statements(ctx context.Context, question string, answers []string) ([]string, error) {
	if s.StatementsFunc == nil {
		return answers, nil
	}
	return s.StatementsFunc(ctx, question, answers)
}

// Relevant answers yes for every passage unless set.
func (s *Set) Relevant(ctx context.Context, query string, passages []messages.Passage) ([]bool, error) {
	if s.RelevantFunc == nil {
		out := make([]bool, len(passages))
		for i := range out {
			out[i] = true
		}
		return out, nil
	}
	return s.RelevantFunc(ctx, query, passages)
}

// Embed answers one-dimensional unit vectors unless set.
func (s *Set) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if s.EmbedFunc == nil {
		out, one := make([][]float32, len(texts)), []float32{1}
		for i := range out {
			out[i] = one
		}
		return out, nil
	}
	return s.EmbedFunc(ctx, texts)
}

// Answer answers "yes" from the first window unless set.
func (s *Set) Answer(ctx context.Context, question string, windows []messages.Window) (messages.Finding, error) {
	if s.AnswerFunc == nil {
		f := messages.Finding{Text: "yes", Confidence: 1}
		if len(windows) > 0 {
			f.Sources = []messages.Source{{ID: windows[0].Passage, Title: windows[0].Title}}
		}
		return f, nil
	}
	return s.AnswerFunc(ctx, question, windows)
}

// Summarise answers as Answer does unless set.
func (s *Set) Summarise(ctx context.Context, query string, windows []messages.Window) (messages.Finding, error) {
	if s.SummariseFunc == nil {
		return s.Answer(ctx, query, windows)
	}
	return s.SummariseFunc(ctx, query, windows)
}

// Fuse takes the first finding unless set.
func (s *Set) Fuse(ctx context.Context, question string, findings []messages.Finding, passages []messages.Passage) (messages.Finding, error) {
	if s.FuseFunc == nil {
		if len(findings) == 0 {
			return messages.Finding{}, nil
		}
		return findings[0], nil
	}
	return s.FuseFunc(ctx, question, findings, passages)
}

// Synthesize takes the last answer among the pairs unless set.
func (s *Set) Synthesize(ctx context.Context, question string, class messages.Class, pairs []messages.Pair) (messages.Finding, error) {
	if s.SynthesizeFunc == nil {
		for i := len(pairs) - 1; i >= 0; i-- {
			if !pairs[i].Open() {
				return messages.Finding{Text: pairs[i].Answer, Confidence: 1}, nil
			}
		}
		return messages.Finding{}, nil
	}
	return s.SynthesizeFunc(ctx, question, class, pairs)
}

// Direct answers "yes" unless set.
func (s *Set) Direct(ctx context.Context, question string) (messages.Finding, error) {
	if s.DirectFunc == nil {
		return messages.Finding{Text: "yes", Confidence: 1}, nil
	}
	return s.DirectFunc(ctx, question)
}

// Enough answers yes unless set.
func (s *Set) Enough(ctx context.Context, question string, pairs []messages.Pair) (bool, error) {
	if s.EnoughFunc == nil {
		return true, nil
	}
	return s.EnoughFunc(ctx, question, pairs)
}

// Complete answers yes unless set.
func (s *Set) Complete(ctx context.Context, question string, pairs []messages.Pair) (bool, error) {
	if s.CompleteFunc == nil {
		return true, nil
	}
	return s.CompleteFunc(ctx, question, pairs)
}

// Equivalent compares the words unless set.
func (s *Set) Equivalent(ctx context.Context, question, prediction string, golds []string) (bool, error) {
	if s.EquivalentFunc == nil {
		for _, g := range golds {
			if strings.EqualFold(g, prediction) {
				return true, nil
			}
		}
		return false, nil
	}
	return s.EquivalentFunc(ctx, question, prediction, golds)
}
