package chat

import (
	"strconv"
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// maxSystem bounds a prompt's constant part, in estimated tokens: a server keeps it
// in its prefix cache, but a small context has to hold it too.
const maxSystem = 1300

// usual is as much as a question usually shows: ten passages, three windows of each
// length, two rounds.
func usual(prompt, word string) *roles.Shown {
	s := shown(prompt)
	s.Question = "Where was the designer of " + word + " born?"
	text := strings.Repeat("The plans of "+word+" were drawn by hand. ", 24)
	s.Passages, s.Windows = nil, nil
	scale := 0
	if prompt == "scale_answerer" {
		scale = 250
	}
	for i := range 10 {
		id := strconv.Itoa(i)
		s.Passages = append(s.Passages, messages.Passage{ID: id, Title: word, Text: text})
		s.Windows = append(s.Windows, messages.Window{Passage: id, Title: word, Text: text[:250], Scale: scale})
	}
	if prompt == "relevance_one" {
		s.Passages = s.Passages[:1]
	}
	s.Answers, s.Keywords = []string{word + " was drawn by hand."}, []string{word}
	return s
}

// TestPrefixIsReused holds that what a model receives begins with a text that is the
// same for all calls of a prompt, so that a server works it out once; all data comes
// after it. With -v it tells how much of a usual call that is.
func TestPrefixIsReused(t *testing.T) {
	t.Parallel()
	for _, row := range roles.Table() {
		for _, p := range row.Prompts {
			var calls [2]*model.Chat
			for i, word := range []string{"Quorlax", "Vimbrel"} {
				s := &model.Scripted{Replies: []string{`{}`}}
				e := New(&roles.Set{}, allBy(model.New(s, model.Options{Name: "m", NumCtx: 8192})), Options{NoFallback: true, PerPassage: p.Name == "relevance_one"})
				_, _ = p.Ask(t.Context(), e, usual(p.Name, word)) // the reply is no answer
				calls[i] = s.Asked()[0]
				if turns := calls[i].Messages; len(turns) != 2 || turns[0].Role != "system" || turns[1].Role != "user" ||
					strings.Contains(turns[0].Text, word) || !strings.Contains(turns[1].Text, word) {
					t.Errorf("%s: the data is not in the second message alone: %+v", p.Name, turns)
				}
			}
			if calls[0].Messages[0] != calls[1].Messages[0] || string(calls[0].Schema) != string(calls[1].Schema) {
				t.Errorf("%s: differs before its data:\n%+v\n%+v", p.Name, calls[0], calls[1])
			}
			constant, all := model.Estimate(calls[0].Messages[:1]), model.Estimate(calls[0].Messages)
			t.Logf("%-16s %4d of %4d tokens, %2d %%", p.Name, constant, all, 100*constant/all)
			if constant > maxSystem {
				t.Errorf("%s: %d tokens are constant", p.Name, constant)
			}
		}
	}
}
