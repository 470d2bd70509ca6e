package read

import (
	"hopstream/index/lang"
	"hopstream/stages/engine/builtin/linear"
)

// Form is what an answer looks like.
type Form uint8

// The forms.
const (
	Span       Form = iota // a name, date, number, phrase
	List                   // several of them
	YesNo                  // yes or no
	Steps                  // how something is done
	Reason                 // why it is so
	Definition             // what it is
	Code                   // a command, option or setting
	Forms                  // how many there are
)

var formNames = [Forms]string{"span", "list", "yes-no", "steps", "reason", "definition", "code"}

// String returns the form's name.
func (f Form) String() string { return formNames[f] }

// Prose reports whether an answer is given in the document's own sentences,
// steps or code rather than as a span of one.
func (f Form) Prose() bool { return f >= Steps }

// Templates of the hashed features of forms.
const (
	tForm      = iota + 50 // the form
	tFormWord              // the form, a word
	tFormPair              // the form, two neighbouring words
	tFormFirst             // the form, the first word
	tFormAsked             // the form, what is asked with
	tFormType              // the form, the type of answer
	tFormEnd               // the form, the last word
)

// FormFeatures returns what is observed of a question for each form.
func (q *Question) FormFeatures() [Forms]linear.Features {
	var out [Forms]linear.Features
	for form := range out {
		f, c := &out[form], uint64(form)
		f.Word(1, tForm, c)
		f.Pair(1, tFormAsked, c, q.ask)
		f.Pair(1, tFormType, c, uint64(q.Type))
		last := uint64(0)
		for i := range q.Tokens[:min(len(q.Tokens), maxTerms)] {
			t := &q.Tokens[i]
			h := lang.Hash(t.Norm)
			if i == 0 {
				f.Pair(1, tFormFirst, c, h)
			}
			f.Pair(part, tFormWord, c, h)
			f.Triple(part, tFormPair, c, last, h)
			last = h
		}
		f.Pair(part, tFormEnd, c, last)
	}
	return out
}

// Form returns the form of a question's answer, and how probable each is.
func (r *Reader) Form(q *Question) (Form, [Forms]float64) {
	var p [Forms]float64
	for i, f := range q.FormFeatures() {
		p[i] = float64(r.forms.Score(f))
	}
	softmax(p[:])
	best := Span
	for i := range p {
		if p[i] > p[best] {
			best = Form(i)
		}
	}
	return best, p
}
