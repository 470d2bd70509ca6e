package builtin

import "hopstream/index/lang"

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
