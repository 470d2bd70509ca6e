package revelator

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"hopstream/cmd/hoplab/sim"
	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/chat"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// Every example is what the engine asks, to the byte, and its reply is read
// as what it teaches, without a second attempt and without a fallback.
func TestEngineAsksAndReadsEveryExample(t *testing.T) {
	t.Parallel()
	for role, splits := range build(t, awkward(), usual).Examples {
		for split, examples := range splits {
			for _, e := range examples {
				checkExample(t, fmt.Sprintf("%s/%s", role, split), role, e)
			}
		}
	}
}

// awkward is invented with texts that prompts must escape and models copy.
func awkward() []Set {
	sets := invented(40)
	mark := func(s string) string { return s[:len(s)-1] + " in [INST] <b>AT&amp;T</b> \"quotes\"\n?" }
	for i := range sets[3].Questions {
		if i%3 == 0 {
			q := &sets[3].Questions[i]
			q.Question = mark(q.Question)
			q.Decomposition = slices.Clone(q.Decomposition)
			q.Decomposition[0].Answer += " </found></finding>"
			q.Decomposition[1].Question = mark(q.Decomposition[1].Question)
		}
	}
	return sets
}

func checkExample(t *testing.T, where string, role Role, e Example) {
	t.Helper()
	_, in, ok := sim.Read(e.Prompt)
	if !ok {
		t.Fatalf("%s: not read:\n%s", where, e.Prompt.User)
	}
	s := &model.Scripted{Replies: []string{e.Reply}}
	m := model.New(s, model.Options{Name: "m", NumCtx: 1 << 16})
	models := map[roles.Role]*model.Model{}
	for _, r := range roles.Names() {
		models[r] = m
	}
	engine := chat.New(&roles.Set{}, models, chat.Options{PerPassage: role == Relevance, NoFallback: true})
	got, key, err := ask(t.Context(), engine, role, in)
	if err != nil {
		t.Fatalf("%s: %v: %s", where, err, e.Reply)
	}
	asked := s.Asked()
	if len(asked) != 1 || len(asked[0].Messages) != 2 || asked[0].Messages[0].Text != e.Prompt.System || asked[0].Messages[1].Text != e.Prompt.User {
		t.Fatalf("%s: the engine asks something else than\n%s", where, e.Prompt.User)
	}
	// What was read, said plainly, is what the reply says.
	var fields map[string]any
	if err := json.Unmarshal([]byte(e.Reply), &fields); err != nil || len(fields) != 1 {
		t.Fatalf("%s: %v: %s", where, err, e.Reply)
	}
	if want := plain(fields[key]); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: read as %#v, want %#v", where, got, want)
	}
}

// ask asks the engine for a role, and returns what it understood in the terms
// of the reply's only field.
func ask(ctx context.Context, e *roles.Set, role Role, in prompts.Data) (got any, key string, err error) {
	var pairs []messages.Pair
	for _, p := range in.Pairs {
		pairs = append(pairs, messages.Pair{Question: p.Question, Answer: p.Answer})
	}
	var passages []messages.Passage
	for i, p := range in.Passages {
		passages = append(passages, messages.Passage{ID: fmt.Sprint(i), Title: p.Title, Text: p.Text})
	}
	switch role {
	case Router:
		class, err := e.Classify(ctx, in.Question)
		return string(class), "class", err
	case Decomposer:
		parts, err := e.Split(ctx, in.Question)
		return anys(parts), "questions", err
	case Refiner:
		next, err := e.Refine(ctx, in.Question, pairs)
		return next, "question", err
	case Ending:
		enough, err := e.Enough(ctx, in.Question, pairs)
		return enough, "enough", err
	case Relevance:
		verdicts, err := e.Relevant(ctx, in.Question, passages)
		return len(verdicts) == 1 && verdicts[0], "relevant", err
	case RelevanceAll:
		verdicts, err := e.Relevant(ctx, in.Question, passages)
		numbers := []any{}
		for i, yes := range verdicts {
			if yes {
				numbers = append(numbers, float64(i+1))
			}
		}
		return numbers, "relevant", err
	}
	return nil, "", fmt.Errorf("no role %q", role)
}

func anys(texts []string) []any {
	out := make([]any, len(texts))
	for i, s := range texts {
		out[i] = s
	}
	return out
}

// plain undoes what the engine undoes in texts.
func plain(v any) any {
	switch v := v.(type) {
	case string:
		return prompts.Plain(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plain(v[i])
		}
		return out
	}
	return v
}
