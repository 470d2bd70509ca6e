package builtin

import (
	"math"
	"math/bits"
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
)

const (
	maxBlocks   = 64      // windows looked at
	maxSentence = 96      // tokens; longer stretches are cut
	maxText     = 8 << 10 // bytes of one window
	overlapKey  = 24      // bytes that must agree for two windows to be joined
)

// block is a stretch of one passage: windows that overlap, joined.
type block struct {
	text    string
	passage string
	title   string
	heading string
	score   float32 // the best window's
	rank    int     // the best window's place, from 0
	from    int     // its tokens in scratch.toks: from, to
	to      int
	inTitle uint64  // the question's terms in the title
	lead    bool    // probably the passage's beginning
	named   float32 // share of the title's words that are the question's
	names   float32 // share of the question's names that the title has
}

// sent is a sentence of a block: tokens from to to.
type sent struct {
	block    int
	from, to int
	set      uint64 // the question's terms in it
	unit     int    // the page's that it begins in, or -1
	own      float32
	wide     float32 // with the title, and names of the sentence before
	names    float32 // share of the question's names in all these
}

// readWindows fills sc with the blocks and sentences of windows.
func readWindows(sc *scratch, q *query, windows []messages.Window) {
	for i := range windows {
		if len(sc.blocks) == maxBlocks {
			break
		}
		w := &windows[i]
		text := clip(w.Text, maxText)
		if !joinWindow(sc.blocks, w, text) {
			sc.blocks = append(sc.blocks, block{text: text, passage: w.Passage, title: w.Title, heading: w.Heading, score: float32(w.Score), rank: i})
		}
	}
	for i := range sc.blocks {
		b := &sc.blocks[i]
		if b.title != "" {
			at := len(sc.toks)
			sc.toks = lang.AppendTokens(sc.toks, clip(b.title, 256))
			b.inTitle = q.match(sc.toks[at:])
			b.named = q.namedBy(sc.toks[at:])
			sc.toks = sc.toks[:at]
		}
		b.from = len(sc.toks)
		sc.toks = lang.AppendTokens(sc.toks, b.text)
		b.to = len(sc.toks)
		b.lead = b.title != "" && len(b.text) > 3 && strings.HasPrefix(b.text, clip(b.title, 8))
		splitBlock(sc, q, i)
	}
	weighSents(sc, q)
}

// weighSents gives the question's words the weight of their rarity among the
// sentences, and each sentence its share of it.
func weighSents(sc *scratch, q *query) {
	var df [maxTerms]int
	for i := range sc.sents {
		for set := sc.sents[i].set; set != 0; set &= set - 1 {
			df[bits.TrailingZeros64(set)]++
		}
	}
	n := float64(len(sc.sents))
	q.total = 0
	for i := range q.terms {
		q.terms[i].weight *= float32(math.Log(1+(n-float64(df[i])+0.5)/(float64(df[i])+0.5)) + rarityFloor)
		q.total += q.terms[i].weight
	}
	names := max(q.weigh(q.names), 1e-6)
	for i := range sc.blocks {
		sc.blocks[i].names = q.weigh(sc.blocks[i].inTitle&q.names) / names
	}
	sc.topOwn, sc.topWide = 0, 0
	for k := range sc.sents {
		s := &sc.sents[k]
		set := s.set | sc.blocks[s.block].inTitle
		if k > 0 && sc.sents[k-1].block == s.block {
			set |= sc.sents[k-1].set & q.names
		}
		s.own, s.wide = q.share(s.set), q.share(set)
		s.names = q.weigh(set&q.names) / names
		sc.topOwn, sc.topWide = max(sc.topOwn, s.own), max(sc.topWide, s.wide)
	}
}

// joinWindow joins a window to a block of the same passage it overlaps with.
func joinWindow(blocks []block, w *messages.Window, text string) bool {
	if len(text) < overlapKey {
		return false
	}
	for i := range blocks {
		b := &blocks[i]
		if b.passage != w.Passage || b.passage == "" || len(b.text) < overlapKey || len(b.text)+len(text) > 2*maxText {
			continue
		}
		if at := strings.Index(b.text, text[:overlapKey]); at >= 0 {
			rest := b.text[at:]
			if len(rest) >= len(text) {
				if strings.HasPrefix(rest, text) {
					return true
				}
			} else if strings.HasPrefix(text, rest) {
				b.text += text[len(rest):]
				return true
			}
			continue
		}
		if at := strings.Index(text, b.text[:overlapKey]); at >= 0 {
			rest := text[at:]
			if len(rest) >= len(b.text) && strings.HasPrefix(rest, b.text) {
				b.text = text
				return true
			} else if strings.HasPrefix(b.text, rest) {
				b.text = text[:at] + b.text
				return true
			}
		}
	}
	return false
}

// splitBlock appends the sentences of block i and marks their terms.
func splitBlock(sc *scratch, q *query, i int) {
	b := &sc.blocks[i]
	for j := b.from; j < b.to; {
		s := sent{block: i, from: j}
		for j < b.to && (j == s.from || !sc.toks[j].First && j-s.from < maxSentence) {
			hit := q.find(sc.toks[j].Hash)
			sc.hits = append(sc.hits, int8(hit))
			if hit >= 0 {
				s.set |= 1 << hit
			}
			j++
		}
		s.to = j
		sc.sents = append(sc.sents, s)
	}
}

// clip returns at most n bytes of s, whole runes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
