package plan

import (
	"slices"
	"strings"

	"hopstream/messages"
	"hopstream/messages/subquestion"
)

// maxParts bounds the sub-questions of a compound question.
const maxParts = 8

// Split takes a compound question apart into independent sub-questions, each
// of which can be understood alone: what they share is repeated in each, and
// pronouns are replaced by what they stand for. A question that cannot be
// split is returned as it stands.
func Split(question string) []string {
	question = strings.TrimSpace(question)
	whole := []string{question}
	if len(question) > messages.MaxQuestion {
		return whole
	}
	q := parseWords(question)
	if len(q) < 4 {
		return whole
	}
	var parts, leads [][]word
	for _, s := range questionSentences(q) {
		all, lead := requested(s)
		if all == nil {
			lead = leadIn(s)
			for _, c := range clauses(s[len(lead):]) {
				all = append(all, attributes(c)...)
			}
		}
		for _, a := range all {
			if len(parts) > 0 {
				a = complete(parts[len(parts)-1], a)
			}
			parts, leads = append(parts, a), append(leads, lead)
		}
	}
	if len(parts) < 2 {
		return whole
	}
	if len(parts) > maxParts { // the last part keeps what is left
		parts = parts[:maxParts]
	}
	resolve(parts, leads)
	out := make([]string, 0, len(parts))
	for i, p := range parts {
		text := asQuestion(p, func(*strings.Builder, int) {})
		if lead := leads[i]; len(lead) > 0 {
			if !strings.ContainsAny(lead[len(lead)-1].post, ".!") {
				text = asQuestion(catWords(lead, p), func(*strings.Builder, int) {})
			} else {
				text = textOf(lead) + ". " + text
			}
		}
		if len(text) < 4 || len(text) > messages.MaxQuestion || len(out) > 0 && subquestion.Same(out[len(out)-1], text) {
			continue
		}
		out = append(out, text)
	}
	if len(out) < 2 {
		return whole
	}
	return out
}

// leadIn returns what stands before a question and goes with all of its parts: other
// sentences, what ends with a colon, or a clause that says when or if.
func leadIn(s []word) []word {
	for i := len(s) - 3; i > 0; i-- {
		if asks := s[i+1:]; strings.ContainsAny(s[i].post, ".:;!") && !s[i].quoted && opensAsQuestion(asks) &&
			(nextVerb(s, 0, i+1) >= 0 || strings.Contains(s[i].post, ":") && slices.ContainsFunc(s[:i+1], func(w word) bool { return w.names() })) {
			return s[:i+1]
		}
	}
	if len(s) < 6 || s[1].wh() || !s[0].is("if", "when", "while", "for", "in", "after", "before", "once", "since", "as", "on", "with") {
		return nil
	}
	for i := 2; i+3 < len(s); i++ {
		if s[i].comma() && (s[i+1].is("what", "how", "why") || s[i+1].preposition() && s[i+2].wh()) {
			return s[:i+1]
		}
	}
	return nil
}

// questionSentences cuts q behind question marks that end a sentence. A
// statement goes with the question behind it.
func questionSentences(q []word) [][]word {
	var out [][]word
	from := 0
	for i := 0; i+1 < len(q); i++ {
		if !endsQuestion(&q[i], &q[i+1]) || !interrogative(q[from:i+1]) ||
			!strings.Contains(q[i].post, "?") && !opensAsQuestion(q[from:i+1]) {
			continue
		}
		out = append(out, q[from:i+1])
		from = i + 1
	}
	return append(out, q[from:])
}

// endsQuestion reports whether a question ends with w, before next: titles
// like "Who Is This That I Love?" go on in small letters or with "or".
func endsQuestion(w, next *word) bool {
	if !strings.Contains(w.post, "?") && !(strings.ContainsAny(w.post, ".;") && (next.wh() || next.aux())) || !next.space {
		return false
	}
	if w.quoted && next.quoted {
		return false
	}
	r := firstRune(next.text)
	return r >= 'A' && r <= 'Z' && !next.is("or") || next.wh() || next.aux() && strings.Contains(w.post, "?") && !w.name ||
		next.is("and", "if", "also", "name", "list")
}

// opensAsQuestion reports whether ws starts as questions do.
func opensAsQuestion(ws []word) bool {
	return len(ws) > 1 && (ws[0].wh() || ws[0].aux() || ws[0].preposition() && ws[1].wh()) || len(ws) > 0 && ws[0].is("name", "list", "tell", "describe", "explain")
}

// asksWithin reports whether a question word follows a comma in ws: "In the
// study, what …".
func asksWithin(ws []word) bool {
	for i := 1; i < len(ws); i++ {
		if ws[i].wh() && (ws[i-1].comma() || i > 1 && ws[i-1].preposition() && ws[i-2].comma()) {
			return true
		}
	}
	return false
}

// interrogative reports whether ws asks anything.
func interrogative(ws []word) bool {
	for i := range ws {
		if ws[i].wh() || ws[i].aux() {
			return true
		}
	}
	return len(ws) > 0 && ws[0].is("name", "list", "tell", "describe", "explain", "give", "identify")
}

// clauses cuts a sentence before each clause that asks anew: "… and when did
// she die".
func clauses(q []word) [][]word {
	if c := coordinatedWh(q); c != nil {
		return c
	}
	var out [][]word
	from := 0
	for k := 2; k+1 < len(q) && len(out) < maxParts; k++ {
		s := k
		conjunction := false
		for s < len(q) && q[s].is("and", "but", "also", "then", "or", "finally", "plus") {
			conjunction = true
			s++
		}
		if !conjunction && !q[k-1].comma() || !asksAnew(q, from, k, s, conjunction) {
			continue
		}
		out = append(out, q[from:k])
		from = s
		k = s + 1
	}
	if from == 0 {
		return [][]word{q}
	}
	out = append(out, q[from:])
	return shareObject(out)
}

// asksAnew reports whether a clause of its own starts at word s, behind the
// comma or conjunction at word k; the clause before starts at from.
func asksAnew(q []word, from, k, s int, conjunction bool) bool {
	if s+1 >= len(q) {
		return false
	}
	before := q[from:k]
	if !opensAsQuestion(before) && !(conjunction && (asksWithin(before) || before[len(before)-1].wh())) || nextVerb(q, from, k) < 0 {
		return false
	}
	w := &q[s]
	at := s
	if w.preposition() && q[s+1].wh() {
		at, w = s+1, &q[s+1]
	}
	switch {
	case w.wh():
	case w.aux():
		// "and is he …", "and did the film …": an order no statement has
		next := &q[s+1]
		return from == 0 && conjunction && (next.is("he", "she", "it", "they", "there", "the", "his", "her", "its", "their", "this", "these", "any") ||
			next.name) && before[0].aux() || conjunction && next.is("he", "she", "it", "they")
	default:
		return false
	}
	if w.relative() && at == s {
		// "the actor who … and who …" goes on about the actor
		for i := from + 1; i < k; i++ {
			if q[i].norm == w.norm && !q[i].name && i > from+1 && !q[i-1].comma() && !q[i-1].preposition() {
				return false
			}
		}
		if !conjunction { // "…, who won the prize": a clause about the name before it
			next := &q[s+1]
			inverted := next.aux()
			later := false
			for i := s + 1; i+1 < len(q); i++ {
				if q[i].is("and") && (q[i+1].wh() || q[i+1].preposition() && i+2 < len(q) && q[i+2].wh()) {
					later = true
				}
			}
			if !later && (!inverted || w.is("who", "which", "whose")) {
				return false
			}
		}
	} else if w.relative() && !conjunction {
		return false // ", in which …"
	}
	return nextVerb(q, s, len(q)) >= 0 || at+1 < len(q)
}

// coordinatedWh repeats the rest of the question for each question word of
// "when and where was X born".
func coordinatedWh(q []word) [][]word {
	if !q[0].is("when", "where", "why", "how", "who", "what") {
		return nil
	}
	heads := []int{0}
	i := 1
	for i+1 < len(q) && (q[i-1].comma() || q[i].is("and", "or")) {
		if q[i].is("and", "or") {
			i++
		}
		if !q[i].wh() || i+1 >= len(q) {
			return nil
		}
		heads = append(heads, i)
		i++
	}
	if len(heads) < 2 || !q[i].aux() {
		return nil
	}
	var out [][]word
	for _, h := range heads {
		w := q[h]
		w.post = ""
		out = append(out, catWords([]word{w}, q[i:]))
	}
	return out
}

// shareObject gives "who wrote" the object of "who directed X" behind it.
func shareObject(parts [][]word) [][]word {
	for i := len(parts) - 2; i >= 0; i-- {
		p, next := parts[i], parts[i+1]
		n := len(p)
		if n < 2 || n > 4 || !p[0].is("who", "what", "which") || !next[0].is("who", "what", "which") || !verbAt(p, n-1) || p[n-1].aux() {
			continue
		}
		v := nextVerb(next, 1, len(next))
		if v < 0 {
			continue
		}
		object := verbEnd(next, v)
		if object < len(next) {
			parts[i] = catWords(trimWords(p), spacedWords(next[object:]))
		}
	}
	return parts
}
