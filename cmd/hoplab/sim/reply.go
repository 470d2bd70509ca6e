package sim

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// sure is the confidence of a reply that the engine gives none for, and of a
// pair or answer that a prompt shows.
const sure = 0.9

// task is what a prompt of the roles' table asks, and the shape of its reply.
type task struct {
	roles.Prompt
	shape shape
}

// tasks are those of all roles, by the prompts' names.
func tasks() map[string]*task {
	out := map[string]*task{}
	for _, row := range roles.Table() {
		for _, p := range row.Prompts {
			out[p.Name] = &task{p, shapeOf(prompts.Render(p.Name, prompts.Data{}).System)}
		}
	}
	return out
}

// reply asks the engine what the prompt asks, and returns the object that the
// prompt's system text describes, or a text where no JSON is wanted; with the
// engine's confidence.
func (s *Server) reply(ctx context.Context, p *prompt) (reply string, confidence float64, err error) {
	t := s.tasks[p.role]
	if t == nil {
		f, err := s.engine.Direct(ctx, p.plain)
		if !p.schema {
			return cmp.Or(f.Text, "I do not know."), confident(f), err
		}
		answer := shape{fields: []field{{key: "answer", kind: '"'}}}
		return answer.write(&said{text: f.Text}), confident(f), err
	}
	answer, err := t.Ask(ctx, s.engine, shown(&p.data))
	if err != nil {
		return "", 0, err
	}
	confidence = sure
	if f, ok := answer.(messages.Finding); ok {
		confidence = confident(f)
	}
	return t.shape.write(t.shape.say(answer, &p.data)), confidence, nil
}

// classifying is e, but told no class, which no prompt shows, it finds out
// whether a question has several parts and each wants its answer.
func classifying(e roles.Engine) *roles.Set {
	set := roles.Of(e)
	set.SynthesizeFunc = func(ctx context.Context, q string, class messages.Class, pairs []messages.Pair) (messages.Finding, error) {
		if class == "" {
			var err error
			if class, err = e.Classify(ctx, q); err != nil {
				return messages.Finding{}, err
			}
			if class != messages.Compound {
				class = messages.Complex
			}
		}
		return e.Synthesize(ctx, q, class, pairs)
	}
	return set
}

// shown is what a prompt shows, as an engine takes it.
func shown(d *prompts.Data) *roles.Shown {
	return &roles.Shown{Question: d.Question, Pairs: pairs(d.Pairs), Passages: retrieved(d.Passages), Windows: windows(d.Passages),
		Findings: findings(d.Answers), Answers: d.Answers, Keywords: d.Keywords, Plan: d.Plan, Problem: d.Problem, Prediction: d.Prediction, Golds: d.Answers}
}

// listed is a list of texts as a model says it: a plan that stays as it is is
// not said again, and to a question alone there is always something to say.
func listed(texts []string, d *prompts.Data) []string {
	switch {
	case len(d.Plan) > 0 && slices.Equal(texts, d.Plan):
		return nil
	case len(texts) == 0 && len(d.Plan) == 0 && len(d.Pairs) == 0:
		return []string{d.Question}
	}
	return texts
}

// helpful are the numbers of the passages that an engine finds relevant and
// that have anything to do with the question.
func helpful(verdict []bool, d *prompts.Data) (out []int) {
	for i, yes := range verdict {
		if yes && i < len(d.Passages) && d.Passages[i].Text != "" && shareWord(d.Question, d.Passages[i]) {
			out = append(out, i+1)
		}
	}
	return out
}

// shareWord reports whether question and passage have a longer word in common.
// An engine that picks the best of a few has nothing to compare them with.
func shareWord(question string, p prompts.Passage) bool {
	in := wordsOf(p.Title + " " + p.Text)
	for w := range wordsOf(question) {
		if len(w) >= 4 && in[w] > 0 && !asking[w] {
			return true
		}
	}
	return false
}

// wordsOf are the words of a text, in lower case, each with a weight of 1.
func wordsOf(text string) map[string]int {
	out := map[string]int{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		out[w] = 1
	}
	return out
}

var asking = map[string]bool{
	"what": true, "when": true, "where": true, "which": true, "whom": true, "whose": true, "that": true, "this": true,
	"from": true, "with": true, "were": true, "have": true, "does": true, "many": true, "much": true, "been": true,
}

func windows(passages []prompts.Passage) []messages.Window {
	out := make([]messages.Window, len(passages))
	for i, p := range passages {
		out[i] = messages.Window{Passage: strconv.Itoa(i + 1), Title: p.Title, Heading: p.Heading, Text: p.Text, Score: 1 / float64(i+1)}
	}
	return out
}

// retrieved are the passages that a prompt shows, as a search returns them.
func retrieved(passages []prompts.Passage) []messages.Passage {
	out := make([]messages.Passage, len(passages))
	for i, p := range passages {
		out[i] = messages.Passage{ID: strconv.Itoa(i + 1), Title: p.Title, Text: p.Text, Rank: i + 1, Place: messages.Place{Heading: p.Heading}}
	}
	return out
}

// numbers are those of the passages, findings or answers that a text comes from.
func numbers(text string, sources []messages.Source) (out []int) {
	if text == "" {
		return nil
	}
	for _, s := range sources {
		if n, err := strconv.Atoi(s.ID); err == nil {
			out = append(out, n)
		}
	}
	return out
}

func pairs(in []prompts.Pair) []messages.Pair {
	out := make([]messages.Pair, len(in))
	for i, p := range in {
		out[i] = messages.Pair{Round: i + 1, Branch: 1, Question: p.Question, Answer: p.Answer, Confidence: sure, Sources: numbered(i)}
	}
	return out
}

func findings(answers []string) []messages.Finding {
	out := make([]messages.Finding, len(answers))
	for i, a := range answers {
		out[i] = messages.Finding{Text: a, Confidence: sure, Sources: numbered(i)}
	}
	return out
}

// numbered is the source of what stands at i in a prompt: its number.
func numbered(i int) []messages.Source { return []messages.Source{{ID: strconv.Itoa(i + 1)}} }

func confident(f messages.Finding) float64 {
	return min(max(f.Confidence, 0.05), 0.99)
}
