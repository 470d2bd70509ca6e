package prompts

// RouterInput asks for the class of a question: straightforward, single,
// compound or complex. Reply: {"class":"single"}.
type RouterInput struct{ Question string }

// Prompt renders router.tmpl.
func (in RouterInput) Prompt() Prompt { return router.render(in) }

// DecomposerInput asks for the independent questions within a question.
// Reply: {"questions":["…","…"]}.
type DecomposerInput struct{ Question string }

// Prompt renders decomposer.tmpl.
func (in DecomposerInput) Prompt() Prompt { return decomposer.render(in) }

// RefinerInput asks for the next question to look up, given what was found so
// far. Reply: {"question":"…"}, empty when nothing more is needed.
type RefinerInput struct {
	Question string
	Pairs    []Pair
}

// Prompt renders refiner.tmpl.
func (in RefinerInput) Prompt() Prompt { return refiner.render(in) }

// RelevanceOneInput asks whether one passage helps. Reply: {"relevant":true}.
type RelevanceOneInput struct {
	Question string
	Passage  Passage
}

// Prompt renders relevance_one.tmpl.
func (in RelevanceOneInput) Prompt() Prompt { return relevanceOne.render(in) }

// RelevanceAllInput asks which passages help. Reply: {"relevant":[2,1]}, the
// numbers counted from 1.
type RelevanceAllInput struct {
	Question string
	Passages []Passage
}

// Prompt renders relevance_all.tmpl.
func (in RelevanceAllInput) Prompt() Prompt { return relevanceAll.render(in) }

// AnswererInput asks for a short answer from whole passages.
// Reply: {"passages":[1],"answer":"…"}, both empty where they do not hold it;
// with "items":[{"passages":[1],"answer":"…"},…] besides, where the question
// asks for several things and there are several.
type AnswererInput struct {
	Question string
	Passages []Passage
}

// Prompt renders answerer.tmpl.
func (in AnswererInput) Prompt() Prompt { return answerer.render(in) }

// ScaleAnswererInput asks for a short answer from windows of one size, cut
// from passages (MGA-RAG). They are laid out as passages. The reply is that
// of AnswererInput.
type ScaleAnswererInput struct {
	Question string
	Excerpts []Passage
}

// Prompt renders scale_answerer.tmpl.
func (in ScaleAnswererInput) Prompt() Prompt { return scaleAnswerer.render(in) }

// FusionInput asks for one answer made of those found at several scales; an
// empty one means that none was found. Lists, whose items stand between "; ",
// become one. Reply: {"answer":"…"}.
type FusionInput struct {
	Question string
	Answers  []string
}

// Prompt renders fusion.tmpl.
func (in FusionInput) Prompt() Prompt { return fusion.render(in) }

// SynthesisInput asks for the final answer to a question, or to each of the
// things it asks, separated by "; ". Reply: {"answer":"…"}, empty where the
// pairs do not allow one.
type SynthesisInput struct {
	Question string
	Pairs    []Pair
}

// Prompt renders synthesis.tmpl.
func (in SynthesisInput) Prompt() Prompt { return synthesis.render(in) }

// DirectInput asks for an answer without documents. Reply: {"answer":"…"},
// empty when the model is not sure.
type DirectInput struct{ Question string }

// Prompt renders direct.tmpl.
func (in DirectInput) Prompt() Prompt { return direct.render(in) }

// JudgeInput asks whether the pairs suffice to answer. Reply: {"enough":false}.
type JudgeInput struct {
	Question string
	Pairs    []Pair
}

// Prompt renders judge.tmpl.
func (in JudgeInput) Prompt() Prompt { return judge.render(in) }
