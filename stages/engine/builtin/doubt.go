package builtin

import (
	"math"
	"slices"
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
	"hopstream/stages/engine/builtin/linear"
	"hopstream/stages/engine/builtin/read"
)

// The kinds of attempts, as their confidence tells them apart.
const (
	kindSpan = iota + 1
	kindProse
	kindYesNo
	kindChosen
	kindBridged = 8  // with any of these: what is said is a step away from what the question names
	kindSection = 16 // with any of these: what is said is in a section of a document with headings
)

// What is observed of an attempt, beside what the page says of itself
// (read.Page.Cover); each counts anew for each kind of attempt.
const (
	dBias   = iota + 128
	dBelief // logarithm of the best candidate's share among those with other words
	dScore  // the best candidate's score, in tens
	dGuess  // what the rules of the kind say
	dWords  // words of a span
	dOwn    // share of the question's weight in its sentence
	dWide   // with the title, and names of the sentence before
	dNames  // share of the question's names there
	dAgree  // it stands in the unit that is judged best
	dRival  // logarithm of the share of the page's softmax that units with it have
	dUnit   // the first of the best unit's own observations (read.Page.Cover)
)

// Templates of hashed observations.
const (
	tDoubt        = iota + 200 // a numbered one, by kind
	tDoubtAsk                  // what is asked, by kind
	tDoubtForm                 // the form of answer asked for, by kind
	tDoubtCand                 // how the candidate was found
	tDoubtHeld                 // the type of answer asked for, and what sentences hold that is new, by kind
	tDoubtHeldAsk              // what is asked, and the same
)

// doubter judges how probable it is that attempts are right: a logistic model.
type doubter struct {
	e      *engine
	page   *read.Page
	form   read.Form
	belief belief
}

// bridged reports whether what an attempt says stands in a text that is a step
// away from those that the question names.
func (d *doubter) bridged(kind uint64) bool {
	if kind == kindSpan {
		return d.belief.bridged
	}
	best := d.page.Best()
	return best >= 0 && d.page.Bridged(d.page.Units[best].Text)
}

// judged returns an attempt with its confidence.
func (d *doubter) judged(f messages.Finding, kind uint64) Attempt {
	a := Attempt{Finding: f}
	number := func(n int, v float32) {
		if v != 0 {
			a.Doubts.Number(n, v)
			a.Doubts.Pair(v, tDoubt, kind, uint64(n))
		}
	}
	number(dBias, 1)
	sort := kind
	if d.bridged(kind) {
		kind |= kindBridged
	}
	if best := d.page.Best(); best >= 0 && d.page.Texts[d.page.Units[best].Text].Heading != "" {
		kind |= kindSection
	}
	for i, v := range d.page.Cover() {
		number(i, v)
	}
	for i, v := range d.page.BestObserved() {
		number(dUnit+i, v)
	}
	number(dGuess, float32(f.Confidence))
	if sort == kindSpan {
		number(dBelief, d.belief.log)
		number(dScore, d.belief.score/10)
		number(dWords, float32(math.Log1p(float64(max(0, d.belief.words)))))
		number(dOwn, d.belief.own)
		number(dWide, d.belief.wide)
		number(dNames, d.belief.names)
		agree, share := d.page.Holding(f.Text)
		if agree {
			number(dAgree, 1)
		}
		number(dRival, float32(math.Log(share+1e-4)))
		a.Doubts.Word(part, tDoubtCand, uint64(d.belief.kind))
	}
	if sort == kindProse {
		held := heldIn(f.Text, d.page.Q.Tokens)
		for what := uint64(holdsNumber); what <= holdsCode; what <<= 1 {
			has := what<<1 | min(1, held&what)
			a.Doubts.Triple(part, tDoubtHeld, kind, uint64(d.page.Q.Type), has)
			a.Doubts.Triple(part, tDoubtHeldAsk, kind, d.page.Q.Asked(), has)
		}
	}
	a.Doubts.Pair(part, tDoubtAsk, kind, d.page.Q.Asked())
	a.Doubts.Pair(part, tDoubtForm, kind, uint64(d.form))
	if f.Text != "" {
		a.worth = d.e.choice.Score(a.Doubts)
		a.Confidence = 1 / (1 + math.Exp(-float64(d.e.trust.Score(a.Doubts))))
	}
	return a
}

// What sentences may hold that a question asks for.
const (
	holdsNumber = 1 << iota
	holdsDate
	holdsName
	holdsCode // what is marked as code, or an option
)

// heldIn returns what text holds that the words of a question do not: sentences
// without any number do not say how many.
func heldIn(text string, asked []lang.Token) (held uint64) {
	for _, t := range lang.Tokens(text) {
		if t.Stop || slices.ContainsFunc(asked, func(q lang.Token) bool { return q.Hash == t.Hash }) {
			continue
		}
		switch {
		case t.Num && lang.IsYear(t.Norm) || lang.Month(t.Norm) > 0:
			held |= holdsDate
		case t.Num:
			held |= holdsNumber
		case t.Cap && !t.First:
			held |= holdsName
		}
	}
	if strings.Contains(text, "`") || strings.Contains(text, " -") {
		held |= holdsCode
	}
	return held
}

// The trust in an answer is a choice between it and nothing, which has no
// features: under a softmax over both, its share is the logistic of its score.
var nothing linear.Features

// Trusted returns an attempt as a group for linear.Fit.
func Trusted(a *Attempt, right float32) linear.Group {
	return linear.Group{Members: []linear.Features{a.Doubts, nothing}, Right: []float32{right, 1 - right}}
}
