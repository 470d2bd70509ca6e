package prompts

// Data is what a prompt may show. A template names the fields that it shows; each
// is a section, in the order of the fields here.
type Data struct {
	Passages []Passage
	Pairs    []Pair   // what was looked up so far
	Answers  []string // found at several scales, or known to be right
	Keywords []string
	Plan     []string

	Entity    string   // what questions are to be about
	Questions []string // about it

	Problem    string // why the plan could not be followed
	Prediction string // an answer, to be compared with those known to be right

	Question string
}

// Passage is a retrieved text, or a window cut from one. Heading is the path of
// the section that it stands in. Passages are numbered from 1 in their order.
type Passage struct{ Title, Heading, Text string }

// Pair is a sub-question and its answer; an empty Answer means that none was
// found, which a model is told in words.
type Pair struct{ Question, Answer string }
