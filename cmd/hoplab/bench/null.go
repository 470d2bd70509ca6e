package bench

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hopstream/cmd/internal/session"
	"hopstream/messages"
	"hopstream/stages/engine/roles"
	"hopstream/stages/engine/scripted"
)

// nullEngine does nothing, in the class that a question's first word names. A
// complex question takes two rounds of one sub-query, by any strategy.
func nullEngine() *scripted.Engine {
	passages := make([]messages.Passage, 3)
	for i := range passages {
		passages[i] = messages.Passage{ID: fmt.Sprintf("p%d", i), Title: "A passage", Text: strings.Repeat("words ", 20), Rank: i + 1}
	}
	return &scripted.Engine{
		SearchFunc: func(context.Context, string, int) ([]messages.Passage, error) { return passages, nil },
		Set: roles.Set{
			ClassifyFunc: func(_ context.Context, q string) (messages.Class, error) {
				class, _, _ := strings.Cut(q, " ")
				return messages.Class(class), nil
			},
			SplitFunc: func(_ context.Context, q string) ([]string, error) {
				return []string{q + " first part", q + " second part", q + " third part"}, nil
			},
			RefineFunc: func(_ context.Context, q string, pairs []messages.Pair) (string, error) {
				return fmt.Sprintf("%s step %d", q, len(pairs)+1), nil
			},
			PlanFunc: func(_ context.Context, q string) ([]string, error) {
				return []string{q + " step 1", q + " step 2, after $1"}, nil
			},
			AtomiseFunc: func(_ context.Context, q string) ([]string, error) { return []string{q + " step 1"}, nil },
			SupplementFunc: func(_ context.Context, q string, pairs []messages.Pair) ([]string, error) {
				return []string{fmt.Sprintf("%s step %d", q, len(pairs)+1)}, nil
			},
			EnoughFunc:   twoPairs,
			CompleteFunc: twoPairs,
		},
	}
}

func twoPairs(_ context.Context, _ string, pairs []messages.Pair) (bool, error) {
	return len(pairs) >= 2, nil
}

// nullQuestions returns n questions of a profile; a mix has as many of each
// class but straightforward ones.
func nullQuestions(profile string, n int) []messages.Question {
	classes := []string{profile}
	if profile == "mix" {
		classes = []string{"single", "compound", "complex"}
	}
	out := make([]messages.Question, n)
	for i := range out {
		out[i].Question = fmt.Sprintf("%s question number %d about nothing in particular?", classes[i%len(classes)], i)
	}
	return out
}

func nowMS() float64 { return float64(time.Now().UnixNano()) / 1e6 }

// hop is one kind of message of a question: how many of them, of which size.
type hop struct {
	kind  messages.Kind
	round int
	fan   int
	bytes int
}

// shapeOf reads which messages, and of which size, the given questions
// consisted of. The plan is left out: it is the pipeline's own cost.
func shapeOf(ctx context.Context, s *session.Session, ids []string) ([]hop, error) {
	var shape []hop
	at := map[[2]string]int{}
	for _, id := range ids {
		trace, err := s.Log.Trace(ctx, id)
		if err != nil {
			return nil, err
		}
		// The question's own message is gone once it is answered.
		trace = append(trace[:len(trace):len(trace)], nil)
		for _, st := range trace {
			kind, key := messages.KindQuestion, messages.Key{ID: id}
			size := 90
			if st != nil {
				if kind, key, err = s.Conn.Names.Parse(st.Subject); err != nil {
					return nil, err
				}
				if kind == messages.KindQuestion || kind == messages.KindPlan {
					continue
				}
				size = len(st.Data)
			}
			k := [2]string{string(kind), fmt.Sprint(key.Round)}
			i, ok := at[k]
			if !ok {
				i = len(shape)
				at[k] = i
				shape = append(shape, hop{kind: kind, round: key.Round})
			}
			shape[i].fan++
			shape[i].bytes += size
		}
	}
	for i := range shape {
		shape[i].bytes /= shape[i].fan
		shape[i].fan = (shape[i].fan + len(ids) - 1) / len(ids)
	}
	return order(shape), nil
}

// order sorts hops as a question meets them.
func order(shape []hop) []hop {
	rank := map[messages.Kind]int{}
	for i, k := range messages.Kinds() {
		rank[k] = i
	}
	less := func(a, b hop) bool {
		if a.kind == messages.KindQuestion || b.kind == messages.KindQuestion {
			return a.kind == messages.KindQuestion && b.kind != messages.KindQuestion
		}
		last := func(h hop) bool { return h.round == 0 }
		if last(a) != last(b) {
			return last(b)
		}
		if a.round != b.round {
			return a.round < b.round
		}
		return rank[a.kind] < rank[b.kind]
	}
	for i := range shape {
		for j := i; j > 0 && less(shape[j], shape[j-1]); j-- {
			shape[j], shape[j-1] = shape[j-1], shape[j]
		}
	}
	return shape
}
