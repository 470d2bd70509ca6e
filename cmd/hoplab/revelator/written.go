package revelator

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/revelator/draw"
	"hopstream/cmd/hoplab/revelator/teacher"
	"hopstream/cmd/hoplab/score"
	"hopstream/messages"
)

// writer writes questions; ok is false where it could not.
type writer interface {
	Question(ctx context.Context, about teacher.Thing, p messages.Passage) (w teacher.Written, ok bool, err error)
	Combine(ctx context.Context, about teacher.Thing, parts []teacher.Written) (question string, ok bool, err error)
}

// HANRAG's numbers (B.1).
const (
	DefaultEntities  = 10_000 // things drawn
	DefaultPerEntity = 10     // passages of each, and so questions
)

// WriteOptions say what to have written.
type WriteOptions struct {
	CompoundOptions
	Entities  int  // things to ask about, at most
	PerEntity int  // passages of each, at most
	Names     bool // names in the text are things, too, not only titles
	AtOnce    int  // things worked on at a time
	// Progress is told how many of the things are done, 0 at first; nobody where nil.
	Progress func(done, total int)
}

// WriteCompounds has the paper's benchmark written (HANRAG B.1): of each thing up
// to ten passages, of each passage one simple question, and of the questions about
// one thing two to four combined, if the writer finds that they can be. Every
// simple question is used once, so that no two compound questions share a part;
// the paper draws them again. The same replies give the same benchmark.
func WriteCompounds(ctx context.Context, sets []Set, w writer, o WriteOptions) (*CompoundSet, error) {
	out := &CompoundSet{Styles: map[string]int{}}
	out.corpus(sets)
	things := entitiesOf(out.Documents, o.Names, o.PerEntity, o.Seed)
	things = things[:min(len(things), o.Entities)]
	work := writing{out: out, o: o, total: len(things), ahead: make(chan struct{}, 2*max(1, o.AtOnce)),
		waiting: map[int]thingWritten{}, seen: map[string]bool{}}
	if o.Progress != nil {
		o.Progress(0, len(things))
	}
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(max(1, o.AtOnce))
	for i, e := range things {
		select {
		case <-running.Done():
		case work.ahead <- struct{}{}:
		}
		if running.Err() != nil || work.enough() {
			break
		}
		group.Go(func() error {
			made, err := writeThing(running, e, w, o.Seed)
			if err == nil {
				work.take(i, made)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	out.settle(o.CompoundOptions)
	return out, ctx.Err()
}

// thingWritten is what was written about one thing.
type thingWritten struct {
	questions []dataset.Question
	tally     Tally
}

// Tally counts what a writer was asked for and gave.
type Tally struct {
	Passages int `json:"passages"` // shown
	Simple   int `json:"simple"`   // questions written that could be used
	Twice    int `json:"twice"`    // questions that were there already
	Refused  int `json:"refused"`  // groups that could not be combined
}

func (t *Tally) add(o Tally) {
	t.Passages += o.Passages
	t.Simple += o.Simple
	t.Twice += o.Twice
	t.Refused += o.Refused
}

// writing takes in what was written, in the order of the things whatever order it
// comes in.
type writing struct {
	o     WriteOptions
	total int
	// ahead holds a token for each thing that is begun and not taken in, so that
	// little is written in vain behind one that takes long.
	ahead chan struct{}

	mu      sync.Mutex // guards the below
	out     *CompoundSet
	waiting map[int]thingWritten
	seen    map[string]bool // simple questions that are used
	next    int             // the thing to be taken in next
	done    int
}

// enough reports whether there are as many questions as wanted.
func (w *writing) enough() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.full()
}

func (w *writing) full() bool { return w.o.Limit > 0 && len(w.out.Questions) >= w.o.Limit }

func (w *writing) take(i int, made thingWritten) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting[i] = made
	for {
		made, ok := w.waiting[w.next]
		if !ok {
			break
		}
		delete(w.waiting, w.next)
		w.next++
		<-w.ahead
		if !w.full() {
			w.keep(made)
		}
	}
	if w.done++; w.o.Progress != nil {
		w.o.Progress(w.done, w.total)
	}
}

// keep takes in the questions about one thing that have no part which another
// thing's question has.
func (w *writing) keep(made thingWritten) {
	kept := 0
	for _, q := range made.questions {
		twice := false
		for _, step := range q.Decomposition {
			twice = twice || w.seen[textKey(step.Question)]
		}
		if twice {
			made.tally.Twice += len(q.Decomposition)
			continue
		}
		if w.full() {
			break
		}
		for _, step := range q.Decomposition {
			w.seen[textKey(step.Question)] = true
		}
		w.out.Questions = append(w.out.Questions, q)
		kept++
	}
	w.out.Tally.add(made.tally)
	if kept > 0 {
		w.out.Entities++
	}
}

// writeThing has the questions about one thing written and combined.
func writeThing(ctx context.Context, e entity, w writer, seed uint64) (out thingWritten, err error) {
	about := teacher.Thing{Names: namesOf(e.name)}
	var parts []simple
	seen := map[string]bool{}
	for _, p := range e.passages {
		out.tally.Passages++
		q, ok, err := w.Question(ctx, about, p.Passage)
		if err != nil {
			return out, err
		}
		if !ok {
			continue
		}
		s := simple{q: &dataset.Question{Question: q.Question, Answers: []string{q.Answer}}, text: q.Question, entity: e.name, support: []string{p.doc}}
		switch {
		case !usable(q.Question) || !s.clear():
		case seen[textKey(q.Question)]:
			out.tally.Twice++
		default:
			seen[textKey(q.Question)] = true
			out.tally.Simple++
			parts = append(parts, s)
		}
	}
	draw.Shuffle(seed, parts, func(s simple) string { return s.text })
	for len(parts) >= minJoined {
		n := min(minJoined+int(draw.Number(seed, "size", parts[0].text)%(maxJoined-minJoined+1)), len(parts))
		used, err := out.combine(ctx, about, parts[:n:n], w, seed)
		if err != nil {
			return out, err
		}
		parts = parts[used:]
	}
	return out, nil
}

// combine has parts combined, and fewer of them where they cannot be. It returns
// how many were used up; of two that cannot be combined it is the first.
func (t *thingWritten) combine(ctx context.Context, about teacher.Thing, parts []simple, w writer, seed uint64) (used int, err error) {
	for n := len(parts); n >= minJoined; n-- {
		group := parts[:n:n]
		if !sameAnswers(group) && !tellsAnswer(group) {
			written := make([]teacher.Written, n)
			for i, p := range group {
				written[i] = teacher.Written{Question: p.text, Answer: p.q.Answers[0]}
			}
			text, ok, err := w.Combine(ctx, about, written)
			if err != nil {
				return 0, err
			}
			if ok && usable(text) {
				t.questions = append(t.questions, compoundOf(seed, text, styleWritten, group))
				return n, nil
			}
		}
		t.tally.Refused++
	}
	return 1, nil
}

// styleWritten is the style of questions that a model combined.
const styleWritten = "written"

// tellsAnswer reports whether one of the parts has another's answer in it: then
// it would be told, or one has to be answered before the other can be asked.
func tellsAnswer(parts []simple) bool {
	for i, p := range parts {
		text := score.NewHaystack(p.text)
		for j, other := range parts {
			if i != j && text.Has(other.q.Answers...) {
				return true
			}
		}
	}
	return false
}
