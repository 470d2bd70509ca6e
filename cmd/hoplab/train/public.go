package train

import (
	"context"
	"fmt"
	"strings"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/messages"
)

// Public returns the examples of a data set (see dataset.Open): its questions,
// as they are and in the other words that the folder of paraphrases has for them,
// or the gold steps of those that have several, with their placeholders filled.
func Public(ctx context.Context, path, paraphrases string) ([]*Example, error) {
	set, err := dataset.Open(path, 0)
	if err != nil {
		return nil, err
	}
	other, err := dataset.OtherWords(paraphrases, set.Name)
	if err != nil {
		return nil, err
	}
	s, err := newShelf()
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var batch []messages.Document
	at := uint64(0)
	store := func() error {
		at += uint64(len(batch))
		err := s.put(ctx, batch, at)
		batch = batch[:0]
		return err
	}
	for d, err := range set.Documents() {
		if err != nil {
			return nil, err
		}
		if batch = append(batch, messages.Document{ID: d.ID, Title: d.Title, Text: d.Text}); len(batch) == 1000 {
			if err := store(); err != nil {
				return nil, err
			}
		}
	}
	if err := store(); err != nil {
		return nil, err
	}
	var out []*Example
	for i := range set.Questions {
		q := &set.Questions[i]
		steps := stepsOf(set.Name, q)
		if text := other[q.ID]; text != "" && len(steps) > 0 && steps[0].ID == q.ID {
			y := *steps[0]
			y.Question = text
			steps = append(steps, &y)
		}
		for _, x := range steps {
			if err := s.find(ctx, x); err != nil {
				return nil, fmt.Errorf("%s: %w", x.ID, err)
			}
			out = append(out, x)
		}
	}
	return out, nil
}

// manySteps reports whether the passages that support a question are steps to
// its answer, not alternatives: some of them have none of the answers.
func manySteps(q *dataset.Question) bool {
	return q.Class == messages.Complex || q.Type == "bridge" || q.Type == "comparison"
}

// whole returns a question of several steps as one example, unless it compares:
// what compares has its answer in no text.
func whole(set string, q *dataset.Question) []*Example {
	if q.Type == "comparison" || q.Type == "bridge_comparison" || len(q.Answers) == 0 || q.Unanswerable {
		return nil
	}
	x := &Example{Set: set + wholes, ID: q.ID, Whole: q.ID, Kind: q.Type, Question: q.Question, Answers: q.Answers, All: q.List, Gold: map[string]bool{}}
	for _, id := range q.Supporting {
		x.Gold[id] = true
	}
	return []*Example{x}
}

// stepsOf returns the examples of one question: its steps, and itself. Steps that are facts in the
// notation of knowledge bases are asked as they are.
func stepsOf(set string, q *dataset.Question) []*Example {
	if q.Unanswerable || len(q.Decomposition) == 0 {
		if len(q.Answers) == 0 && !q.Unanswerable {
			return nil
		}
		x := &Example{Set: set, ID: q.ID, Kind: q.Type, Question: q.Question, Answers: q.Answers, All: q.List, Unanswerable: q.Unanswerable}
		x.Gold = map[string]bool{}
		for _, id := range q.Supporting {
			x.Gold[id] = true
		}
		if len(q.Supporting) > 1 && manySteps(q) { // steps that are not known
			return whole(set, q)
		}
		return []*Example{x}
	}
	out := whole(set, q)
	for i, d := range q.Decomposition {
		text := d.Question
		for k := range i {
			text = strings.ReplaceAll(text, fmt.Sprint("#", k+1), q.Decomposition[k].Answer)
		}
		if strings.Contains(text, "#") || d.Answer == "" || d.Support == "" {
			continue
		}
		out = append(out, &Example{Set: set, ID: fmt.Sprint(q.ID, ".", i+1), Whole: q.ID, Question: text, Answers: []string{d.Answer}, Gold: map[string]bool{d.Support: true}})
	}
	return out
}
