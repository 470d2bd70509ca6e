package plan

import (
	"strings"

	"hopstream/index/lang"
)

// resolve replaces the pronouns of every part but the first by what they
// stand for: the topic of the parts before. A part that a lead-in tells what it is
// about needs no more.
func resolve(parts, leads [][]word) {
	var topic []word
	named := false
	someone := soughtPerson(parts[0])
	for i, p := range parts {
		if i > 0 {
			var bound bool
			if parts[i], bound = substitute(p, topic, someone); named && !bound && len(leads[i]) == 0 && !addresses(p) {
				parts[i] = inContext(p, topic)
			}
		}
		if named {
			continue
		}
		if t := topicName(p); t != nil {
			topic, named = t, true
		} else if topic == nil {
			topic = topicNoun(p)
		}
	}
}

// inContext puts the topic behind a part that names nothing, in parentheses:
// a search needs it, and no wording fits every part.
func inContext(p, topic []word) []word {
	t := append([]word(nil), topic...)
	t[0].space = true
	t[0].pre = "(" + t[0].pre
	t[len(t)-1].post += ")"
	return catWords(trimWords(p), t)
}

// addresses reports whether p speaks to somebody instead of about something.
func addresses(p []word) bool {
	for i := range p {
		if p[i].is("you", "your", "i", "my", "we", "our") {
			return true
		}
	}
	return false
}

// soughtPerson describes the person a first part asks for, whom he or she then
// means: "the person who hosted X" of "who hosted X".
func soughtPerson(p []word) []word {
	if len(p) < 3 || len(p) > 14 || !p[0].is("who") || !verbAt(p, 1) || lang.IsBe(p[1].norm) && (p[2].names() || p[2].article()) ||
		p[1].is("did", "do", "does") {
		return nil
	}
	t := topicWords(catWords(plainWords("the person"), spacedWords(p)))
	t[2].text = t[2].norm
	return t
}

// topicName returns the name a part is about: the first that is neither an
// adjective ("German cities") nor a place or time ("in 1987"), else the first
// that is no adjective.
func topicName(p []word) []word {
	var second []word
	for i := 0; i < len(p); i++ {
		if !p[i].name || p[i].is("i") || i == 0 && commonWord(p[i].norm) {
			continue
		}
		end := i + 1
		for end < len(p) && !p[end-1].comma() {
			if p[end].name {
				end++
			} else if end+1 < len(p) && particle(&p[end]) && p[end-1].post == "" && p[end+1].name {
				end += 2
			} else {
				break
			}
		}
		run := p[i:end]
		numeric := true
		for k := range run {
			if run[k].text != "" && (run[k].text[0] < '0' || run[k].text[0] > '9') && lang.Month(run[k].norm) == 0 {
				numeric = false
			}
		}
		adjective := end < len(p) && p[end-1].post == "" && !p[end].preposition() && !p[end].aux() && p[end].norm != "'s" &&
			!lang.IsStop(p[end].norm) && p[end].verb == 0
		circumstance := i > 0 && p[i-1].is("in", "at", "on", "during", "since", "until", "before", "after", "from", "near", "between")
		if i > 1 && p[i-1].is("the") {
			circumstance = p[i-2].is("in", "at", "on", "during", "since", "until", "before", "after", "from", "near", "between")
		}
		if !numeric {
			switch {
			case !adjective && !circumstance:
				return topicWords(run)
			case second == nil && !adjective:
				second = topicWords(run)
			}
		}
		i = end - 1
	}
	return second
}

func topicWords(run []word) []word {
	t := trimWords(run)
	last := &t[len(t)-1]
	last.post = strings.TrimRight(last.post, "?'’")
	t[0].space = true
	// A quote or parenthesis that was cut open is dropped.
	if strings.Contains(last.post, ")") != hasPre(t, "(") {
		last.post = strings.Trim(last.post, ")")
	}
	if strings.Contains(last.post, `"`) != hasPre(t, `"`) {
		last.post = strings.Trim(last.post, `"`)
	}
	return t
}

func hasPre(ws []word, s string) bool {
	for i := range ws {
		if strings.Contains(ws[i].pre, s) {
			return true
		}
	}
	return false
}

// topicNoun returns the definite noun phrase a part without names is about:
// "the actor" in "what is the actor's date of birth".
func topicNoun(p []word) []word {
	for i := 0; i+1 < len(p); i++ {
		if !p[i].is("the") {
			continue
		}
		for k := i + 1; k < len(p) && k < i+5; k++ {
			if p[k].norm == "'s" && k > i+1 {
				return topicWords(p[i:k])
			}
			if p[k].preposition() || p[k].aux() || p[k].wh() || p[k].is("and") {
				break
			}
		}
	}
	for i := 1; i+1 < len(p); i++ {
		if !p[i].is("the") || !p[i-1].aux() {
			continue
		}
		k := i + 1
		for k < len(p) && k < i+5 && !p[k].preposition() && !p[k].aux() && p[k].verb == 0 && !p[k].is("and") {
			k++
			if p[k-1].post != "" {
				break
			}
		}
		if k > i+1 && (k == len(p) || !p[k].preposition()) {
			return topicWords(p[i:k])
		}
	}
	for i := len(p) - 3; i > 0; i-- { // "the default policy of a consumer"
		if p[i].is("of") && p[i+1].article() && nextVerb(p, i+2, len(p)) < 0 {
			return topicWords(p[i+1:])
		}
	}
	return nil
}

// substitute puts topic for the first pronoun of p, unless the pronoun has an
// antecedent in p itself, or stands for nothing. It reports whether p now says
// what it is about.
func substitute(p, topic, someone []word) ([]word, bool) {
	for i := range p {
		w := &p[i]
		if w.names() && !(i == 0 && w.wh()) {
			return p, true // a name of its own: what follows may stand for that
		}
		var owner bool
		switch {
		case w.is("he", "she", "they", "him", "them"):
		case w.is("it"):
			if i+1 < len(p) && p[i+1].is("take", "takes", "possible", "true", "important", "necessary", "mean", "that", "to", "rain", "snow", "like") {
				return p, true
			}
		case w.is("his", "its", "their"):
			owner = true
		case w.is("her"):
			owner = i+1 < len(p) && w.post == "" && !p[i+1].preposition() && p[i+1].verb == 0 && !p[i+1].aux() && !p[i+1].is("and", "or", "when", "while")
		default:
			continue
		}
		if someone != nil && w.is("he", "she", "him", "his", "her") {
			topic = someone
		}
		if len(topic) == 0 {
			return p, false
		}
		t := append([]word(nil), topic...)
		last := &t[len(t)-1]
		t[0].space = w.space
		if owner {
			last.post += "'s"
		} else {
			last.post += w.post
		}
		return catWords(p[:i], t, p[i+1:]), true
	}
	return p, false
}
