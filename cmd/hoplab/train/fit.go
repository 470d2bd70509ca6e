package train

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"hopstream/messages"
	"hopstream/stages/engine/builtin"
	"hopstream/stages/engine/builtin/linear"
	"hopstream/stages/engine/builtin/read"
	"hopstream/stages/engine/builtin/weights"
	"hopstream/stages/engine/roles"
)

// docsWeight is how often a question over documents counts: there are few of
// them, and they are what the engine is for.
const docsWeight = 4

// inventedWeight is what an answer over documents counts that should not have been
// given, beside one that is merely wrong: there nobody expects it.
const inventedWeight = 2

// folds is in how many parts the examples are divided, each answered by a reader
// that was fitted on the others.
const folds = 4

// Fit returns weights fitted on examples. The same examples give the same
// weights.
func Fit(ctx context.Context, all []*Example) (*weights.Set, error) {
	r := rarity(all)
	w, err := fitReader(ctx, all, r)
	if err != nil {
		return nil, err
	}
	// Each part is answered by a reader that saw the others.
	var answered []answered
	for fold := range uint32(folds) {
		var seen, other []*Example
		for _, x := range all {
			if x.Part(folds, "fold") == fold {
				other = append(other, x)
			} else {
				seen = append(seen, x)
			}
		}
		half, err := fitReader(ctx, seen, r)
		if err != nil {
			return nil, err
		}
		a, err := answer(ctx, half, other)
		if err != nil {
			return nil, err
		}
		answered = append(answered, a...)
	}
	w.Trust = linear.Fit(trustGroups(answered), linear.Options{Epochs: 40, Seen: 60, Rate: 0.03, Seed: 1})
	w.Choice = linear.Fit(choiceGroups(answered), linear.Options{Epochs: 30, Seen: 20, Rate: 0.1, Seed: 1})
	return w, nil
}

// fitReader fits all weights but the trust.
func fitReader(ctx context.Context, all []*Example, r *read.Rarity) (*weights.Set, error) {
	w := &weights.Set{Units: linear.New(), Spans: linear.New(), Forms: linear.New(), Choice: linear.New(), Trust: linear.New(), Rarity: r}
	blank := read.New(w.Units, w.Forms, r)
	w.Forms = linear.Fit(formGroups(blank, all), linear.Options{Epochs: 10, Seen: 4, Seed: 1})
	units, err := each(ctx, all, func(x *Example) []linear.Group {
		if x.Unanswerable {
			return nil
		}
		p := blank.Read(blank.Question(x.Question), textsOf(x.Passages))
		f, at := p.Observed()
		return repeated(x, linear.Group{Members: f, Right: x.rightUnits(p, at)})
	})
	if err != nil {
		return nil, err
	}
	w.Units = linear.Fit(slices.Concat(units...), linear.Options{Seen: 10, Seed: 1})
	// What a span sees of its unit's share comes from weights that saw other
	// examples: on their own they are surer than they may be.
	var by [2]*weights.Set
	for fold := range by {
		other := *w
		other.Units = linear.Fit(slices.Concat(filter(units, func(i int) bool { return all[i].Part(2, "units") != uint32(fold) })...), linear.Options{Seen: 10, Seed: 1})
		by[fold] = &other
	}
	spans, err := each(ctx, all, func(x *Example) []linear.Group {
		if x.Unanswerable || x.All {
			return nil
		}
		o := builtin.Options{Keep: keep, Weights: by[x.Part(2, "units")]}
		texts, f := builtin.Candidates(&o, x.Question, kept(builtin.New(o), x))
		return []linear.Group{{Members: f, Right: x.rightSpans(texts), Source: x.source()}}
	})
	if err != nil {
		return nil, err
	}
	w.Spans = linear.Fit(slices.Concat(spans...), linear.Options{Seen: 20, Seed: 1})
	return w, nil
}

// filter returns the elements whose index passes.
func filter[T any](all []T, passes func(int) bool) (out []T) {
	for i, x := range all {
		if passes(i) {
			out = append(out, x)
		}
	}
	return out
}

// each calls fn for all examples, two at a time, and returns what it made of
// each.
func each[T any](ctx context.Context, all []*Example, fn func(*Example) []T) ([][]T, error) {
	made := make([][]T, len(all))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for i, x := range all {
		g.Go(func() error {
			made[i] = fn(x)
			return ctx.Err()
		})
	}
	err := g.Wait()
	return made, err
}

func repeated(x *Example, g linear.Group) []linear.Group {
	n := 1
	if x.Set == docsSet {
		n = docsWeight
	}
	return slices.Repeat([]linear.Group{g}, n)
}

// rarity counts words in the passages of all examples, each passage once.
func rarity(all []*Example) *read.Rarity {
	seen := map[string]bool{}
	return read.CountRarity(func(yield func(string) bool) {
		for _, x := range all {
			for i := range x.Passages {
				p := &x.Passages[i]
				if id := x.Set + "/" + p.ID; !seen[id] {
					seen[id] = true
					yield(p.Title + ". " + p.Heading + ". " + p.Text)
				}
			}
		}
	})
}

func textsOf(passages []messages.Passage) []read.Text {
	out := make([]read.Text, min(len(passages), depth))
	for i := range out {
		p := &passages[i]
		out[i] = read.Text{ID: p.ID, Title: p.Title, Heading: p.Heading, Text: p.Text}
	}
	return out
}

// kept returns what the engine judges relevant, as windows.
func kept(e *roles.Set, x *Example) (out []messages.Window) {
	passages := x.Passages[:min(len(x.Passages), depth)]
	ok, err := e.Relevant(context.Background(), x.Question, passages)
	for i := range passages {
		if p := &passages[i]; err == nil && ok[i] {
			out = append(out, messages.Window{Passage: p.ID, Title: p.Title, Heading: p.Heading, Text: p.Text, Score: p.Score})
		}
	}
	return out
}

// withheld returns an example without the passages that answer it, and without
// others that have an answer; nil if nothing is known of them.
func (x *Example) withheld() *Example {
	if x.Unanswerable || len(x.Gold)+len(x.Quotes) == 0 {
		return nil
	}
	y := *x
	y.Unanswerable, y.Passages = true, nil
	for _, p := range x.Passages {
		if x.Gold[p.ID] || len(x.Quotes) > 0 && quotes(p.Text, x.Quotes) || x.rightAnswer(p.Title+" "+p.Text, true) > 0 {
			continue
		}
		y.Passages = append(y.Passages, p)
	}
	return &y
}

// answered is an example with the ways in which it would be answered.
type answered struct {
	x     *Example
	tries []builtin.Attempt
	right []float32
}

// answer tries to answer examples with an engine of weights w: each, and a third of
// them once more without the passages that answer them.
func answer(ctx context.Context, w *weights.Set, all []*Example) ([]answered, error) {
	o := builtin.Options{Keep: keep, Weights: w}
	e := builtin.New(o)
	made, err := each(ctx, all, func(x *Example) (out []answered) {
		ask := []*Example{x}
		if y := x.withheld(); y != nil && (x.Set == docsSet || x.Part(3, "withheld") == 0) {
			ask = append(ask, y)
		}
		for _, x := range ask {
			a := answered{x: x, tries: builtin.Attempts(&o, x.Question, kept(e, x))}
			for _, t := range a.tries {
				a.right = append(a.right, x.rightAnswer(t.Text, t.Prose))
			}
			out = append(out, a)
		}
		return out
	})
	return slices.Concat(made...), err
}

// trustGroups are attempts, and whether they are right.
func trustGroups(all []answered) (out []linear.Group) {
	for i := range all {
		for k := range all[i].tries {
			right := all[i].right[k]
			if all[i].x.All { // a list that has some of the items is an answer
				right = yes(right > 0)
			}
			g := builtin.Trusted(&all[i].tries[k], right)
			if all[i].x.Unanswerable && all[i].x.Set == docsSet {
				g.Weight = inventedWeight
			}
			out = append(out, repeated(all[i].x, g)...)
		}
	}
	return out
}

// choiceGroups are the questions that can be answered with a span and in
// sentences, and which of them is to be said: the span, and over documents as
// people have them, whichever is right.
func choiceGroups(all []answered) (out []linear.Group) {
	for i := range all {
		a := &all[i]
		if len(a.tries) != 2 {
			continue
		}
		g := linear.Group{Right: make([]float32, 2)}
		for k, t := range a.tries {
			g.Members = append(g.Members, t.Doubts)
			if !t.Prose || a.x.Set == docsSet {
				g.Right[k] = a.right[k]
			}
		}
		out = append(out, repeated(a.x, g)...)
	}
	return out
}

// formGroups returns the examples whose form of answer is known.
func formGroups(r *read.Reader, all []*Example) (out []linear.Group) {
	counted := map[string]int{}
	for _, x := range all {
		q := r.Question(x.Question)
		form, ok := formOf(x, q)
		if !ok {
			continue
		}
		if x.Set != docsSet {
			if counted[x.Set]++; counted[x.Set] > 400 {
				continue
			}
		}
		f := q.FormFeatures()
		g := linear.Group{Members: slices.Clone(f[:]), Right: make([]float32, read.Forms)}
		g.Right[form] = 1
		out = append(out, repeated(x, g)...)
	}
	return out
}

// kinds are the forms that kinds of questions over documents ask for.
var kinds = map[string]read.Form{
	"fact": read.Span, "which": read.Span, "number": read.Span, "list": read.List, "yesno": read.YesNo,
	"howto": read.Steps, "why": read.Reason, "definition": read.Definition, "code": read.Code,
}

// formOf returns the form that an example's answers have: of documents by their
// kind, of other sets a span, if the answers are short.
func formOf(x *Example, q *read.Question) (read.Form, bool) {
	if x.Set == docsSet {
		f, ok := kinds[x.Kind]
		return f, ok
	}
	if x.All {
		return read.List, q.Wh != "why" && q.Wh != "how"
	}
	short := slices.ContainsFunc(x.Answers, func(a string) bool { return len(a) > 0 && len(a) < 40 })
	return read.Span, short && q.Wh != "why" && !x.Unanswerable
}
