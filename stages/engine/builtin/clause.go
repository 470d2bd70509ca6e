package builtin

import (
	"hopstream/index/lang"
	"hopstream/messages"
)

// maxClause bounds an answer that is a clause, in tokens.
const maxClause = 24

// clauseAnswer answers a question for a description with part of the sentence
// that has most of the question: what follows the word that introduces a
// reason, a manner or a definition, else what follows the question's words.
func clauseAnswer(sc *scratch, q *query) (messages.Finding, bool) {
	best := -1
	var top float32
	for i := range sc.sents {
		s := &sc.sents[i]
		w := s.own + 0.5*s.wide + 0.1*sc.blocks[s.block].score
		if _, ok := introduced(sc, q, s); ok {
			w += 0.3
		}
		if s.to-s.from < 4 {
			w -= 0.5
		}
		if w > top {
			best, top = i, w
		}
	}
	if best < 0 || sc.sents[best].own == 0 && sc.sents[best].wide < 0.3 {
		return messages.Finding{}, false
	}
	s := &sc.sents[best]
	from, ok := introduced(sc, q, s)
	if !ok {
		from = afterQuestion(sc, q, s)
	}
	b := &sc.blocks[s.block]
	to := from
	for to < s.to && to-from < maxClause {
		if to-from >= 4 && sc.toks[to].Sep.Any(lang.Comma|lang.Open|lang.Colon) && !sc.toks[to].Sep.Any(lang.Close) {
			break
		}
		to++
	}
	if from >= to {
		return messages.Finding{}, false
	}
	return messages.Finding{
		Text:       tidy(b.text[sc.toks[from].Start:sc.toks[to-1].End]),
		Confidence: min(0.6, 0.15+0.4*float64(s.wide)),
		Sources:    []messages.Source{sc.source(s.block)},
	}, true
}

// introduced returns where the clause begins that answers q's question word.
func introduced(sc *scratch, q *query, s *sent) (int, bool) {
	for i := s.from; i+1 < s.to; i++ {
		t := &sc.toks[i]
		switch q.Wh {
		case "why":
			switch t.Norm {
			case "because", "since":
				return i + 1, true
			case "due":
				return i + 2, i+2 < s.to
			}
		case "how":
			if t.Norm == "by" && i+1 < s.to {
				if _, form := lang.Verb(sc.toks[i+1].Norm); form&lang.VerbIng != 0 {
					return i, true
				}
			}
			if t.Norm == "through" || t.Norm == "via" {
				return i, true
			}
		default:
			// "X is a …", after all the names of the question
			if lang.IsBe(t.Norm) || t.Norm == "means" || t.Norm == "refers" {
				var set uint64
				for j := s.from; j < i; j++ {
					if h := sc.hits[j]; h >= 0 {
						set |= 1 << h
					}
				}
				if set != 0 && i-s.from <= 14 || i-s.from <= 2 && sc.blocks[s.block].inTitle != 0 {
					if t.Norm == "refers" && i+2 < s.to {
						i++
					}
					return i + 1, true
				}
			}
		}
	}
	return 0, false
}

// afterQuestion returns the token after the last word the question has, or
// the sentence's first where nothing is left after it.
func afterQuestion(sc *scratch, q *query, s *sent) int {
	last := s.from - 1
	for i := s.from; i < s.to; i++ {
		if sc.hits[i] >= 0 {
			last = i
		}
	}
	if s.to-last-1 >= 2 {
		return last + 1
	}
	return s.from
}

// worthBehind is what a candidate gains that stands right behind the verb and
// the preposition with which the question ends, as measured against the scores
// of spanWeights: enough to win over others of the same sentence.
const worthBehind = 3

// stranded returns the hash of the verb before a question's last word, and that
// word, if it is a preposition whose object is asked for: "named after" of
// "What is polonium named after?".
func stranded(q *query) (verb uint64, preposition string) {
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

// behind reports whether a candidate stands right behind verb and preposition,
// but for an article.
func behind(sc *scratch, c *cand, verb uint64, preposition string) bool {
	if c.from < 0 {
		return false
	}
	s := &sc.sents[c.sent]
	at := c.from - 1
	if at > s.from && (sc.toks[at].Norm == "the" || sc.toks[at].Norm == "a" || sc.toks[at].Norm == "an") {
		at--
	}
	return at > s.from && sc.toks[at].Norm == preposition && sc.toks[at-1].Hash == verb
}
