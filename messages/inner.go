package messages

import (
	"errors"
	"fmt"
)

// kinds has a row for every kind, in the order a question meets them. It is
// the one place that lists them: a new kind between stages is a row here and
// its type below.
var kinds = []row{
	{kind: KindQuestion, empty: empty[Question], key: "[<tenant>.<priority>.]<id>"},
	{kind: KindDecompose, empty: empty[Decompose], key: "<id>.<round>", inner: true},
	{kind: KindPlan, empty: empty[Plan], key: "<id>.<round>", inner: true},
	{kind: KindRetrieve, empty: empty[Retrieve], key: "<id>.<round>.<branch>", inner: true},
	{kind: KindFilter, empty: empty[Filter], key: "<id>.<round>.<branch>", inner: true},
	{kind: KindAlign, empty: empty[Align], key: "<id>.<round>.<branch>", inner: true},
	{kind: KindGenerate, empty: empty[Generate], key: "<id>[.<round>.<branch>]", inner: true},
	{kind: KindSubanswer, empty: empty[Subanswer], key: "<id>.<round>.<branch>", inner: true},
	{kind: KindJudge, empty: empty[Judge], key: "<id>.<round>", inner: true},
	{kind: KindAnswer, empty: empty[Answer], key: "<id>"},
	{kind: KindDead, empty: empty[Dead], key: "<stage>.<any-id>[.<seq>]"},
	{kind: KindDocument, empty: empty[Document], key: "<any-id>[.<first>.<room>]"},
}

// KindDecompose is the kind of a Decompose.
const KindDecompose Kind = "decompose"

// Decompose asks for the plan of a round.
type Decompose struct{ Head }

// Kind returns KindDecompose.
func (*Decompose) Kind() Kind { return KindDecompose }

// Key returns question and round.
func (m *Decompose) Key() Key { return Key{ID: m.ID, Round: m.Round} }

// Validate checks the head.
func (m *Decompose) Validate() error { return m.validate(true, false) }

// KindPlan is the kind of a Plan.
const KindPlan Kind = "plan"

// Plan is the decision which sub-queries a round consists of. It is stored
// before any of them is sent, and they are derived from what is stored.
type Plan struct {
	Head
	Queries []string `json:"queries"`
	// Answers are the parts of the head's plan that the queries answer, from
	// 1, in their order; there are none where there is no such plan.
	Answers []int `json:"answers,omitempty"`
}

// Kind returns KindPlan.
func (*Plan) Kind() Kind { return KindPlan }

// Key returns question and round.
func (m *Plan) Key() Key { return Key{ID: m.ID, Round: m.Round} }

// Validate checks the head and that there is something to do.
func (m *Plan) Validate() error {
	if len(m.Queries) == 0 {
		return errors.New("plan has no queries")
	}
	if len(m.Queries) > MaxBranches {
		return fmt.Errorf("plan has %d queries; the limit is %d", len(m.Queries), MaxBranches)
	}
	for i, q := range m.Queries {
		if err := checkQuery(q); err != nil {
			return fmt.Errorf("query %d: %w", i+1, err)
		}
	}
	if len(m.Answers) > 0 && len(m.Answers) != len(m.Queries) {
		return fmt.Errorf("%d queries answer %d parts", len(m.Queries), len(m.Answers))
	}
	for _, n := range m.Answers {
		if n < 1 || n > len(m.Parts) {
			return fmt.Errorf("part %d of %d is out of range", n, len(m.Parts))
		}
	}
	return m.validate(true, false)
}

// KindRetrieve is the kind of a Retrieve.
const KindRetrieve Kind = "retrieve"

// Retrieve is one sub-query to search for.
type Retrieve struct {
	Head
	Query string `json:"query"`
}

// Kind returns KindRetrieve.
func (*Retrieve) Kind() Kind { return KindRetrieve }

// Key returns question, round and branch.
func (m *Retrieve) Key() Key { return Key{ID: m.ID, Round: m.Round, Branch: m.Branch} }

// Validate checks head and query.
func (m *Retrieve) Validate() error { return errors.Join(checkQuery(m.Query), m.validate(true, true)) }

// KindFilter is the kind of a Filter.
const KindFilter Kind = "filter"

// Filter holds a sub-query's passages, to be judged for relevance.
type Filter struct {
	Head
	Query    string    `json:"query"`
	Passages []Passage `json:"passages,omitempty"`
	Degraded []string  `json:"degraded,omitempty"` // searchers and roles that did not help, "name: reason"
	Queries  []string  `json:"queries,omitempty"`  // see Found
}

// Kind returns KindFilter.
func (*Filter) Kind() Kind { return KindFilter }

// Key returns question, round and branch.
func (m *Filter) Key() Key { return Key{ID: m.ID, Round: m.Round, Branch: m.Branch} }

// Validate checks head and query.
func (m *Filter) Validate() error { return errors.Join(checkQuery(m.Query), m.validate(true, true)) }

// KindAlign is the kind of an Align.
const KindAlign Kind = "align"

// Align holds a sub-query's relevant passages, to be cut into windows.
type Align struct {
	Head
	Query    string    `json:"query"`
	Passages []Passage `json:"passages,omitempty"`
	Degraded []string  `json:"degraded,omitempty"` // searchers and roles that did not help, "name: reason"
	Queries  []string  `json:"queries,omitempty"`  // see Found
}

// Kind returns KindAlign.
func (*Align) Kind() Kind { return KindAlign }

// Key returns question, round and branch.
func (m *Align) Key() Key { return Key{ID: m.ID, Round: m.Round, Branch: m.Branch} }

// Validate checks head and query.
func (m *Align) Validate() error { return errors.Join(checkQuery(m.Query), m.validate(true, true)) }

// KindGenerate is the kind of a Generate.
const KindGenerate Kind = "generate"

// Generate asks for an answer. With a branch it concerns one sub-query and
// its windows; without, it concerns the whole question: a straightforward one,
// or the synthesis over the head's pairs.
type Generate struct {
	Head
	Query string `json:"query,omitempty"`
	// Passages are what the sub-query is answered from; Spans are the stretches
	// of them that are nearest to it, scale by scale, best first.
	Passages []Passage `json:"passages,omitempty"`
	Spans    []Span    `json:"spans,omitempty"`
	// Windows are what builds that knew no spans gave instead: the spans' texts,
	// or whole passages.
	Windows []Window `json:"windows,omitempty"`
	// Cut says why the rounds ended before the judge found them enough.
	Cut string `json:"cut,omitempty"`
	// Found are the passages of the windows, where it is known who found them
	// or where they stand; Degraded the searchers and roles that did not help.
	Found    []Find   `json:"found,omitempty"`
	Degraded []string `json:"degraded,omitempty"`
	Queries  []string `json:"queries,omitempty"` // see Found
	// Answered is the sub-query's answer where another question has found it
	// (Pair.Shared). There are no passages then.
	Answered *Pair `json:"answered,omitempty"`
}

// Kind returns KindGenerate.
func (*Generate) Kind() Kind { return KindGenerate }

// Key returns question, round and branch, or the question alone.
func (m *Generate) Key() Key {
	if m.Branch == 0 {
		return Key{ID: m.ID}
	}
	return Key{ID: m.ID, Round: m.Round, Branch: m.Branch}
}

// Remaining is the head's, but the synthesis has the call that was kept back
// for it, whatever was used of tokens.
func (m *Generate) Remaining() Usage {
	left := m.Head.Remaining()
	if m.Branch == 0 && m.Round > 0 {
		left.ModelCalls = max(0, m.Budget.ModelCalls-m.Usage.ModelCalls)
		left.PromptTokens = max(1, left.PromptTokens)
	}
	return left
}

// Validate checks the head, the query where there is a branch, and that the
// spans lie in the passages.
func (m *Generate) Validate() error {
	for i, s := range m.Spans {
		if s.Passage < 0 || s.Passage >= len(m.Passages) || s.From < 0 || s.From >= s.To || s.To > len(m.Passages[s.Passage].Text) {
			return fmt.Errorf("span %d lies in no passage", i+1)
		}
	}
	if m.Branch == 0 {
		if m.Answered != nil {
			return errors.New("a whole question is answered by no sub-query's answer")
		}
		return m.validate(false, false)
	}
	return errors.Join(checkQuery(m.Query), m.validate(true, true))
}

// KindSubanswer is the kind of a Subanswer.
const KindSubanswer Kind = "subanswer"

// Subanswer is what one branch of a round found.
type Subanswer struct {
	Head
	Pair Pair `json:"pair"`
}

// Kind returns KindSubanswer.
func (*Subanswer) Kind() Kind { return KindSubanswer }

// Key returns question, round and branch.
func (m *Subanswer) Key() Key { return Key{ID: m.ID, Round: m.Round, Branch: m.Branch} }

// Validate checks the head.
func (m *Subanswer) Validate() error { return m.validate(true, true) }

// KindJudge is the kind of a Judge.
const KindJudge Kind = "judge"

// Judge is a joined round: the head's pairs include all of its branches.
type Judge struct{ Head }

// Kind returns KindJudge.
func (*Judge) Kind() Kind { return KindJudge }

// Key returns question and round.
func (m *Judge) Key() Key { return Key{ID: m.ID, Round: m.Round} }

// Validate checks the head.
func (m *Judge) Validate() error { return m.validate(true, false) }

func checkQuery(q string) error {
	switch {
	case q == "":
		return errors.New("query is empty")
	case len(q) > 2*MaxQuestion:
		return fmt.Errorf("query has %d bytes; the limit is %d", len(q), 2*MaxQuestion)
	}
	return nil
}

// FirstRetrieve is the one sub-query of a question that needs one retrieval.
func FirstRetrieve(h Head) *Retrieve {
	h.Class, h.Round, h.Branch, h.Branches = Single, 1, 1, 1
	h.Base = h.Usage
	return &Retrieve{Head: h, Query: h.Question}
}

// Retrieves derives the sub-queries from a plan.
func (m *Plan) Retrieves() []Message {
	out := make([]Message, len(m.Queries))
	for i, q := range m.Queries {
		h := m.Head
		h.Branch, h.Branches = i+1, len(m.Queries)
		h.Base = h.Usage
		if len(m.Answers) > 0 {
			h.Part = m.Answers[i]
		}
		out[i] = &Retrieve{Head: h, Query: q}
	}
	return out
}
