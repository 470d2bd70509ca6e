package revelator

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"hopstream/cmd/hoplab/revelator/draw"
	"hopstream/index/lang"
)

// style is a way of putting questions together.
type style struct {
	name   string
	inside bool                         // parts stand inside a sentence
	join   func(bodies []string) string // the parts, without question marks
}

// styles are the ways people ask several things at once.
var styles = []style{
	{"sentences", false, func(b []string) string { return strings.Join(b, "? ") + "?" }},
	{"also", true, func(b []string) string {
		return strings.Join(b[:len(b)-1], "? ") + "? Also, " + lower(b[len(b)-1]) + "?"
	}},
	{"and", true, func(b []string) string { return list(b, ", ", ", and ") + "?" }},
	{"semicolons", true, func(b []string) string { return list(b, "; ", "; and ") + "?" }},
	{"lead", true, func(b []string) string {
		return "I would like to know " + [...]string{"two", "three", "four"}[len(b)-minJoined] + " things: " + lower(list(b, ", ", ", and ")) + "?"
	}},
	{"numbered", false, func(b []string) string {
		var out strings.Builder
		for i, text := range b {
			if i > 0 {
				out.WriteString(" ")
			}
			out.WriteString("(" + string(rune('1'+i)) + ") " + text + "?")
		}
		return out.String()
	}},
}

// list writes a, b, and c; all but the first begin in lower case.
func list(bodies []string, between, last string) string {
	out := bodies[0]
	for i, b := range bodies[1:] {
		if i == len(bodies)-2 {
			out += last + lower(b)
		} else {
			out += between + lower(b)
		}
	}
	return out
}

// lower writes a question's first word small if it is one that is written
// small inside a sentence: a word of structure, which a name is not.
func lower(body string) string {
	toks := lang.Tokens(body)
	if len(toks) == 0 || toks[0].Start != 0 || !toks[0].Cap || toks[0].Text == "I" {
		return body
	}
	t := toks[0]
	if !t.Stop && !lang.IsPreposition(t.Norm) && !lang.IsAuxiliary(t.Norm) && !questionWord[t.Norm] {
		return body
	}
	if len(toks) > 1 && toks[1].Cap && (t.Norm == "the" || t.Norm == "a" || t.Norm == "an") {
		return body // perhaps a title: "The Hague"
	}
	r, size := utf8.DecodeRuneInString(body)
	return string(unicode.ToLower(r)) + body[size:]
}

var questionWord = map[string]bool{"who": true, "whom": true, "whose": true, "what": true, "which": true,
	"when": true, "where": true, "why": true, "how": true}

// join puts parts together in a style drawn for them, with a pronoun for what
// they are about where that is safe and drawn. The name of the style ends in
// "+pronoun" where there is one.
func join(seed uint64, parts []simple) (text, name string) {
	bodies := make([]string, len(parts))
	for i, p := range parts {
		bodies[i] = strings.TrimSuffix(p.text, "?")
	}
	s := styleFor(draw.Number(seed, "style", parts[0].text, parts[1].text), bodies)
	if draw.Number(seed, "pronoun", parts[0].text, parts[1].text)%2 == 0 && withPronouns(parts, bodies) {
		return s.join(bodies), s.name + "+pronoun"
	}
	return s.join(bodies), s.name
}

// styleFor picks a style by n. A part that cannot be written small stands in a
// sentence of its own.
func styleFor(n uint64, bodies []string) style {
	apart := slices.ContainsFunc(bodies, func(b string) bool {
		toks := lang.Tokens(b)
		return len(toks) > 0 && toks[0].Cap && lower(b) == b
	})
	able := slices.DeleteFunc(slices.Clone(styles), func(s style) bool { return apart && s.inside })
	return able[n%uint64(len(able))]
}

// withPronouns replaces the name of what parts are about in all but the first
// of bodies, as long as no other name comes between that a pronoun could mean.
func withPronouns(parts []simple, bodies []string) (any bool) {
	first, ok := parts[0].name()
	if !ok || distracts(bodies[0], first) {
		return false
	}
	p := pronounOf(parts)
	for i := 1; i < len(parts); i++ {
		name, ok := parts[i].name()
		if !ok || !p.person() && name != nameOf(parts[i].entity) {
			return any
		}
		with, ok := p.put(bodies[i], name)
		stop := distracts(bodies[i], name)
		if ok {
			bodies[i], any = with, true
		}
		if stop {
			return any
		}
	}
	return any
}
