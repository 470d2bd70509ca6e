package builtin

import (
	"math/bits"

	"hopstream/index/lang"
)

// maxTerms bounds a question's content words, so that a set of them is one word.
const maxTerms = 64

// term is a content word of a question.
type term struct {
	hash   uint64
	weight float32
	name   bool // part of a name, or a number
}

// query is a question made ready for matching.
type query struct {
	lang.Question
	terms    []term
	synonyms []synonym
	bloom    uint64  // of the hashes of terms and synonyms
	total    float32 // weight of all terms
	names    uint64  // the terms that are part of names
	preds    uint64  // the others
	head     uint64  // the head noun's term
	group    group
	verb     uint64 // the terms that are verbs
	form     form
	plural   bool   // asks for several
	born     bool   // asks about a birth
	died     bool   // asks about a death
	endVerb  uint64 // see endingOf
	endWord  string
}

// form says which place the answer takes in the statement behind the question.
type form uint8

const (
	asksOther   form = iota
	asksSubject      // who wrote X
	asksObject       // what did X write
)

func formOf(q *lang.Question) form {
	if q.WhAt < 0 {
		return asksOther
	}
	i := q.WhAt + 1
	if q.Head != "" && q.HeadFrom == i {
		i = q.HeadTo
	}
	if i >= len(q.Tokens) {
		return asksObject
	}
	switch t := &q.Tokens[i]; {
	case lang.IsBe(t.Norm) || t.Norm == "'s":
		return asksOther
	case lang.IsAuxiliary(t.Norm):
		return asksObject
	case t.Stop:
		return asksOther
	}
	return asksSubject
}

// pluralOf reports whether a question asks for several things: "what two
// cities", "which countries", "who were".
func pluralOf(q *lang.Question) bool {
	if n := len(q.Head); n > 3 && q.Head[n-1] == 's' && q.Head[n-2] != 's' && q.Head != "series" {
		return true
	}
	if q.WhAt < 0 || q.WhAt+1 >= len(q.Tokens) {
		return false
	}
	switch q.Tokens[q.WhAt+1].Norm {
	case "two", "three", "four", "five", "were", "are":
		return true
	}
	return q.Head == "people"
}

type synonym struct {
	hash uint64
	term int8
}

// What a content word weighs before anything is known about the text.
const (
	weightCommon = 0.6 // an everyday word
	weightWord   = 1.0
	weightName   = 1.6 // part of a name, or a number
	weightHead   = 0.5 // times: says what is asked for, not about whom
)

func parseQuery(text string) query {
	q := query{Question: lang.Focus(text)}
	q.terms = make([]term, 0, min(len(q.Tokens), maxTerms))
	for i := range q.Tokens {
		t := &q.Tokens[i]
		if t.Stop || len(q.terms) == maxTerms || t.Norm == "name" && q.Type != lang.WorkType {
			continue
		}
		if j := q.find(t.Hash); j >= 0 {
			continue
		}
		w := float32(weightWord)
		common := lang.IsCommon(t.Stem)
		name := t.Num || t.Cap && i > 0 || !common && len(t.Norm) > 2 && !lang.Character(t)
		switch {
		case name:
			w = weightName
		case common:
			w = weightCommon
		}
		q.born = q.born || t.Hash == hashBorn
		q.died = q.died || t.Hash == hashDie
		bit := uint64(1) << len(q.terms)
		if q.Head != "" && i >= q.HeadFrom && i < q.HeadTo {
			if i == q.HeadTo-1 {
				q.head |= bit
				w *= weightHead
			}
			if !t.Cap {
				name = false
			}
		}
		if name {
			q.names |= bit
		} else {
			q.preds |= bit
			if _, form := lang.Verb(t.Norm); form != 0 {
				q.verb |= bit
			}
		}
		q.terms = append(q.terms, term{t.Hash, w, name})
		q.bloom |= 1 << (t.Hash & 63)
		for _, s := range related[t.Stem] {
			h := lang.Hash(s)
			q.synonyms = append(q.synonyms, synonym{h, int8(len(q.terms) - 1)})
			q.bloom |= 1 << (h & 63)
		}
		q.total += w
	}
	q.group = groupOf(&q.Question)
	q.form = formOf(&q.Question)
	q.plural = pluralOf(&q.Question)
	q.endVerb, q.endWord = endingOf(&q.Question)
	return q
}

// find returns the term with the hash h, or -1.
func (q *query) find(h uint64) int {
	if q.bloom>>(h&63)&1 == 0 {
		return -1
	}
	for i := range q.terms {
		if q.terms[i].hash == h {
			return i
		}
	}
	for _, s := range q.synonyms {
		if s.hash == h {
			return int(s.term)
		}
	}
	return -1
}

// weigh returns the weight of a set of terms.
func (q *query) weigh(set uint64) (w float32) {
	for ; set != 0; set &= set - 1 {
		w += q.terms[bits.TrailingZeros64(set)].weight
	}
	return w
}

// share returns the weight of a set of terms as a share of all.
func (q *query) share(set uint64) float32 {
	if q.total == 0 {
		return 0
	}
	return q.weigh(set) / q.total
}

// match returns the terms among toks.
func (q *query) match(toks []lang.Token) (set uint64) {
	for i := range toks {
		if j := q.find(toks[i].Hash); j >= 0 {
			set |= 1 << j
		}
	}
	return set
}

// namedBy returns the share of the content words of a title, up to a bracket,
// that the question has.
func (q *query) namedBy(toks []lang.Token) float32 {
	n, hit := 0, 0
	for i := range toks {
		if i > 0 && toks[i].Sep.Any(lang.Open) {
			break
		}
		if toks[i].Stop {
			continue
		}
		n++
		if q.find(toks[i].Hash) >= 0 {
			hit++
		}
	}
	if n == 0 {
		return 0
	}
	return float32(hit) / float32(n)
}

// related lists for a stem those of its synonyms and of words that state the
// same fact from the other side (wrote and author).
var related = func() map[string][]string {
	m := make(map[string][]string, len(relatedWords))
	for w, others := range relatedWords {
		for _, o := range others {
			m[lang.Stem(w)] = append(m[lang.Stem(w)], lang.Stem(o))
		}
	}
	return m
}()

var relatedWords = map[string][]string{
	"father": {"son", "daughter", "child"}, "mother": {"son", "daughter", "child"}, "parent": {"son", "daughter", "father", "mother"},
	"child": {"son", "daughter", "father", "mother"}, "wife": {"married", "husband", "spouse", "widow"}, "husband": {"married", "wife", "spouse"},
	"spouse": {"married", "wife", "husband"}, "marry": {"wife", "husband"}, "sibling": {"brother", "sister"},
	"author": {"wrote", "novel", "book", "by"}, "write": {"author", "novel", "penned"}, "screenwriter": {"written", "screenplay"},
	"movie": {"film"}, "film": {"movie"}, "song": {"single", "track"}, "sing": {"performed", "recorded", "vocals"},
	"perform": {"sung", "recorded", "singer", "band", "album"}, "performer": {"sung", "recorded", "singer", "band", "album", "performed", "by"},
	"located": {"situated", "lies", "based"}, "find": {"located"}, "headquarters": {"based"}, "die": {"killed", "murdered", "assassinated"},
	"start": {"began", "established", "founded", "launched"}, "begin": {"started"}, "founded": {"established", "created", "started", "formed"},
	"created": {"founded", "developed", "invented"}, "invent": {"developed", "patented", "created"}, "built": {"constructed", "erected", "completed"},
	"compose": {"music", "score"}, "composer": {"music", "score"}, "big": {"large"}, "call": {"named", "known"}, "play": {"portrayed", "role"},
	"character": {"role"}, "star": {"cast", "starring", "role"}, "win": {"champion", "defeated", "won"}, "own": {"acquired", "bought"},
	"come": {"released", "premiered"}, "released": {"premiered", "published"}, "premiere": {"released"}, "end": {"finished", "finale"}, "kill": {"murdered", "shot", "assassinated"},
	"job": {"worked"}, "city": {"town"}, "town": {"city"}, "fight": {"war", "battle"}, "length": {"long"}, "height": {"tall", "high"},
	"leader": {"head", "chief"}, "become": {"elected", "appointed"}, "live": {"resident", "home"}, "teach": {"professor"},
	"country": {"nation"}, "language": {"spoken"}, "school": {"educated", "attended"}, "educated": {"attended", "graduated", "studied"},
	"study": {"attended", "graduated", "educated"}, "develop": {"created", "designed"}, "produce": {"made", "manufactured"}, "manufacturer": {"made", "produced"},
	"employer": {"worked", "works"}, "work": {"employed"}, "population": {"inhabitants", "residents", "people"}, "religion": {"faith"}, "doctor": {"physician"},
	"purpose": {"used", "intended"}, "cause": {"due", "led", "result"}, "difference": {"unlike", "whereas"}, "define": {"defined", "refers"},
	"meaning": {"means", "refers"}, "mean": {"refers", "meaning"}, "many": {"number"}, "cost": {"price"}, "attend": {"studied", "graduated"},
}
