package links

import (
	"math"
	"strings"
	"sync/atomic"

	"hopstream/index/lang"
	"hopstream/messages"
)

// token is one word of a passage in memory. On disk it takes four bytes
// (record.go).
type token struct {
	norm  uint32 // of the normal form
	stem  int32  // of the stem, -1 for a stop word
	sent  uint16 // sentence, the title's being 0
	flags uint8
}

const (
	capital uint8 = 1 << iota
	number
	named // part of a capitalised name
)

// maxTokens is how much of one passage is read. Passages of the usual length
// have a few hundred.
const maxTokens = 8192

// span is a stretch of a passage's tokens that names it: a key of the title
// dictionary.
type span struct {
	from, to int32
	weak     bool // an alias
}

// passage is one as the ranker sees it.
type passage struct {
	id, name, text string
	place          string  // as messages.PackPlace has it
	toks           []token // title, then text, then the headings above it
	title          int32   // tokens of the title
	core           int32   // tokens of the title without its suffix in brackets
	first          int32   // end of the first sentence
	length         int32   // terms
	keys           []span
	called         uint64 // the hash of its title as a key, 0 where it has none

	named atomic.Pointer[naming]
}

// naming is the titles that a passage mentions, and the state of the dictionary
// that they were looked up in.
type naming struct {
	changes  uint32 // of the dictionary
	mentions []mention
}

// mentions returns the titles that p mentions. The result is kept until the
// dictionary of titles changes.
func (p *passage) mentions(t *titles) []mention {
	if n := p.named.Load(); n != nil && n.changes == t.changes {
		return n.mentions
	}
	n := &naming{t.changes, t.match(nil, p.toks, int(p.title), maxMentions)}
	p.named.Store(n)
	return n.mentions
}

func (p *passage) message() messages.Passage {
	return messages.Passage{ID: p.id, Title: p.name, Text: p.text, Place: messages.UnpackPlace(p.place)}
}

// reading is a passage cut into words, before the words have numbers.
type reading struct {
	p           messages.Passage
	place       string
	title, body []lang.Token
	above       []lang.Token // of the headings above it
	names       []lang.Span  // in body
	lead        int          // tokens of body in the headings that it begins with
}

// read cuts p into words. It needs no lock.
func read(p messages.Passage) reading {
	r := reading{p: p, place: messages.PackPlace(p.Place), title: lang.Tokens(p.Title), body: lang.Tokens(p.Text)}
	r.title = r.title[:min(len(r.title), maxTokens/2)]
	r.body = r.body[:min(len(r.body), maxTokens-len(r.title))]
	r.names, r.lead = lang.Entities(p.Text, r.body), leading(p.Text, r.body)
	if above := p.Above(); above != "" {
		r.above = lang.Tokens(above)
		r.above = r.above[:min(len(r.above), maxTokens-len(r.title)-len(r.body))]
	}
	return r
}

// passage gives the words of r their numbers and finds what r may be called.
func (c *corpus) passage(r reading) *passage {
	p := &passage{id: r.p.ID, name: r.p.Title, text: r.p.Text, place: r.place}
	p.toks = make([]token, 0, len(r.title)+len(r.body)+len(r.above))
	c.read(p, r.title, 0)
	p.title = int32(len(p.toks))
	c.read(p, r.body, 0)
	if len(r.above) > 0 { // a sentence of their own, at the end: no headings are taken for what the text begins with
		sent := uint16(1)
		if len(r.body) > 0 {
			sent += min(p.toks[len(p.toks)-1].sent, math.MaxUint16-1)
		}
		c.read(p, r.above, sent)
	}
	for i := range p.title {
		p.toks[i].flags |= named
	}
	for _, s := range r.names {
		for i := s.From; i < s.To; i++ {
			p.toks[int(p.title)+i].flags |= named
		}
	}
	for _, t := range p.toks {
		if t.stem >= 0 {
			p.length++
		}
	}
	p.first = p.title + firstSentence(p.toks[p.title:int(p.title)+len(r.body)], r.lead)
	c.findKeys(p, r)
	return p
}

// leading returns how many of the tokens of text are in the headings that it
// begins with.
func leading(text string, toks []lang.Token) int {
	end := 0
	for rest := text; strings.HasPrefix(rest, "#"); {
		_, after, _ := strings.Cut(rest, "\n")
		rest = strings.TrimLeft(after, "\n")
		end = len(text) - len(rest)
	}
	n := 0
	for n < len(toks) && toks[n].End <= end {
		n++
	}
	return n
}

// firstSentence returns where the first sentence of a text ends that begins with
// lead tokens of headings.
func firstSentence(body []token, lead int) int32 {
	for i := lead; i < len(body); i++ {
		if body[i].sent > body[lead].sent {
			return int32(i)
		}
	}
	return int32(len(body))
}

// read appends toks to p's, from sentence sent on.
func (c *corpus) read(p *passage, toks []lang.Token, sent uint16) {
	for i := range toks {
		t := &toks[i]
		if t.First && i > 0 && sent < math.MaxUint16 {
			sent++
		}
		n := token{norm: c.number(t), sent: sent}
		n.stem = c.stemOf[n.norm-1]
		if t.Cap {
			n.flags |= capital
		}
		if t.Num {
			n.flags |= number
		}
		p.toks = append(p.toks, n)
	}
}

// findKeys finds the names p may be called by: its title without what stands
// in brackets; that without "The", or up to a comma; and the subject of its
// first sentence, if that shares a word with the title.
func (c *corpus) findKeys(p *passage, r reading) {
	core, comma := partsOfTitle(r.title)
	p.core = core
	key := func(from, to int32, weak bool) {
		if worthy(p.toks[from:to], weak) {
			p.keys = append(p.keys, span{from, to, weak})
			if !weak {
				p.called = keyOf(p.toks[from:to])
			}
		}
	}
	key(0, p.core, false)
	if p.core > 2 && r.title[0].Norm == "the" {
		key(1, p.core, true)
	}
	if comma > 0 {
		key(0, comma, true)
	}
	from, end := subject(r.body[r.lead:int(p.first-p.title)])
	if end == 0 {
		return
	}
	start := p.title + int32(r.lead)
	from, end = from+start, end+start
	name := p.toks[from:end]
	if isName(name) && (len(name) > 1 || p.title == 0) && shares(name, p.toks[:p.title]) {
		key(from, end, true)
	}
}

// partsOfTitle returns where what stands in brackets begins, or else the
// title's end, and where the first comma before that is, or 0.
func partsOfTitle(title []lang.Token) (core, comma int32) {
	for i := 1; i < len(title); i++ {
		if title[i].Sep.Any(lang.Open) {
			return int32(i), comma
		}
		if comma == 0 && title[i].Sep.Any(lang.Comma) {
			comma = int32(i)
		}
	}
	return int32(len(title)), comma
}

// subject returns from where to where a sentence names its subject, without an
// article: up to a form of be, a comma or a bracket. Both are 0 where none of
// them comes soon.
func subject(sentence []lang.Token) (from, end int32) {
	for i := 1; i < len(sentence) && i <= 8; i++ {
		if t := &sentence[i]; t.Sep.Any(lang.Open|lang.Comma) || isBe(t.Norm) {
			end = int32(i)
			break
		}
	}
	if end > 1 {
		if n := sentence[0].Norm; n == "the" || n == "a" || n == "an" {
			from = 1
		}
	}
	return from, end
}

// worthy reports whether a title may be looked for in texts: it must not be too
// long, and must have a word that is not a stop word. A full title such as "The
// Who" may consist of stop words.
func worthy(toks []token, weak bool) bool {
	if len(toks) == 0 || len(toks) > maxKey {
		return false
	}
	for _, t := range toks {
		if t.stem >= 0 {
			return true
		}
	}
	return len(toks) > 1 && !weak
}

func isName(toks []token) bool {
	caps := 0
	for _, t := range toks {
		if t.flags&(capital|number) != 0 {
			caps++
		} else if t.stem >= 0 {
			return false
		}
	}
	return caps > 0 && toks[0].stem >= 0
}

func shares(toks, title []token) bool {
	for _, t := range toks {
		for _, u := range title {
			if t.norm == u.norm && t.stem >= 0 {
				return true
			}
		}
	}
	return len(title) == 0
}

// isBe reports whether a normal form is a form of "to be".
func isBe(norm string) bool {
	switch norm {
	case "is", "are", "was", "were", "be", "been", "am":
		return true
	}
	return false
}
