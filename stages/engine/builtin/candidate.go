package builtin

import (
	"strings"

	"hopstream/index/lang"
)

// maxCands bounds the candidates of one call, maxRun the words of one noun run.
const (
	maxCands = 512
	maxRun   = 6
)

// candKind says how a candidate was found.
type candKind uint8

const (
	candName   candKind = iota // a capitalised name
	candQuoted                 // a quoted title
	candTitle                  // the passage's title
	candRun                    // a run of content words
	candDate
	candYear
	candNumber
	candMoney
	candPercent
	candDuration
	candMeasure
	candOrdinal
	candListed // a word of the closed class asked for
	candPair   // two names or runs, joined by a comma, "and" or "of"
	candList   // names joined by commas and "and"
	candPhrase // a verb in -ing, or to and a verb, with its object
)

// cand is a stretch of text that could be the answer: tokens from to to of
// its sentence, or a passage's title.
type cand struct {
	kind     candKind
	sent     int
	from, to int
	text     string
	key      uint64 // of its content words
	asked    float32
	score    float32
}

// findCands fills sc.cands with the candidates that suit q.
func findCands(sc *scratch, q *query) {
	for i := range sc.blocks {
		b := &sc.blocks[i]
		sc.values = sc.values[:0]
		if q.group == groupDate || q.group == groupNumber || q.group == groupThing { // addValue takes no others
			sc.values = lang.Values(sc.values, b.text, sc.toks[b.from:b.to])
		}
		sc.names = sc.names[:0]
		if q.group != groupDate && q.group != groupNumber {
			sc.names = lang.AppendEntities(sc.names, b.text, sc.toks[b.from:b.to])
		}
		v, n, titled := 0, 0, false
		for k := range sc.sents {
			s := &sc.sents[k]
			if s.block != i {
				continue
			}
			for ; v < len(sc.values) && sc.values[v].From+b.from < s.to; v++ {
				addValue(sc, q, b, k, &sc.values[v])
			}
			for ; n < len(sc.names) && sc.names[n].From+b.from < s.to; n++ {
				addName(sc, q, b, k, n)
			}
			switch {
			case q.group == groupListed || q.group == groupCountry:
				addListed(sc, q, b, k)
			case q.group == groupThing || q.group == groupPlace && q.Head == "" || q.group == groupPerson:
				addRuns(sc, q, b, k)
			}
			if !titled && (q.group == groupPerson || q.group == groupPlace || q.group == groupThing) {
				titled = true
				addTitle(sc, b, k)
			}
		}
	}
	judgeCands(sc, q)
	if len(sc.cands) == 0 && (q.group == groupDate || q.group == groupNumber || q.group == groupListed) {
		// Nothing of the kind asked for: names and things instead.
		q.group, q.List = groupThing, 0
		findCands(sc, q)
	} else if len(sc.cands) == 0 && q.group == groupCountry {
		q.group, q.List = groupPlace, 0
		findCands(sc, q)
	}
}

func addCand(sc *scratch, c cand) {
	if len(sc.cands) < maxCands && c.text != "" && len(c.text) <= 200 {
		sc.cands = append(sc.cands, c)
	}
}

var valueKind = [...]candKind{
	lang.Year: candYear, lang.Date: candDate, lang.Number: candNumber, lang.Ordinal: candOrdinal,
	lang.Percent: candPercent, lang.Money: candMoney, lang.Duration: candDuration, lang.Measure: candMeasure,
}

func addValue(sc *scratch, q *query, b *block, k int, v *lang.Span) {
	kind := valueKind[v.Kind]
	dated := kind == candDate || kind == candYear
	switch q.group {
	case groupDate:
		if !dated {
			return
		}
		if q.Type == lang.YearType && kind == candDate {
			// "12 March 1923" holds the year asked for.
			for j := v.To - 1; j >= v.From; j-- {
				if t := &sc.toks[b.from+j]; lang.IsYear(t.Norm) {
					addCand(sc, cand{kind: candYear, sent: k, from: b.from + j, to: b.from + j + 1, text: t.Text})
					return
				}
			}
		}
	case groupNumber:
		if dated {
			return
		}
	case groupThing:
		if q.Head != "" && kind == candOrdinal {
			return
		}
	default:
		return
	}
	addCand(sc, cand{kind: kind, sent: k, from: b.from + v.From, to: b.from + v.To, text: v.Text})
	if q.group == groupNumber && (kind == candDuration || kind == candMeasure) && v.To-v.From == 2 {
		t := &sc.toks[b.from+v.From]
		addCand(sc, cand{kind: candNumber, sent: k, from: b.from + v.From, to: b.from + v.From + 1, text: t.Text})
	}
}

func addName(sc *scratch, q *query, b *block, k, n int) {
	s := &sc.names[n]
	kind := candName
	if s.Kind == lang.Quoted {
		kind = candQuoted
	}
	if q.group == groupListed || q.group == groupCountry {
		return
	}
	addCand(sc, cand{kind: kind, sent: k, from: b.from + s.From, to: b.from + s.To, text: s.Text})
	if first := listStart(sc, b, n); first < n && s.Kind == lang.Name { // "Morocco, Kenya and Ethiopia"
		p := &sc.names[first]
		addCand(sc, cand{kind: candList, sent: k, from: b.from + p.From, to: b.from + s.To, text: b.text[p.Start:s.End]})
	}
	if q.group == groupPlace && n > 0 { // "Stone, Staffordshire"
		p := &sc.names[n-1]
		if p.To == s.From && sc.toks[b.from+s.From].Sep == lang.Comma|lang.Space && p.Kind == lang.Name && s.Kind == lang.Name {
			addCand(sc, cand{kind: candPair, sent: k, from: b.from + p.From, to: b.from + s.To, text: b.text[p.Start:s.End]})
		}
	}
}

// listStart returns the first of the names that name n ends the list of, or n.
func listStart(sc *scratch, b *block, n int) int {
	if n == 0 {
		return n
	}
	s, p := &sc.names[n], &sc.names[n-1]
	if p.To+1 != s.From || sc.toks[b.from+p.To].Norm != "and" || sc.toks[b.from+p.To].Sep.Any(lang.End|lang.Open|lang.Close) {
		return n
	}
	first := n - 1
	for first > 0 && n-first < 6 && sc.names[first-1].To == sc.names[first].From && sc.toks[b.from+sc.names[first].From].Sep == lang.Comma|lang.Space {
		first--
	}
	return first
}

func addTitle(sc *scratch, b *block, k int) {
	t := b.title
	if i := strings.Index(t, " ("); i > 0 {
		t = t[:i]
	}
	if len(t) < 100 {
		addCand(sc, cand{kind: candTitle, sent: k, from: -1, to: -1, text: t})
	}
}

// addListed adds the words of the class asked for, the longest first.
func addListed(sc *scratch, q *query, b *block, k int) {
	s := &sc.sents[k]
	var tmp [64]byte
	for i := s.from; i < s.to; {
		to := 0
		if t := &sc.toks[i]; !t.Stop && !t.Num {
			key := tmp[:0]
			for j := i; j < min(i+3, s.to) && len(key)+len(sc.toks[j].Norm) < len(tmp)-1; j++ {
				if j > i {
					if sc.toks[j].Sep.Any(lang.Comma | lang.Open | lang.Close | lang.End | lang.Quote) {
						break
					}
					key = append(key, ' ')
				}
				key = append(key, sc.toks[j].Norm...)
				if c := lang.ClassOf(string(key)); c&q.List != 0 && classFits(c, q.List, t) {
					to = j + 1
				} else if j == i && len(key) > 3 && key[len(key)-1] == 's' && lang.ClassOf(string(key[:len(key)-1]))&q.List != 0 {
					to = j + 1
				}
			}
		}
		if to == 0 {
			i++
			continue
		}
		addCand(sc, cand{kind: candListed, sent: k, from: i, to: to, text: b.text[sc.toks[i].Start:sc.toks[to-1].End]})
		i = to
	}
}

// classFits refuses words whose shape speaks against the class.
func classFits(c, want lang.Class, t *lang.Token) bool {
	switch {
	case want&(lang.Country|lang.Demonym|lang.State|lang.Language|lang.Religion|lang.Continent) != 0:
		return t.Cap
	case want&(lang.Occupation|lang.Colour|lang.Instrument) != 0:
		return !t.Cap || t.First
	}
	return true
}

// addRuns adds runs of content words in sentence k that are no names: noun
// phrases, as far as that can be seen without a grammar.
func addRuns(sc *scratch, q *query, b *block, k int) {
	s := &sc.sents[k]
	last := -1 // where the run before ended, if "of", "and" or a comma follows it
	lastFrom, phrase := 0, false
	for i := s.from; i < s.to; {
		if !runWord(&sc.toks[i]) {
			i++
			continue
		}
		j := i + 1
		for j < s.to && j-i < maxRun && runWord(&sc.toks[j]) && !sc.toks[j].Sep.Any(lang.Comma|lang.Open|lang.Close|lang.End|lang.Quote|lang.Colon) &&
			!verbBetween(sc.toks, j, s.to) {
			j++
		}
		from, to := i, j
		i = j
		for from < to-1 && adverb(sc.toks[from].Norm) {
			from++
		}
		if to-from > 1 || !adverb(sc.toks[from].Norm) {
			addRun(sc, b, k, from, to, candRun)
		}
		if q.group == groupThing {
			addTrimmed(sc, b, k, from, to)
			if last >= 0 && from-last <= 2 && from-lastFrom <= 8 && !sepBetween(sc.toks, last, from, lang.Comma|lang.Open|lang.Close|lang.Quote|lang.Colon) {
				kind := candPair
				if phrase {
					kind = candPhrase
				}
				addRun(sc, b, k, lastFrom, to, kind)
			}
		}
		last, phrase = -1, false
		if to < s.to {
			switch n := sc.toks[to].Norm; {
			case n == "of" || n == "and" || n == "or" || n == "'s" || n == "for" || n == "in":
				last, lastFrom = to, from
			case opensPhrase(sc.toks, to-1) && (n == "the" || n == "a" || n == "an" || n == "its" || n == "their" || n == "his" || n == "her"):
				last, lastFrom, phrase = to, to-1, true
			}
		}
	}
}

// opensPhrase reports whether token i is a verb whose object may follow:
// "draining the land", "to win a prize".
func opensPhrase(toks []lang.Token, i int) bool {
	_, form := lang.Verb(toks[i].Norm)
	return form&lang.VerbIng != 0 || form&lang.VerbBase != 0 && i > 0 && toks[i-1].Norm == "to"
}

// sepBetween reports whether any of seps stands before tokens from to to.
func sepBetween(toks []lang.Token, from, to int, seps lang.Sep) bool {
	for i := from; i <= to; i++ {
		if toks[i].Sep.Any(seps) {
			return true
		}
	}
	return false
}

// addTrimmed adds a run without the question's own words at its ends, and the
// last two words of a long one.
func addTrimmed(sc *scratch, b *block, k, from, to int) {
	f, t := from, to
	for f < t && sc.hits[f] >= 0 {
		f++
	}
	for t > f && sc.hits[t-1] >= 0 {
		t--
	}
	if f < t && t-f < to-from {
		addRun(sc, b, k, f, t, candRun)
	}
	if to-from >= 3 && (f != to-2 || t != to) {
		addRun(sc, b, k, to-2, to, candRun)
	}
}

func addRun(sc *scratch, b *block, k, from, to int, kind candKind) {
	addCand(sc, cand{kind: kind, sent: k, from: from, to: to, text: b.text[sc.toks[from].Start:sc.toks[to-1].End]})
}

func runWord(t *lang.Token) bool { return !t.Stop || t.Norm == "own" }

// verbBetween reports whether token j looks like a verb that ends the run
// before it.
func verbBetween(toks []lang.Token, j, end int) bool {
	if toks[j].Cap || toks[j].Num || toks[j].Sep.Any(lang.Dash) {
		return false
	}
	_, form := lang.Verb(toks[j].Norm)
	if form == 0 || form&lang.VerbBase != 0 && form&lang.VerbPast == 0 {
		return false
	}
	// A verb form before a structure word or the end is a verb; before
	// another content word it may be an adjective.
	return j+1 >= end || toks[j+1].Stop || toks[j+1].Cap || form&(lang.VerbThird|lang.VerbPast) != 0
}

func adverb(norm string) bool {
	return len(norm) > 4 && norm[len(norm)-2:] == "ly" || norm == "often" || norm == "never" || norm == "still" || norm == "now"
}

// judgeCands drops candidates that only repeat the question, and gives the
// others the key under which mentions of one answer meet.
func judgeCands(sc *scratch, q *query) {
	out := sc.cands[:0]
	for _, c := range sc.cands {
		var total, asked float32
		var key uint64
		add := func(t *lang.Token) {
			if t.Stop {
				return
			}
			total++
			key += t.Hash * (t.Hash | 1)
			if q.find(t.Hash) >= 0 {
				asked++
			}
		}
		if c.from < 0 {
			at := len(sc.toks)
			sc.toks = lang.AppendTokens(sc.toks, c.text)
			for i := at; i < len(sc.toks); i++ {
				add(&sc.toks[i])
			}
			sc.toks = sc.toks[:at]
		} else {
			for i := c.from; i < c.to; i++ {
				add(&sc.toks[i])
			}
		}
		if total == 0 || asked == total {
			continue
		}
		c.asked, c.key = asked/total, key
		out = append(out, c)
	}
	sc.cands = out
	for i := range sc.cands {
		c := &sc.cands[i]
		sc.count[c.key] |= 1 << (uint(c.sent) & 63)
	}
}
