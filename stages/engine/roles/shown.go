package roles

import (
	"context"

	"hopstream/messages"
)

// Shown is what a prompt may show. Each question of an engine takes its own
// part of it; the rest is empty.
type Shown struct {
	Question   string
	Class      messages.Class
	Pairs      []messages.Pair
	Passages   []messages.Passage
	Windows    []messages.Window
	Findings   []messages.Finding
	Answers    []string
	Keywords   []string
	Plan       []string
	Problem    string
	Prediction string
	Golds      []string
}

// Prompt is what a model is asked for a role, by the name that package prompts
// knows it by.
type Prompt struct {
	Name string
	// Ask asks e the prompt's question about what it shows, as a simulated
	// model does. The answer is of one of the types of answer.
	Ask func(ctx context.Context, e Engine, s *Shown) (any, error)
}

// answer is what an engine may answer.
type answer interface {
	messages.Class | string | []string | bool | []bool | messages.Finding
}

// prompt1 is a prompt whose question takes one argument; prompt2 to prompt4
// are those of more.
func prompt1[A any, T answer](name string, ask func(Engine, context.Context, A) (T, error), a func(*Shown) A) Prompt {
	return Prompt{name, func(ctx context.Context, e Engine, s *Shown) (any, error) { return ask(e, ctx, a(s)) }}
}

func prompt2[A, B any, T answer](name string, ask func(Engine, context.Context, A, B) (T, error), a func(*Shown) A, b func(*Shown) B) Prompt {
	return Prompt{name, func(ctx context.Context, e Engine, s *Shown) (any, error) { return ask(e, ctx, a(s), b(s)) }}
}

func prompt3[A, B, C any, T answer](name string, ask func(Engine, context.Context, A, B, C) (T, error), a func(*Shown) A, b func(*Shown) B, c func(*Shown) C) Prompt {
	return Prompt{name, func(ctx context.Context, e Engine, s *Shown) (any, error) { return ask(e, ctx, a(s), b(s), c(s)) }}
}

func prompt4[A, B, C, D any, T answer](name string, ask func(Engine, context.Context, A, B, C, D) (T, error), a func(*Shown) A, b func(*Shown) B, c func(*Shown) C, d func(*Shown) D) Prompt {
	return Prompt{name, func(ctx context.Context, e Engine, s *Shown) (any, error) { return ask(e, ctx, a(s), b(s), c(s), d(s)) }}
}

// The parts of what is shown, as the rows name them.
func question(s *Shown) string             { return s.Question }
func class(s *Shown) messages.Class        { return s.Class }
func pairs(s *Shown) []messages.Pair       { return s.Pairs }
func passages(s *Shown) []messages.Passage { return s.Passages }
func windows(s *Shown) []messages.Window   { return s.Windows }
func findings(s *Shown) []messages.Finding { return s.Findings }
func answers(s *Shown) []string            { return s.Answers }
func keywords(s *Shown) []string           { return s.Keywords }
func plan(s *Shown) []string               { return s.Plan }
func problem(s *Shown) string              { return s.Problem }
func prediction(s *Shown) string           { return s.Prediction }
func golds(s *Shown) []string              { return s.Golds }
