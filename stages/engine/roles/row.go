package roles

import (
	"context"
	"slices"
)

// Row is a row of the table of roles.
type Row struct {
	Role Role
	// About says in a line what the role does.
	About string
	// By are those who ask it; a role that none asks is the evaluation's.
	By []Asker
	// Prompts are what a model is asked for the role; the embedder has none.
	Prompts []Prompt
	// take sets the functions of a Set that answer the role's questions.
	take func(to *Set, from source)
}

// Take lets from answer the role's questions in to.
func (r *Row) Take(to *Set, from Engine) { r.take(to, source{first: from}) }

// TakeOr does the same, and where from fails with an error for which unusable is
// true, otherwise answers the question.
func (r *Row) TakeOr(to *Set, from, otherwise Engine, unusable func(context.Context, error) bool) {
	r.take(to, source{from, otherwise, unusable})
}

// OfSearchers reports whether only searchers ask the role: they go on without it.
func (r *Row) OfSearchers() bool {
	return len(r.By) > 0 && !slices.ContainsFunc(r.By, func(a Asker) bool { return a.Searcher == "" })
}

// Names returns the names of all roles, in the table's order.
func Names() []Role {
	var out []Role
	for _, r := range Table() {
		out = append(out, r.Role)
	}
	return out
}

// Of returns e's functions as a Set.
func Of(e Engine) *Set {
	s := &Set{}
	for _, r := range Table() {
		r.Take(s, e)
	}
	return s
}

// source is where a Set's functions come from: an engine, and another one for
// what it could not answer.
type source struct {
	first, second Engine
	unusable      func(context.Context, error) bool // nil: never
}

func (s *source) failed(ctx context.Context, err error) bool {
	return err != nil && s.unusable != nil && s.unusable(ctx, err)
}

// from1 is a question of one argument, asked of a source; from2 to from4 are
// those of more.
func from1[A, T any](s source, ask func(Engine, context.Context, A) (T, error)) func(context.Context, A) (T, error) {
	return func(ctx context.Context, a A) (T, error) {
		v, err := ask(s.first, ctx, a)
		if s.failed(ctx, err) {
			return ask(s.second, ctx, a)
		}
		return v, err
	}
}

func from2[A, B, T any](s source, ask func(Engine, context.Context, A, B) (T, error)) func(context.Context, A, B) (T, error) {
	return func(ctx context.Context, a A, b B) (T, error) {
		v, err := ask(s.first, ctx, a, b)
		if s.failed(ctx, err) {
			return ask(s.second, ctx, a, b)
		}
		return v, err
	}
}

func from3[A, B, C, T any](s source, ask func(Engine, context.Context, A, B, C) (T, error)) func(context.Context, A, B, C) (T, error) {
	return func(ctx context.Context, a A, b B, c C) (T, error) {
		v, err := ask(s.first, ctx, a, b, c)
		if s.failed(ctx, err) {
			return ask(s.second, ctx, a, b, c)
		}
		return v, err
	}
}

func from4[A, B, C, D, T any](s source, ask func(Engine, context.Context, A, B, C, D) (T, error)) func(context.Context, A, B, C, D) (T, error) {
	return func(ctx context.Context, a A, b B, c C, d D) (T, error) {
		v, err := ask(s.first, ctx, a, b, c, d)
		if s.failed(ctx, err) {
			return ask(s.second, ctx, a, b, c, d)
		}
		return v, err
	}
}
