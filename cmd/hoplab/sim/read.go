package prompts

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Sections is the data of a user text. Those it has no section for, and those
// that are empty, are nil.
type Sections struct {
	Passages []Passage
	Pairs    []Pair
	Answers  []string
	Keywords []string
	Plan     []string

	Problem, Prediction string

	Question string
}

// ErrForm is what Read returns, with the place, for a text that no prompt of
// this package renders.
var ErrForm = errors.New("not the user text of a prompt")

// Read is the inverse of rendering: it returns the data as it was given. Text
// that was not valid UTF-8 or held control characters comes back cleaned.
// Every other text is refused with ErrForm, so what it accepts would be
// rendered the same.
func Read(user string) (Sections, error) {
	r := reader{rest: user}
	var s Sections
	if r.skip("<passages>\n") {
		s.Passages = r.passages()
	}
	if r.skip("<findings>\n") {
		s.Pairs = r.findings()
	}
	if r.skip("<answers>\n") {
		s.Answers = r.answers()
	}
	if r.skip("<keywords>\n") {
		s.Keywords = r.texts("keyword", noKeywords+"\n</keywords>\n")
	}
	if r.skip("<plan>\n") {
		s.Plan = r.texts("planned", noPlan+"\n</plan>\n")
	}
	if r.skip("<problem>\n") {
		s.Problem = r.text("\n</problem>\n")
	}
	if r.skip("<prediction>\n") {
		s.Prediction = r.text("\n</prediction>\n")
	}
	r.need("<question>\n")
	s.Question = r.text("\n</question>")
	if r.rest != "" {
		r.fail("the end")
	}
	if r.err != nil {
		return Sections{}, fmt.Errorf("byte %d: %w", len(user)-len(r.rest), r.err)
	}
	return s, nil
}

// reader reads a text from its beginning, up to the first error; from then on
// it finds nothing.
type reader struct {
	rest string
	err  error
}

func (r *reader) passages() (out []Passage) {
	if r.skip(noPassages + "\n</passages>\n") {
		return nil
	}
	for r.item("<passage", len(out)) {
		var p Passage
		if r.skip(` title="`) {
			if p.Title = r.data(`"`, escapeTitle); p.Title == "" {
				r.fail("a title")
			}
		}
		r.need(">\n")
		p.Text = r.text("\n</passage>\n")
		out = append(out, p)
	}
	r.close("</passages>\n", len(out))
	return out
}

func (r *reader) findings() (out []Pair) {
	if r.skip(noFindings + "\n</findings>\n") {
		return nil
	}
	for r.item("<finding", len(out)) {
		var p Pair
		r.need(">\n<asked>")
		p.Question = r.text("</asked>\n")
		if !r.skip(notFound) {
			r.need("<found>")
			if p.Answer = r.text("</found>"); p.Answer == "" {
				r.fail("what was found")
			}
		}
		r.need("\n</finding>\n")
		out = append(out, p)
	}
	r.close("</findings>\n", len(out))
	return out
}

func (r *reader) answers() (out []string) {
	if r.skip(noAnswers + "\n</answers>\n") {
		return nil
	}
	for r.item("<answer", len(out)) {
		var a string
		r.need(">")
		if r.skip(notFound) {
			r.need("</answer>\n")
		} else if a = r.text("</answer>\n"); a == "" {
			r.fail("an answer")
		}
		out = append(out, a)
	}
	r.close("</answers>\n", len(out))
	return out
}

// texts reads a section of texts between marks; none is what it holds without
// any, and its end.
func (r *reader) texts(mark, none string) (out []string) {
	if r.skip(none) {
		return nil
	}
	for r.item("<"+mark, len(out)) {
		r.need(">")
		out = append(out, r.text("</"+mark+">\n"))
	}
	_, end, _ := strings.Cut(none, "\n")
	r.close(end, len(out))
	return out
}

// item opens the next element of a list that has n.
func (r *reader) item(mark string, n int) bool {
	return r.skip(mark + ` number="` + strconv.Itoa(n+1) + `"`)
}

// close ends a list of n elements.
func (r *reader) close(mark string, n int) {
	if n == 0 {
		r.fail("an element")
	}
	r.need(mark)
}

func (r *reader) text(end string) string { return r.data(end, escape) }

// data returns the data up to end.
func (r *reader) data(end string, escape func(string) string) string {
	raw, rest, ok := strings.Cut(r.rest, end)
	if !ok {
		r.fail(end)
	}
	if r.err != nil {
		return ""
	}
	text := Plain(raw)
	if escape(text) != raw {
		r.fail("escaped data")
		return ""
	}
	r.rest = rest
	return text
}

func (r *reader) need(mark string) {
	if !r.skip(mark) {
		r.fail(mark)
	}
}

func (r *reader) skip(mark string) bool {
	if r.err != nil {
		return false
	}
	rest, ok := strings.CutPrefix(r.rest, mark)
	if ok {
		r.rest = rest
	}
	return ok
}

func (r *reader) fail(want string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %q is missing", ErrForm, want)
	}
}
