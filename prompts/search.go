package prompts

// KeywordsInput asks for the words to look a question up with, the most
// telling first. Reply: {"keywords":["…","…"]}.
type KeywordsInput struct{ Question string }

// Prompt renders keywords.tmpl.
func (in KeywordsInput) Prompt() Prompt { return keywords.render(in) }

// Refining is what the three operators on a search are shown: what was
// searched for, a keyword in double quotes being one that every passage must
// hold, and what was found.
type Refining struct {
	Question string
	Keywords []string
	Passages []Passage
}

// ExtendInput asks for a word or name that passages must hold as well.
// Reply: {"word":"…"}, empty where there is none.
type ExtendInput Refining

// Prompt renders extend.tmpl.
func (in ExtendInput) Prompt() Prompt { return extend.render(in) }

// EmphasiseInput asks for the keyword that should count more.
// Reply: {"word":"…"}, empty where none should.
type EmphasiseInput Refining

// Prompt renders emphasise.tmpl.
func (in EmphasiseInput) Prompt() Prompt { return emphasise.render(in) }

// ExcludeInput asks for a word whose passages are not wanted.
// Reply: {"word":"…"}, empty where there is none.
type ExcludeInput Refining

// Prompt renders exclude.tmpl.
func (in ExcludeInput) Prompt() Prompt { return exclude.render(in) }

// VerifyInput asks whether passages hold all that an answer needs.
// Reply: {"sufficient":false}.
type VerifyInput struct {
	Question string
	Passages []Passage
}

// Prompt renders verify.tmpl.
func (in VerifyInput) Prompt() Prompt { return verify.render(in) }

// PseudoDocumentInput asks for a passage as it could stand in the documents,
// given those found so far. Reply: {"text":"…"}.
type PseudoDocumentInput struct {
	Question string
	Passages []Passage
}

// Prompt renders pseudo_document.tmpl.
func (in PseudoDocumentInput) Prompt() Prompt { return pseudo.render(in) }

// HypothesiseInput asks for plausible answers, one statement for each fact.
// Reply: {"statements":["…","…"]}.
type HypothesiseInput struct{ Question string }

// Prompt renders hypothesise.tmpl.
func (in HypothesiseInput) Prompt() Prompt { return hypothesise.render(in) }
