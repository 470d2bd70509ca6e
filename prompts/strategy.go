package prompts

// PlannerInput asks for the sub-questions that a complex question takes, where
// $1 stands for the answer of the first (MGA-RAG).
// Reply: {"questions":["…","… $1 …"]}.
type PlannerInput struct{ Question string }

// Prompt renders planner.tmpl.
func (in PlannerInput) Prompt() Prompt { return planner.render(in) }

// ReviserInput asks whether the first sub-question of a plan is sound
// (MGA-RAG). Reply: {"questions":[]} if it is, else the plan anew.
type ReviserInput struct {
	Question string
	Plan     []string
}

// Prompt renders reviser.tmpl.
func (in ReviserInput) Prompt() Prompt { return reviser.render(in) }

// RepairInput asks for a plan in the place of one that could not be followed.
// Reply: {"questions":["…","… $1 …"]}, empty where there is none better.
type RepairInput struct {
	Question string
	Plan     []string
	Pairs    []Pair
	Problem  string // why it could not be followed
}

// Prompt renders repair.tmpl.
func (in RepairInput) Prompt() Prompt { return repair.render(in) }

// SupplementerInput asks for the queries that are missing, given what was
// found (LevelRAG); without pairs, for those to begin with.
// Reply: {"queries":["…","…"]}, empty where nothing is missing.
type SupplementerInput struct {
	Question string
	Pairs    []Pair
}

// Prompt renders supplementer.tmpl.
func (in SupplementerInput) Prompt() Prompt { return supplementer.render(in) }

// SummariserInput asks for one sentence that answers a question from passages
// or windows cut from them (LevelRAG). Reply: {"passages":[1],"summary":"…"},
// both empty where they say nothing of it.
type SummariserInput struct {
	Question string
	Passages []Passage
}

// Prompt renders summariser.tmpl.
func (in SummariserInput) Prompt() Prompt { return summariser.render(in) }

// EquivalenceInput asks whether a prediction means the same as one of the
// answers known to be right (MGA-RAG's accuracy). Reply: {"same":false}.
type EquivalenceInput struct {
	Question   string
	Golds      []string
	Prediction string
}

// Prompt renders equivalence.tmpl.
func (in EquivalenceInput) Prompt() Prompt { return equivalence.render(in) }
