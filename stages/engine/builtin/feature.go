package builtin

import (
	"math"
	"math/bits"

	"hopstream/index/lang"
	"hopstream/stages/engine/builtin/read"
)

// What is measured about a candidate. Adding a measure is one line here, one
// in features, and one column of weights.go.
const (
	fOwn        = iota // share of the question's weight in its sentence
	fWide              // the same with the title and the sentence before
	fTitle             // share in the passage's title
	fScore             // the window's likeness to the question
	fRank              // 1/(1+the window's rank)
	fLead              // in the first sentence of the passage
	fNear              // closeness to the nearest word of the question
	fMass              // closeness to all of them, by weight
	fNearPred          // closeness to the nearest that is no name
	fNearHead          // closeness to the head noun
	fPredBefore        // such a word stands just before it
	fPredAfter         // such a word stands just after it
	fNameBefore        // a name of the question's stands just before it
	fNameAfter         // a name of the question's stands just after it
	fVerbOrder         // after the verb (1), before it (-1)
	fAsked             // share of its words that the question has
	fSubject           // opens its sentence
	fAppos             // between comma and comma or bracket
	fBracket           // just after an opening bracket
	fCopula            // just after a form of be, or be and an article
	fCopulaNext        // just before a form of be
	fBy                // just after "by"
	fIn                // just after in, at, from, near
	fOn                // just after on, in, since, during
	fTo                // just after to, as, called, named, for
	fOf                // just after "of"
	fThe               // just after "the"
	fVerbBefore        // just after any verb
	fWords             // its length in words, logarithmic
	fRedundant         // how many sentences mention it, logarithmic
	fName              // kinds
	fQuoted
	fTitled
	fRun
	fDate
	fYear
	fNumber
	fUnit // money, percent, duration, measure
	fOrdinal
	fPair
	fPhrase
	fList
	fPlural    // joined, and the question asks for several
	fFit       // the very kind asked for
	fMisfit    // surely another kind
	fPerson    // looks like a person
	fPlace     // looks like a place
	fOrg       // looks like an organisation
	fDemonym   // is a nationality
	fHeadIn    // has the head noun in it, or just after it
	fSecond    // the second date in brackets: a death
	fBornCue   // asks for a birth and is the first date in brackets
	fDeathCue  // asks for a death and is the second
	fCommonW   // made of everyday words only
	fBest      // its sentence's share, of the best sentence's
	fBestWide  // the same with title and names before
	fSubjVerb  // the question asks for the subject: before the verb (1), after (-1)
	fSubjPred  // the same: a word that is no name stands just after it
	fSubjName  // the same: a name of the question's comes after it in the sentence
	fObjVerb   // the question asks for the object: after the verb (1), before (-1)
	fObjPred   // the same: a word that is no name stands just before it
	fObjName   // the same: a name of the question's comes before it in the sentence
	fNamed     // share of the title's words that the question has
	fNames     // share of the question's names that the title has
	fAllNames  // the same of title, sentence and the sentence before
	fCoverNear // share of the question's weight within eight words of it
	fEnding    // right behind the verb and preposition with which the question ends
	fPage      // its unit's share of the softmax over the page's units
	fPageLog   // its logarithm, in tens
	fPageBest  // its unit is the best
	features
)

// measure computes the features of a candidate.
func measure(sc *scratch, q *query, page *read.Page, c *cand, f *[features]float32) {
	*f = [features]float32{}
	s := &sc.sents[c.sent]
	b := &sc.blocks[s.block]
	f[fOwn], f[fWide] = s.own, s.wide
	if sc.topOwn > 0 {
		f[fBest] = s.own / sc.topOwn
	}
	if sc.topWide > 0 {
		f[fBestWide] = s.wide / sc.topWide
	}
	f[fTitle] = q.share(b.inTitle)
	f[fNamed], f[fNames], f[fAllNames] = b.named, b.names, s.names
	f[fScore] = b.score
	f[fRank] = 1 / float32(1+b.rank)
	if s.unit >= 0 {
		p := page.Units[s.unit].P
		f[fPage], f[fPageLog] = p, float32(math.Log(float64(p)+1e-5))/10
		f[fPageBest] = indicator(s.unit == sc.bestUnit)
	}
	if b.lead && s.from == b.from {
		f[fLead] = 1
	}
	f[fAsked] = c.asked
	f[fRedundant] = log2(bits.OnesCount64(sc.count[c.key]))
	shape(sc, q, c, f)
	if c.from < 0 {
		f[fWords] = log2(1 + len(c.text)/7)
		return
	}
	f[fWords] = log2(c.to - c.from)
	distances(sc, q, c, s, f)
	surroundings(sc, q, c, s, f)
	f[fEnding] = indicator(behindEnding(sc, q, c))
}

// endingOf returns the hash of the verb before a question's last word, and that
// word, if it is a preposition whose object is asked for: "named after" of
// "What is polonium named after?".
func endingOf(q *lang.Question) (verb uint64, preposition string) {
	n := len(q.Tokens)
	if n < 3 || q.WhAt < 0 || !lang.IsPreposition(q.Tokens[n-1].Norm) {
		return 0, ""
	}
	v := &q.Tokens[n-2]
	if _, form := lang.Verb(v.Norm); v.Stop || form == 0 {
		return 0, ""
	}
	return v.Hash, q.Tokens[n-1].Norm
}

// behindEnding reports whether a candidate stands right behind the question's
// ending, but for an article.
func behindEnding(sc *scratch, q *query, c *cand) bool {
	if q.endVerb == 0 {
		return false
	}
	from := sc.sents[c.sent].from
	at := c.from - 1
	if at > from && (sc.toks[at].Norm == "the" || sc.toks[at].Norm == "a" || sc.toks[at].Norm == "an") {
		at--
	}
	return at > from && sc.toks[at].Norm == q.endWord && sc.toks[at-1].Hash == q.endVerb
}

// log2 returns the logarithm of n, which is small; 0 for less than 1.
func log2(n int) float32 { return logs[max(0, min(n, len(logs)-1))] }

var logs = func() (t [65]float32) {
	for i := 1; i < len(t); i++ {
		t[i] = float32(math.Log2(float64(i)))
	}
	return t
}()

// distances measures how close the question's words are.
func distances(sc *scratch, q *query, c *cand, s *sent, f *[features]float32) {
	near, nearPred, nearHead := 99, 99, 99
	var seen, close uint64
	var mass float32
	nameBefore, nameAfter := float32(0), float32(0)
	for i := s.from; i < s.to; i++ {
		h := sc.hits[i]
		if h < 0 {
			continue
		}
		bit := uint64(1) << h
		d := 0
		switch {
		case i < c.from:
			d = c.from - i
		case i >= c.to:
			d = i - c.to + 1
		default:
			continue // the question's own word inside
		}
		near = min(near, d)
		if d <= 8 {
			close |= bit
		}
		if bit&q.names != 0 {
			if i < c.from {
				nameBefore = 1
			} else {
				nameAfter = 1
			}
		}
		if bit&q.preds != 0 && bit&q.head == 0 {
			nearPred = min(nearPred, d)
			if d <= 3 {
				if i < c.from {
					f[fPredBefore] = max(f[fPredBefore], 1/float32(d))
				} else {
					f[fPredAfter] = max(f[fPredAfter], 1/float32(d))
				}
			}
			if bit&q.verb != 0 && f[fVerbOrder] == 0 {
				f[fVerbOrder] = 1
				if i >= c.to {
					f[fVerbOrder] = -1
				}
			}
		}
		if bit&q.names != 0 && d <= 3 {
			if i < c.from {
				f[fNameBefore] = max(f[fNameBefore], 1/float32(d))
			} else {
				f[fNameAfter] = max(f[fNameAfter], 1/float32(d))
			}
		}
		if bit&q.head != 0 {
			nearHead = min(nearHead, d)
		}
		if seen&bit == 0 {
			seen |= bit
			mass += q.terms[h].weight / (1 + float32(d)/4)
		}
	}
	closeness := func(d int) float32 {
		if d >= 99 {
			return 0
		}
		return 1 / (1 + float32(d)/3)
	}
	f[fNear], f[fNearPred], f[fNearHead] = closeness(near), closeness(nearPred), closeness(nearHead)
	if q.total > 0 {
		f[fMass] = mass / q.total
		f[fCoverNear] = q.weigh(close) / q.total
	}
	switch q.form {
	case asksSubject:
		f[fSubjVerb], f[fSubjPred], f[fSubjName] = -f[fVerbOrder], f[fPredAfter], nameAfter-nameBefore
	case asksObject:
		f[fObjVerb], f[fObjPred], f[fObjName] = f[fVerbOrder], f[fPredBefore], nameBefore-nameAfter
	}
}

// surroundings looks at the words and marks around the candidate.
func surroundings(sc *scratch, q *query, c *cand, s *sent, f *[features]float32) {
	t := &sc.toks[c.from]
	if c.from == s.from || c.from == s.from+1 && sc.toks[s.from].Stop {
		f[fSubject] = 1
	}
	if t.Sep.Any(lang.Open) {
		f[fBracket] = 1
	}
	if t.Sep.Any(lang.Comma|lang.Open) && (c.to >= s.to || sc.toks[c.to].Sep.Any(lang.Comma|lang.Close|lang.End)) {
		f[fAppos] = 1
	}
	if c.to < s.to && lang.IsBe(sc.toks[c.to].Norm) {
		f[fCopulaNext] = 1
	}
	if c.from > s.from {
		i := c.from - 1
		p := &sc.toks[i]
		if p.Norm == "the" || p.Norm == "a" || p.Norm == "an" || p.Norm == "his" || p.Norm == "her" || p.Norm == "its" {
			f[fThe] = 1
			if i > s.from {
				i--
				p = &sc.toks[i]
			}
		}
		switch p.Norm {
		case "is", "are", "was", "were", "be", "been":
			f[fCopula] = 1
		case "by":
			f[fBy] = 1
		case "in":
			f[fIn], f[fOn] = 1, 1
		case "at", "from", "near":
			f[fIn] = 1
		case "on", "since", "during", "until":
			f[fOn] = 1
		case "to", "as", "called", "named", "for", "into":
			f[fTo] = 1
		case "of":
			f[fOf] = 1
		default:
			if !p.Stop && !p.Cap {
				if _, form := lang.Verb(p.Norm); form != 0 {
					f[fVerbBefore] = 1
				}
			}
		}
	}
	if q.group == groupDate && (c.kind == candDate || c.kind == candYear) {
		bracketDates(sc, q, c, s, f)
	}
	if q.head != 0 && q.Head != "" {
		for i := c.from; i < min(c.to+1, s.to); i++ {
			if h := sc.hits[i]; h >= 0 && q.head>>h&1 == 1 {
				f[fHeadIn] = 1
			}
		}
		if c.from > s.from {
			if h := sc.hits[c.from-1]; h >= 0 && q.head>>h&1 == 1 {
				f[fHeadIn] = 1
			}
		}
	}
}

var (
	hashBorn = lang.Hash(lang.Stem("born"))
	hashDie  = lang.Hash(lang.Stem("die"))
)

// bracketDates reads "(12 March 1923 – 5 April 1980)", "born 12 March 1923".
func bracketDates(sc *scratch, q *query, c *cand, s *sent, f *[features]float32) {
	open, dash := false, sc.toks[c.from].Sep.Any(lang.Dash)
	for i, n := c.from, 0; i > s.from && n < 12; i, n = i-1, n+1 {
		sep := sc.toks[i].Sep
		if sep.Any(lang.Open) {
			open = true
			break
		}
		if sep.Any(lang.Close) {
			break
		}
		if i < c.from && sep.Any(lang.Dash) && !sc.toks[i].Num {
			dash = true
		}
	}
	var words float32 // "born" 1, "died" -1, just before it
	for i := max(s.from, c.from-6); i < c.from; i++ {
		switch sc.toks[i].Hash {
		case hashBorn:
			words = 1
		case hashDie:
			words = -1
		}
	}
	if open && words == 0 {
		words = 1
		if dash {
			words = -1
			f[fSecond] = 1
		}
	}
	if q.born {
		f[fBornCue] = words
	}
	if q.died {
		f[fDeathCue] = -words
	}
}

func indicator(yes bool) float32 {
	if yes {
		return 1
	}
	return 0
}
