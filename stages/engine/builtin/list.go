package builtin

import (
	"cmp"
	"slices"
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
)

const (
	// Where several things are asked for, a list may be the answer although its
	// candidate scores up to listMargin less than the best one; up to
	// countMargin less if it has as many items as are asked for. Both were
	// fitted on half of MultiSpanQA's development questions.
	listMargin  = 1.5
	countMargin = 2.25
	maxLists    = 24 // lists looked at
)

// enumerated returns the items that answer a question for several things: the
// list that the best candidate stands in, or one that is nearly as good, and
// the items that lists of the same things elsewhere add to it, each with the
// passages it occurs in. It returns nil for fewer than two.
func enumerated(sc *scratch, q *query, best int) []messages.Claim {
	yes, count := several(q)
	if !yes {
		return nil
	}
	var out []messages.Claim
	top := sc.cands[best].score
	l := list{sc: sc}
	for _, i := range byScore(sc, top-countMargin) {
		c := &sc.cands[i]
		claims := l.claims(c)
		near := c.score >= top-listMargin
		switch {
		case len(claims) < 2:
		case len(out) == 0 && (near || count == len(claims)), count > 0 && len(out) != count && len(claims) == count:
			out = claims
		case len(out) > 0 && near && len(out) != count && sameList(out, claims):
			out = distinctClaims(slices.Concat(out, claims))
		}
	}
	return out
}

// byScore returns the candidates that score at least floor and stand in a
// sentence, the best first.
func byScore(sc *scratch, floor float32) []int {
	order := make([]int, 0, maxLists)
	for i := range sc.cands {
		if c := &sc.cands[i]; c.from >= 0 && c.score >= floor {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(sc.cands[y].score, sc.cands[x].score) })
	return order[:min(len(order), maxLists)]
}

// several reports whether a question asks for several things: its head noun
// is in the plural or counted ("which two rivers"), or it asks who they are.
// count is how many, or 0.
func several(q *query) (yes bool, count int) {
	if q.group == groupNumber || q.group == groupDate || q.Wh == "how" || q.Wh == "when" || q.Wh == "why" {
		return false, 0
	}
	if n := howMany(q); n > 0 || plural(q) {
		return true, n
	}
	toks := q.Tokens
	at := q.WhAt + 1
	return q.WhAt >= 0 && q.Wh != "where" && at < len(toks) && (toks[at].Norm == "are" || toks[at].Norm == "were"), 0
}

// howMany returns the number that is asked for: "which two chambers", "what
// are the three main parts"; 0 if none is.
func howMany(q *query) int {
	for i := q.WhAt + 1; q.WhAt >= 0 && i < len(q.Tokens) && i <= q.WhAt+4; i++ {
		t := &q.Tokens[i]
		if n := countWord(t.Norm); n > 0 {
			for j := i + 1; j < len(q.Tokens) && j <= i+3 && !q.Tokens[j].Stop; j++ {
				if pluralNoun(q.Tokens[j].Norm) {
					return n
				}
			}
			return 0
		}
		if !t.Stop && t.Norm != "first" && t.Norm != "main" {
			return 0
		}
	}
	return 0
}

// plural reports whether the question's head noun is in the plural. Names ("What
// is Opry Mills?") and verbs ("what serves as …", "which rock dominates the …",
// "what dissolved privileges in …") that end like a plural do not count.
func plural(q *query) bool {
	if !pluralNoun(q.Head) || q.Tokens[q.HeadTo-1].Cap && q.HeadTo > 1 {
		return false
	}
	if q.WhAt < 0 {
		return true
	}
	if q.HeadFrom == q.WhAt+1 && q.HeadTo-q.HeadFrom > 1 {
		if _, form := lang.Verb(q.Tokens[q.HeadFrom].Norm); form&lang.VerbPast != 0 {
			return false
		}
	}
	if q.HeadTo < len(q.Tokens) {
		switch q.Tokens[q.HeadTo].Norm {
		case "the", "a", "an", "as", "its", "their":
			return false
		}
	}
	return true
}

// pluralNoun reports whether a noun is in the plural, by its form.
func pluralNoun(norm string) bool {
	switch norm {
	case "people", "children", "men", "women":
		return true
	case "series", "species", "news", "texas", "'s":
		return false
	}
	n := len(norm)
	if n < 4 || norm[n-1] != 's' {
		return false
	}
	switch norm[n-2:] {
	case "ss", "us", "is":
		return false
	}
	return !strings.HasSuffix(norm, "ics")
}

// countWord returns the small number that a word says, or 0.
func countWord(norm string) int {
	if n := slices.Index([]string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}, norm); n >= 0 {
		return n + 2
	}
	if len(norm) == 1 && norm[0] > '1' && norm[0] <= '9' {
		return int(norm[0] - '0')
	}
	return 0
}

// claims returns the items of the list that a candidate stands in, without
// those that only repeat the question.
func (l *list) claims(c *cand) []messages.Claim {
	sc := l.sc
	items := l.coordinated(c)
	if items == nil {
		items = bulleted(sc, c)
	}
	if len(items) < 2 {
		return nil
	}
	b := &sc.blocks[sc.sents[c.sent].block]
	out := make([]messages.Claim, 0, len(items))
	for _, u := range items {
		news := false
		for i := u.from; i < u.to; i++ {
			news = news || !sc.toks[i].Stop && sc.hits[i] < 0
		}
		text := tidy(b.text[sc.toks[u.from].Start:sc.toks[u.to-1].End])
		if news && text != "" && len(text) <= 200 {
			out = append(out, messages.Claim{Text: text, Citations: []messages.Source{{ID: b.passage, Title: b.title}}})
		}
	}
	return distinctClaims(out)
}

// distinctClaims merges claims whose words are the same or contained in those of
// another: the longest text stays, with the citations of all.
func distinctClaims(claims []messages.Claim) []messages.Claim {
	out := make([]messages.Claim, 0, len(claims))
	keys := make([][]uint64, 0, len(claims))
	for _, c := range claims {
		key := answerKey(c.Text)
		if len(key) == 0 {
			continue
		}
		at := slices.IndexFunc(keys, func(k []uint64) bool { return agree(key, k) > 0 })
		if at < 0 {
			if len(out) < messages.MaxClaims {
				out, keys = append(out, c), append(keys, key)
			}
			continue
		}
		if len(key) > len(keys[at]) {
			out[at].Text, keys[at] = c.Text, key
		}
		out[at].Citations = slices.Clone(out[at].Citations)
		out[at].Citations = messages.AddSources(out[at].Citations, c.Citations...)
	}
	return out
}

// sameList reports whether two lists share half the items of the shorter.
func sameList(a, b []messages.Claim) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	shared := 0
	for i := range a {
		key := answerKey(a[i].Text)
		if slices.ContainsFunc(b, func(c messages.Claim) bool { return agree(key, answerKey(c.Text)) > 0 }) {
			shared++
		}
	}
	return shared > 0 && 2*shared >= len(a)
}

// listText joins items.
func listText(claims []messages.Claim) string {
	texts := make([]string, len(claims))
	for i := range claims {
		texts[i] = claims[i].Text
	}
	return strings.Join(texts, "; ")
}
