package plan

import (
	"hopstream/index/lang"
	"hopstream/stages/engine/builtin/classify"
	"hopstream/stages/engine/builtin/linear"
)

// What is observed of a description is about its edges, its head, what opens in it,
// and what is left around it: words of closed classes, and of others their kind
// (classify.TagOf), so that nothing is learned of what questions are about. Each
// observation is a template of a hashed feature.
const (
	oEdge    = iota + 500 // tags at the edges: inside, outside, both
	oHead                 // the tag of the head, with what stands before; the head itself
	oKind                 // what opens: a relative clause, of, a participle, nothing
	oCount                // names, verbs, clauses inside and outside
	oLast                 // how it ends, and what follows
	oAsked                // the question word
	oAwaited              // the auxiliary before, and the verb behind
	oNone                 // of the whole question, for nothing more being nested
)

// observer observes one question.
type observer struct {
	q    []word
	tags []uint64 // hashes, by word
	verb []bool   // by word
	wh   uint64   // the first question word
	asks int      // its place
}

func observe(q []word) *observer {
	o := &observer{q: q, tags: make([]uint64, len(q)), verb: make([]bool, len(q)), asks: -1}
	for i := range q {
		w := &q[i]
		o.tags[i] = lang.Hash(tagOf(w))
		o.verb[i] = !w.names() && w.verb != 0 && !w.aux() && verbAt(q, i)
		if o.asks < 0 && w.wh() {
			o.asks, o.wh = i, lang.Hash(w.norm)
		}
	}
	return o
}

func tagOf(w *word) string {
	switch {
	case w.slot > 0:
		return "<slot>"
	case w.quoted:
		return "<title>"
	case w.name && !numeric(w):
		return "<name>"
	}
	return classify.TagOf(w.norm)
}

// at is the tag of word i; the ends of the question have tags of their own.
func (o *observer) at(i int) uint64 {
	switch {
	case i < 0:
		return 1
	case i >= len(o.tags):
		return 2
	}
	return o.tags[i]
}

// count is what stands in a part of the question.
type count struct{ names, verbs, relatives, articles, ofs, content int }

// count counts q[from:to]. A run of words that are names is one.
func (o *observer) count(c *count, from, to int) {
	for k := from; k < to; k++ {
		w := &o.q[k]
		switch {
		case w.names():
			if k == from || !o.q[k-1].names() {
				c.names++
			}
			continue
		case o.verb[k]:
			c.verbs++
		}
		switch {
		case w.article():
			c.articles++
		case w.is("of") || w.norm == "'s":
			c.ofs++
		}
		if k > 0 && w.relative() {
			c.relatives++
		}
		if !lang.IsStop(w.norm) {
			c.content++
		}
	}
}

// opener is the sort of what opens in a description.
type opener uint64

const (
	noOpener opener = iota
	ofOpener
	clauseOpener
	participleOpener
	prepositionOpener
	otherOpener
)

func openerOf(w *word) opener {
	switch {
	case w.is("of") || w.norm == "'s":
		return ofOpener
	case w.relative():
		return clauseOpener
	case w.preposition():
		return prepositionOpener
	case !w.names() && w.verb&(lang.VerbPast|lang.VerbParticiple|lang.VerbIng) != 0:
		return participleOpener
	}
	return otherOpener
}

func upTo(n, most int) uint64 { return uint64(min(n, most)) }

// description returns what is observed of the stretch s, in the memory of f.
func (o *observer) description(f linear.Features, s stretch) linear.Features {
	f = f[:0]
	q, i, j := o.q, s.from, s.to
	before, first, last, after := o.at(i-1), o.at(i), o.at(j-1), o.at(j)
	f.Word(1, oEdge, before)
	f.Word(1, oEdge, first+1)
	f.Word(1, oEdge, last+2)
	f.Word(1, oEdge, after+3)
	f.Pair(1, oEdge, o.at(i-2), before)
	f.Pair(1, oEdge, before, after+1)
	f.Pair(1, oEdge, before, first+2)
	f.Pair(1, oEdge, last, after+3)
	f.Triple(1, oEdge, before, first, o.at(i+1))
	f.Triple(1, oEdge, o.at(j-2), last, after+1)
	f.Triple(1, oEdge, last, after, o.at(j+1)+2)
	f.Triple(1, oEdge, o.at(i-2), before, after+3)
	f.Triple(1, oEdge, before, after, o.at(j+1)+4)
	// its head, and what opens behind it
	open := i + opensAt(q[i:j])
	kind, head := noOpener, o.at(open-1)
	opener := uint64(0)
	if open < j {
		kind, opener = openerOf(&q[open]), o.at(open)
	}
	f.Word(1, oHead, head)
	f.Pair(1, oHead, head, before)
	if !q[open-1].names() {
		f.Word(1, oHead, lang.Hash(q[open-1].norm)+1)
	}
	f.Word(1, oKind, opener)
	f.Triple(1, oKind, opener, first, before)
	f.Triple(1, oKind, opener, head, after+1)
	// what is in it, and around it
	var in, out count
	o.count(&in, i, j)
	o.count(&out, 0, i)
	o.count(&out, j, len(q))
	f.Word(1, oCount, upTo(j-i, 16))
	f.Pair(1, oCount, upTo(in.names, 3), upTo(out.names, 2))
	f.Pair(1, oCount, upTo(in.verbs, 3)+10, upTo(out.verbs, 2))
	f.Pair(1, oCount, upTo(out.content, 3)+20, upTo(out.verbs, 1))
	f.Triple(1, oCount, uint64(kind), upTo(in.verbs, 3), upTo(out.verbs, 2))
	f.Triple(1, oCount, uint64(kind)+10, upTo(in.verbs, 3), upTo(in.relatives, 3))
	f.Triple(1, oCount, o.at(0), upTo(out.relatives, 2), upTo(out.verbs, 3))
	f.Triple(1, oCount, upTo(in.articles, 3)+20, upTo(in.relatives, 2), upTo(in.ofs, 2))
	f.Word(1, oCount, upTo(in.articles, 3)+30)
	f.Word(1, oCount, upTo(in.relatives, 2)+40)
	f.Word(1, oCount, upTo(in.ofs, 3)+50)
	// how it ends
	how := uint64(0)
	switch w := &q[j-1]; {
	case w.names():
		how = 3
	case o.verb[j-1]:
		how = 1
	case w.preposition():
		how = 2
	}
	f.Triple(1, oLast, uint64(kind), how, after)
	f.Triple(1, oLast, uint64(kind)+10, how, upTo(in.verbs, 3))
	f.Triple(1, oLast, how+20, after, o.at(j+1))
	if !q[j-1].names() {
		f.Pair(1, oLast, lang.Hash(q[j-1].norm), after)
	}
	if j < len(q) && !q[j].names() {
		f.Pair(1, oLast, lang.Hash(q[j].norm), uint64(kind)+1)
	}
	// what is asked
	if o.asks >= i && o.asks < j {
		f.Word(1, oAsked, o.wh)
	}
	f.Triple(1, oAsked, o.wh, head, upTo(out.content, 2))
	f.Triple(1, oAsked, o.wh+1, before, after)
	aux, verb := o.awaited(s)
	f.Pair(1, oAwaited, aux, verb)
	f.Triple(1, oAwaited, aux, verb, upTo(in.verbs, 2))
	return f
}

// awaited returns the last auxiliary before a description, and the tag of the first
// verb behind it.
func (o *observer) awaited(s stretch) (aux, verb uint64) {
	for k := s.from - 1; k >= 0; k-- {
		if o.q[k].aux() {
			aux = lang.Hash(o.q[k].norm)
			break
		}
	}
	for k := s.to; k < len(o.q); k++ {
		if w := &o.q[k]; w.aux() || !w.names() && w.verb != 0 {
			return aux, o.tags[k]
		}
	}
	return aux, 1
}

// none returns what is observed of the whole question, in the memory of f.
func (o *observer) none(f linear.Features) linear.Features {
	f = f[:0]
	names, slots := 0, 0
	for k := range o.q {
		w := &o.q[k]
		if w.names() && (k == 0 || !o.q[k-1].names()) {
			names++
		}
		if w.slot > 0 {
			slots++
		}
		f.Word(1, oNone, o.tags[k])
		if k > 0 {
			f.Pair(1, oNone, o.tags[k-1], o.tags[k])
		}
	}
	f.Word(1, oNone, 1)
	f.Word(1, oNone, upTo(names, 4)+10)
	f.Word(1, oNone, upTo(slots, 2)+20)
	f.Word(1, oNone, upTo(len(o.q)/3, 10)+30)
	return f
}
