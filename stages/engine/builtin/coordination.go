package builtin

import "hopstream/index/lang"

const (
	maxItems   = 24 // items of one list
	maxItem    = 8  // words of an item that is no name
	maxAside   = 24 // words in brackets behind an item
	maxBefore  = 3  // words before a name: "guitarist Keith Richards"
	maxCasting = 8  // words of "as Stoick", behind an item
)

// item is one item of a list: tokens from to to.
type item struct{ from, to int }

// coordinated returns the items of the list that the candidate c stands in:
// what commas, "and" and "or" join with it, names with names and noun phrases
// with noun phrases. What stands in brackets behind an item, and the role that
// someone plays, is passed over. There is none where nothing is joined; names
// between commas alone ("Stone, Staffordshire") are a list from three on.
func (l *list) coordinated(c *cand) []item {
	if c.from < 0 {
		return nil
	}
	l.read(c)
	seed, ok := l.seed(c)
	if !ok {
		return nil
	}
	items := make([]item, 0, 8)
	for at := seed.from; len(items) < maxItems; {
		u, ok := l.before(at)
		if !ok {
			break
		}
		items = append(items, u)
		at = u.from
	}
	for i, j := 0, len(items)-1; i < j; i, j = i+1, j-1 {
		items[i], items[j] = items[j], items[i]
	}
	items = append(items, seed)
	for at := seed.to; len(items) < maxItems; {
		u, ok := l.after(at)
		if !ok {
			break
		}
		items = append(items, u)
		at = u.to
	}
	if len(items) < 2 || !l.joined && (!l.named || len(items) < 3) || !l.named && l.statements(items) {
		return nil
	}
	return items
}

// statements reports whether what is joined are predicates: "is considered
// liberal and allows …".
func (l *list) statements(items []item) bool {
	for _, u := range items {
		if _, form := lang.Verb(l.sc.toks[u.from].Norm); form&(lang.VerbPast|lang.VerbParticiple) != 0 {
			return true
		}
	}
	return false
}

// list reads the sentences around candidates.
type list struct {
	sc     *scratch
	s      *sent
	base   int         // of the names' tokens
	names  []lang.Span // of the sentence's block
	named  bool        // the list is one of names
	joined bool        // an "and" or "or" was seen
	blocks map[int][]lang.Span
}

// read turns to the sentence of c.
func (l *list) read(c *cand) {
	l.s = &l.sc.sents[c.sent]
	b := &l.sc.blocks[l.s.block]
	names, ok := l.blocks[l.s.block]
	if !ok {
		if l.blocks == nil {
			l.blocks = map[int][]lang.Span{}
		}
		names = lang.Entities(b.text, l.sc.toks[b.from:b.to])
		l.blocks[l.s.block] = names
	}
	l.base, l.names, l.named, l.joined = b.from, names, false, false
}

// seed returns the first item within c.
func (l *list) seed(c *cand) (item, bool) {
	u := item{c.from, c.to}
	for i := c.from; i < c.to; i++ {
		l.named = l.named || l.sc.toks[i].Cap
	}
	for i := c.from + 1; i < c.to; i++ {
		if t := &l.sc.toks[i]; conjunction(t.Norm) || t.Sep.Any(lang.Comma) {
			u.to = i
			break
		}
	}
	if l.named {
		for i := range l.names {
			if n := &l.names[i]; n.From+l.base < u.to && n.To+l.base > u.from {
				from := n.From + l.base
				return item{from, n.To + l.base}, from == l.s.from || l.sc.toks[from-1].Norm != "as"
			}
		}
		return item{}, false
	}
	for i := u.to - 1; i > u.from; i-- { // "forms of precipitation include drizzle"
		if introduces(l.sc.toks[i-1].Norm) {
			u.from = i
			break
		}
	}
	return u, u.to > u.from
}

// introduces reports whether a list may follow a word.
func introduces(norm string) bool {
	switch norm {
	case "include", "includes", "including", "included", "are", "were", "is", "namely", "comprise", "comprises", "contain", "contains":
		return true
	}
	return false
}

// after reads the item that is joined behind token at, where an item ended.
func (l *list) after(at int) (item, bool) {
	toks := l.sc.toks
	if at < l.s.to && toks[at].Norm == "as" { // a role
		for n := 0; at < l.s.to && n < maxCasting && !toks[at].Sep.Any(lang.Comma|lang.Open|lang.End) && !conjunction(toks[at].Norm); n++ {
			at++
		}
	}
	if at < l.s.to && toks[at].Sep.Any(lang.Open) {
		for n := 0; at < l.s.to && n < maxAside && (n == 0 || !toks[at].Sep.Any(lang.Close)); n++ {
			at++
		}
	}
	if at >= l.s.to || toks[at].Sep.Any(lang.End|lang.Colon|lang.Open) {
		return item{}, false
	}
	joined := false
	switch {
	case conjunction(toks[at].Norm):
		joined = true
		at++
	case toks[at].Sep.Any(lang.Comma):
	default:
		return item{}, false
	}
	for at < l.s.to && leadWord(toks[at].Norm) {
		at++
	}
	u, ok := l.beginning(at)
	l.joined = l.joined || ok && joined
	return u, ok
}

// beginning reads the item that begins at token at.
func (l *list) beginning(at int) (item, bool) {
	toks := l.sc.toks
	if l.named {
		for i := range l.names {
			n := &l.names[i]
			from := n.From + l.base
			if from < at {
				continue
			}
			if from-at > maxBefore || n.To+l.base > l.s.to {
				break
			}
			for j := at; j < from; j++ {
				if j > at && toks[j].Sep != lang.Space || toks[j].Stop || toks[j].Num {
					return item{}, false
				}
			}
			if from > at && toks[from].Sep.Any(lang.Comma|lang.End|lang.Open) {
				return item{}, false
			}
			return item{from, n.To + l.base}, true
		}
		return item{}, false
	}
	to := at
	for to < l.s.to && to-at < maxItem && itemWord(&toks[to]) && (to == at || !toks[to].Sep.Any(lang.Comma|lang.Open|lang.Close|lang.End|lang.Colon)) {
		to++
	}
	for to > at && toks[to-1].Stop {
		to--
	}
	return item{at, to}, to > at
}

// before reads the item that is joined in front of token at, where one begins.
func (l *list) before(at int) (item, bool) {
	toks := l.sc.toks
	for n := 0; at > l.s.from && n < maxBefore && !toks[at].Sep.Any(lang.Comma) && !conjunction(toks[at-1].Norm) && (leadWord(toks[at-1].Norm) || l.named && !toks[at-1].Stop && !toks[at-1].Cap && !toks[at-1].Num); n++ {
		at--
	}
	if at <= l.s.from || toks[at].Sep.Any(lang.End|lang.Colon|lang.Open) {
		return item{}, false
	}
	joined := false
	end := at
	switch {
	case conjunction(toks[at-1].Norm):
		joined = true
		end = at - 1
	case toks[at].Sep.Any(lang.Comma):
	default:
		return item{}, false
	}
	if toks[end].Sep.Any(lang.Close) {
		for n := 0; end > l.s.from && n < maxAside; n++ {
			end--
			if toks[end].Sep.Any(lang.Open) {
				break
			}
		}
	}
	u, ok := l.ending(end)
	l.joined = l.joined || ok && joined
	return u, ok
}

// ending reads the item that ends before token end.
func (l *list) ending(end int) (item, bool) {
	toks := l.sc.toks
	if l.named {
		for i := range l.names {
			n := &l.names[i]
			from := n.From + l.base
			if n.To+l.base != end || from < l.s.from {
				continue
			}
			if from > l.s.from+1 && toks[from-1].Norm == "as" { // a role, of whom stands before it
				return l.ending(from - 1)
			}
			return item{from, end}, true
		}
		return item{}, false
	}
	from := end
	for from > l.s.from && end-from < maxItem && itemWord(&toks[from-1]) {
		from--
		if toks[from].Sep.Any(lang.Comma | lang.Open | lang.Close | lang.End | lang.Colon) {
			break
		}
	}
	for from < end && toks[from].Stop {
		from++
	}
	return item{from, end}, end > from
}

// conjunction reports whether a word joins the last item of a list.
func conjunction(norm string) bool {
	return norm == "and" || norm == "or" || norm == "&" || norm == "nor"
}

// leadWord reports whether a word may stand before an item and is none of it.
func leadWord(norm string) bool {
	switch norm {
	case "the", "a", "an", "his", "her", "its", "their", "by", "in", "from", "also", "both", "finally", "later", "then", "either", "to", "with", "for":
		return true
	}
	return false
}

// itemWord reports whether a word can be part of an item that is no name.
func itemWord(t *lang.Token) bool {
	switch t.Norm {
	case "of", "the", "a", "'s":
		return true
	}
	if t.Stop || conjunction(t.Norm) || introduces(t.Norm) {
		return false
	}
	_, form := lang.Verb(t.Norm)
	return t.Cap || form&lang.VerbPast == 0 || form&lang.VerbParticiple != 0
}
