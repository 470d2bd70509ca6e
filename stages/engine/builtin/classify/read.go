package classify

import (
	"math/bits"
	"strings"

	"hopstream/index/lang"
)

// maxClassify bounds the tokens that are looked at.
const maxClassify = 200

// routing is a question as the router sees it. How it was typed makes no
// difference: capitals, quotes, brackets with their content, the mark at the end
// and white space before "'s" and "n't" are ignored.
type routing struct {
	toks []lang.Token
	tags [2*maxClassify + 2]string
	n    int // tags
	asks int // question words
}

// read reads text.
func (q *routing) read(text string) {
	all := lang.Tokens(text)
	all = all[:min(len(all), maxClassify)]
	q.toks, q.n, q.asks = all[:0], 0, 0
	q.put(tagStart)
	depth, end, asked := 0, 0, false
	for i := range all {
		w := all[i]
		gap := text[end:w.Start]
		end = w.End
		for k := range len(gap) {
			switch gap[k] {
			case '(', '[':
				depth++
			case ')', ']':
				depth = max(0, depth-1)
			}
		}
		if depth > 0 || w.Norm == "n't" {
			continue
		}
		w.Sep &^= lang.End
		switch n := len(q.toks); {
		case n == 0:
			w.Sep = lang.End
		case breaks(gap, &all[i-1]) || asked && turnsRound(all, i):
			w.Sep |= lang.End
			q.put(tagBreak)
		case w.Sep.Any(lang.Comma | lang.Colon):
			q.put(tagComma)
		}
		if questionWord(w.Norm) {
			q.asks++
		}
		asked = asked || q.asks > 0 || len(q.toks) == 0 && lang.IsAuxiliary(w.Norm)
		q.toks = append(q.toks, w)
		if tag := tagOf(&w); tag != tagName || q.tags[q.n-1] != tagName {
			q.put(tag)
		}
	}
	q.put(tagEnd)
}

func (q *routing) put(tag string) {
	q.tags[q.n] = tag
	q.n++
}

// breaks reports whether a sentence ends in the gap after token w, whatever
// the case of what follows.
func breaks(gap string, w *lang.Token) bool {
	if strings.ContainsAny(gap, "?!") {
		return true
	}
	dot := strings.IndexByte(gap, '.')
	if dot < 0 || dot+1 == len(gap) || len(w.Norm) < 2 || w.Num {
		return false
	}
	switch w.Norm {
	case "mr", "mrs", "ms", "dr", "st", "jr", "sr", "vs", "no", "nos", "inc", "ltd", "co", "corp", "bros", "mt", "ft",
		"lt", "col", "gen", "sgt", "capt", "adm", "gov", "sen", "rep", "rev", "hon", "prof", "approx", "ca", "op", "vol":
		return false
	}
	return true
}

// turnsRound reports whether the question word at token i, within a sentence,
// opens a question of its own though no mark stands before it: behind it the
// auxiliary precedes the subject, which it does not in a relative clause.
func turnsRound(toks []lang.Token, i int) bool {
	prev := toks[i-1].Norm
	if lang.IsPreposition(prev) || lang.IsAuxiliary(prev) || prev == "and" || prev == "or" || prev == "the" || i+2 >= len(toks) {
		return false
	}
	inverts := func(k int) bool { return k+1 < len(toks) && lang.IsAuxiliary(toks[k].Norm) }
	switch toks[i].Norm {
	case "what", "why", "when", "where":
		return inverts(i+1) || toks[i].Norm == "what" && inverts(i+2)
	case "how":
		return inverts(i+1) || inverts(i+2) || inverts(i+3) || inverts(i+4)
	case "who", "which":
		return toks[i+1].Norm == "did" || toks[i+1].Norm == "does" || toks[i+1].Norm == "do" || toks[i].Norm == "which" && inverts(i+2)
	}
	return false
}

// maxTimes bounds how often a tag is counted.
const maxTimes = 4

// appendTraits appends the hashes of all that the question has, some more than
// once: tags in a row (one to three), one tag a number of times, and how many
// question words there are.
func (q *routing) appendTraits(dst []uint64) []uint64 {
	dst = append(dst, followed(askings, uint64(min(q.asks, maxTimes))))
	var hash [len(q.tags)]uint64
	for i := range q.n {
		hash[i] = lang.Hash(q.tags[i])
	}
	for i := range q.n {
		h := hash[i]
		if i > 0 && i < q.n-1 { // every question starts and ends
			dst = append(dst, h)
		}
		times := 1
		for k := i - 1; k >= 0 && times < maxTimes; k-- {
			if hash[k] == h {
				times++
			}
		}
		if times > 1 {
			dst = append(dst, followed(h, uint64(times)))
		}
		for k := i + 1; k < min(i+3, q.n); k++ {
			h = followed(h, hash[k])
			dst = append(dst, h)
		}
	}
	return dst
}

// askings sets the number of question words apart from tags.
const askings = 0x51ed270b7a1f4d2b

// followed is the hash of tags in a row.
func followed(h, next uint64) uint64 { return bits.RotateLeft64(h*0x9E3779B97F4A7C15, 29) ^ next }

func questionWord(n string) bool {
	switch n {
	case "who", "whom", "whose", "what", "which", "when", "where", "why", "how", "whats", "whos":
		return true
	}
	return false
}
