package read

import (
	"slices"
	"strings"

	"hopstream/index/lang"
)

// maxLinked bounds the texts whose names are looked for, maxName the words of one.
const (
	maxLinked = 64
	maxName   = 8
)

// linked is what the texts of a page have to do with one another: a text names
// another one where it has the words of its title, up to a bracket, one behind
// the other.
type linked struct {
	titles [][]uint64 // of each text, the words of its title
	bloom  uint64     // of their first words
	asked  uint64     // the texts that the question names
	from   []uint64   // of each text, those that name it
	in     []uint64   // of each text, the question's terms in the unit of another that names it, the best of them
}

// link finds which units name which other texts.
func (p *Page) link() {
	l := &p.links
	l.titles, l.bloom, l.in = l.titles[:0], 0, append(l.in[:0], make([]uint64, len(p.Texts))...)
	l.from = append(l.from[:0], make([]uint64, len(p.Texts))...)
	at := len(p.toks)
	for i := range p.Texts[:min(len(p.Texts), maxLinked)] {
		name, _, _ := strings.Cut(clip(p.Texts[i].Title, maxTitle), " (")
		from := len(p.toks)
		p.toks = lang.AppendTokens(p.toks, name)
		l.titles = append(l.titles, l.titleOf(p.toks[from:]))
	}
	clear(p.toks[at:])
	p.toks = p.toks[:at]
	l.asked = l.namedIn(p.Q.Tokens)
	if p.direct() {
		return
	}
	for i := range p.Units {
		u := &p.Units[i]
		u.names = l.namedIn(p.toks[u.from:u.to]) &^ l.alike(u.Text)
	}
	share := make([]float32, len(l.in))
	for i := range p.Units {
		u := &p.Units[i]
		if u.names == 0 {
			continue
		}
		set := u.set | u.above
		w := p.Q.share(set)
		for t := range l.titles {
			if u.names>>t&1 == 0 {
				continue
			}
			if u.Text < maxLinked {
				l.from[t] |= 1 << u.Text
			}
			if w > share[t] {
				share[t], l.in[t] = w, set
			}
		}
	}
}

// direct reports whether one unit of a text that the question names has, with what
// is above it, all that the question says: then nothing has to be followed.
func (p *Page) direct() bool {
	for i := range p.Units {
		u := &p.Units[i]
		if u.Text < maxLinked && p.links.asked>>u.Text&1 == 1 && p.Q.share(u.set|u.above) > 0.99 {
			return true
		}
	}
	return false
}

// titleOf returns the words by which a text is named, nil where they could be
// anything: one word that is no name.
func (l *linked) titleOf(toks []lang.Token) []uint64 {
	if len(toks) == 0 || len(toks) > maxName || len(toks) == 1 && (toks[0].Stop || lang.IsCommon(toks[0].Stem) || len(toks[0].Text) < 3) {
		return nil
	}
	out := make([]uint64, len(toks))
	for i := range toks {
		out[i] = toks[i].Hash
	}
	l.bloom |= 1 << (out[0] & 63)
	return out
}

// alike are the texts with the same title as text t, itself among them.
func (l *linked) alike(t int) (set uint64) {
	if t >= len(l.titles) {
		return 0
	}
	for i, o := range l.titles {
		if i == t || slices.Equal(o, l.titles[t]) {
			set |= 1 << i
		}
	}
	return set
}

// namedIn returns the texts that are named in toks.
func (l *linked) namedIn(toks []lang.Token) (set uint64) {
	for k := range toks {
		if l.bloom>>(toks[k].Hash&63)&1 == 0 {
			continue
		}
		for i, title := range l.titles {
			if len(title) > 0 && set>>i&1 == 0 && title[0] == toks[k].Hash && starts(toks[k:], title) {
				set |= 1 << i
			}
		}
	}
	return set
}

func starts(toks []lang.Token, title []uint64) bool {
	if len(toks) < len(title) || len(title) == 1 && !toks[0].Cap {
		return false
	}
	for i, h := range title {
		if toks[i].Hash != h {
			return false
		}
	}
	return true
}

// Bridged reports whether the question names another text than text t, one that
// names t: what t says is a step away from what the question names.
func (p *Page) Bridged(t int) bool {
	l := &p.links
	return t < maxLinked && l.asked>>t&1 == 0 && l.asked&l.from[t] != 0
}

// in returns the question's terms in the unit of another text that names the one
// that u is of.
func (p *Page) in(u *Unit) uint64 { return p.links.in[u.Text] }

// out returns the question's terms in the best text that u names.
func (p *Page) out(u *Unit) (set uint64) {
	var best float32
	for t := range p.links.titles {
		if u.names>>t&1 == 1 {
			if w := p.Q.share(p.whole[t]); w > best {
				best, set = w, p.whole[t]
			}
		}
	}
	return set
}
