package builtin

import (
	"context"
	"math"
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
	"hopstream/stages/engine/builtin/linear"
	"hopstream/stages/engine/builtin/read"
)

// Answer returns what in the windows best answers question, or an empty Finding
// when nothing in them could. Either-or questions are answered with one of
// their options, yes-or-no questions with "yes" or "no", and questions for several
// things, and of how, why and what something is, with the sentences, items, steps
// or code that say so. So is a question for a span, if none is trusted nearly as
// much as the sentences.
func (e *engine) Answer(_ context.Context, question string, windows []messages.Window) (messages.Finding, error) {
	a := e.attempt(question, windows)
	return a.best(), nil
}

// maxForeign bounds the words of an answer to a question in another language, unless
// a sentence alone has more.
const maxForeign = 20

// listed is the probability from which on a question is taken as one for several
// things. From 0.6 to 0.9 answers over documentation are the same; from here on
// those to public questions for a single thing hardly change.
const listed = 0.75

// Attempt is one way to answer a question.
type Attempt struct {
	messages.Finding
	Prose  bool            // in the document's sentences, not as a span
	Doubts linear.Features // what is observed of it, for its confidence
	worth  float32         // beside the other attempts at the same question
}

// attempts are the ways in which a question can be answered.
type attempts struct {
	form    read.Form
	several bool // it is certain enough that several things are asked for
	tries   []Attempt
}

// best returns the answer in the form asked for: in sentences where the question
// asks for them, and where they are worth more than a span.
func (a *attempts) best() messages.Finding {
	var span, prose *Attempt
	for i := range a.tries {
		if t := &a.tries[i]; t.Prose {
			prose = t
		} else {
			span = t
		}
	}
	switch {
	case span == nil && prose == nil:
		return messages.Finding{}
	case span == nil, prose != nil && (a.form.Prose() || a.several || prose.worth > span.worth):
		return prose.Finding
	}
	return span.Finding
}

// Attempts returns the ways in which an engine of the weights w would answer a
// question: what a training is given.
func Attempts(w *Options, question string, windows []messages.Window) []Attempt {
	return newEngine(*w).attempt(question, windows).tries
}

func (e *engine) attempt(question string, windows []messages.Window) (a attempts) {
	if len(windows) == 0 || strings.TrimSpace(question) == "" {
		return a
	}
	question = read.Respelled(clip(question, maxText), windowTexts(windows))
	q := parseQuery(question)
	sc := e.take()
	defer e.give(sc)
	readWindows(sc, &q, windows)
	if unheard(sc, &q) {
		return a
	}
	page := e.reader.Read(e.reader.Question(question), textsOf(sc))
	defer e.reader.Done(page)
	form, p := e.reader.Form(page.Q)
	a.form, a.several = form, p[read.List] > listed
	d := doubter{e: e, page: page, form: a.form}
	foreign := lang.Foreign(question) // what is asked for is not known: a sentence or two
	if q.Type == lang.Choice && !foreign {
		if f, ok := chooseFrom(&q, page); ok {
			a.tries = append(a.tries, d.judged(f, kindChosen))
			return a
		}
	}
	if !foreign && (q.Type == lang.YesNo || a.form == read.YesNo && q.Wh == "") {
		a.tries = append(a.tries, d.judged(yesNo(&q, page), kindYesNo))
		return a
	}
	words := read.MaxAnswer
	if foreign {
		words = maxForeign
	} else if t, ok := e.spanTried(sc, &q, page, d); ok {
		a.tries = append(a.tries, t)
	}
	if best := page.Best(); best >= 0 && page.Together(best) {
		text, s := page.Prose(best, words)
		x := &page.Texts[s.Text]
		t := d.judged(messages.Finding{
			Text:     text,
			Sources:  []messages.Source{{ID: x.ID, Title: x.Title}},
			Evidence: quoted(page, s),
		}, kindProse)
		t.Prose = true
		a.tries = append(a.tries, t)
	}
	return a
}

// spanTried returns the answer with a span, and the quotes around it.
func (e *engine) spanTried(sc *scratch, q *query, page *read.Page, d doubter) (Attempt, bool) {
	f, b := e.bestSpan(sc, q, page)
	if f.Text == "" {
		return Attempt{}, false
	}
	if s, ok := page.With(f.Text, f.Sources[0].ID); ok {
		f.Evidence = quoted(page, s)
	}
	d.belief = b
	return d.judged(f, kindSpan), true
}

// spanOf returns the best span of windows, whatever is asked for.
func (e *engine) spanOf(question string, windows []messages.Window) messages.Finding {
	q := parseQuery(clip(question, maxText))
	sc := e.take()
	defer e.give(sc)
	readWindows(sc, &q, windows)
	page := e.reader.Read(e.reader.Question(q.Text), textsOf(sc))
	defer e.reader.Done(page)
	f, _ := e.bestSpan(sc, &q, page)
	return f
}

// quoted returns what an answer rests on: the stretch that has it, and the best
// of what else bears on the question.
func quoted(page *read.Page, s read.Stretch) []messages.Evidence {
	out := []messages.Evidence{{ID: page.Texts[s.Text].ID, Quote: page.Quote(s)}}
	for _, s := range page.Beside(s, read.MaxQuotes-1) {
		out = append(out, messages.Evidence{ID: page.Texts[s.Text].ID, Quote: page.Quote(s)})
	}
	return out
}

// textsOf are the blocks as texts to read.
func textsOf(sc *scratch) []read.Text {
	out := make([]read.Text, len(sc.blocks))
	for i := range out {
		b := &sc.blocks[i]
		out[i] = read.Text{ID: b.passage, Title: b.title, Heading: b.heading, Text: b.text}
	}
	return out
}

// windowTexts are windows as texts to read.
func windowTexts(windows []messages.Window) []read.Text {
	out := make([]read.Text, min(len(windows), maxBlocks))
	for i := range out {
		out[i] = read.Text{Title: windows[i].Title, Text: clip(windows[i].Text, maxText)}
	}
	return out
}

// findUnits sets for each sentence the unit of the page that it begins in.
func findUnits(sc *scratch, page *read.Page) {
	u := 0
	sc.bestUnit = page.Best()
	for k := range sc.sents {
		s := &sc.sents[k]
		at := sc.toks[s.from].Start
		for u < len(page.Units) && (page.Units[u].Text < s.block || page.Units[u].Text == s.block && page.Units[u].End <= at) {
			u++
		}
		if s.unit = u; u == len(page.Units) || page.Units[u].Text != s.block {
			s.unit = -1
		}
	}
}

// unheard reports whether the question names something, and no passage has a
// word of any name: what they say is then about something else.
func unheard(sc *scratch, q *query) bool {
	var found uint64
	for i := range sc.blocks {
		found |= sc.blocks[i].inTitle
	}
	for i := range sc.sents {
		found |= sc.sents[i].set
	}
	return q.names != 0 && found&q.names == 0
}

// belief says how sure the choice among candidates was.
type belief struct {
	score float32 // of the best
	log   float32 // logarithm of its share of the softmax among those with other words
	kind  candKind
	words int
	own   float32 // share of the question's weight in its sentence
	wide  float32 // with the title, and names of the sentence before
	names float32 // share of the question's names there

	bridged bool // its text is a step away from those that the question names
}

// bestSpan returns the best candidate.
func (e *engine) bestSpan(sc *scratch, q *query, page *read.Page) (messages.Finding, belief) {
	findUnits(sc, page)
	findCands(sc, q)
	if len(sc.cands) == 0 {
		return messages.Finding{}, belief{}
	}
	o := newCandObserver(sc, q, page, sc.observed)
	var x [features]float32
	best := 0
	for i := range sc.cands {
		c := &sc.cands[i]
		measure(sc, q, page, c, &x)
		c.score = e.spans.Score(o.observe(c, &x))
		if c.score > sc.cands[best].score {
			best = i
		}
	}
	sc.observed = o.f
	top := &sc.cands[best]
	sum := 1.0
	for i := range sc.cands {
		if c := &sc.cands[i]; c.key != top.key {
			sum += math.Exp(float64(c.score - top.score))
		}
	}
	f := messages.Finding{Text: tidy(top.text), Sources: sourcesOf(sc, top)}
	s := &sc.sents[top.sent]
	return f, belief{float32(top.score), float32(-math.Log(sum)), top.kind, top.to - top.from, s.own, s.wide, s.names, page.Bridged(s.block)}
}

// sourcesOf returns the passages that mention the answer, its own first.
func sourcesOf(sc *scratch, top *cand) []messages.Source {
	b := &sc.blocks[sc.sents[top.sent].block]
	out := []messages.Source{{ID: b.passage, Title: b.title}}
	for i := range sc.cands {
		if sc.cands[i].key == top.key && len(out) < 4 {
			b := &sc.blocks[sc.sents[sc.cands[i].sent].block]
			out = messages.AddSources(out, messages.Source{ID: b.passage, Title: b.title})
		}
	}
	return out
}

// tidy takes off marks at the ends that belong to no word.
func tidy(s string) string { return strings.Trim(s, " \t\n,;:\"'`“”()[]") }
