package revelator

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/revelator/draw"
	"hopstream/cmd/hoplab/score"
	"hopstream/index/document"
	"hopstream/index/lang"
	"hopstream/messages"
)

// entity is something that questions can be asked about, with passages that tell
// of it.
type entity struct {
	name     string
	passages []source
}

// source is a passage, and the ID of its document in the corpus.
type source struct {
	messages.Passage
	doc string
}

// The bounds of an entity's name, in bytes and words.
const (
	minName, maxName = 3, 80
	maxNameWords     = 8
)

// entitiesOf returns what at least two passages of the corpus tell of, in drawn
// order, each with at most most passages: those under its title first, then others
// that name it, in drawn order. An entity is a document's title; with names also
// a name in the text, see gazetteer.
func entitiesOf(corpus []dataset.Document, names bool, most int, seed uint64) []entity {
	g := gazetteer{titles: map[string]string{}, under: map[string][]int{}, naming: map[string][]int{}, inner: map[string]*innerName{}, small: map[string]int{}}
	for i := range corpus {
		g.read(&corpus[i])
	}
	found := g.titles
	if names {
		found = g.names()
	}
	var out []entity
	for _, key := range slices.Sorted(maps.Keys(found)) {
		if e := (entity{name: found[key]}); askable(e.name) {
			if e.passages = g.of(key, most, seed); len(e.passages) >= minJoined {
				out = append(out, e)
			}
		}
	}
	draw.Shuffle(seed, out, func(e entity) string { return e.name })
	return out
}

// gazetteer knows the passages of a corpus, and the names in them by their
// normalised forms. What only begins sentences may be no more than their first
// word, and a single word that is written small as often is none; so a name
// stands within sentences of several passages.
type gazetteer struct {
	all           []source
	titles        map[string]string // as they are written
	under, naming map[string][]int  // the passages under a title, and those that name it
	inner         map[string]*innerName
	small         map[string]int // how often a word is written small
}

// innerName is a name as it stands within sentences.
type innerName struct {
	name     string // as it is written first
	times    int
	passages int
	last     int // the last passage
}

// read takes a document in.
func (g *gazetteer) read(d *dataset.Document) {
	title := nameOf(d.Title)
	key := score.Normalize(title)
	for _, p := range document.Chunk(messages.Document{ID: d.ID, Title: d.Title, Text: d.Text}, document.ChunkOptions{}) {
		at := len(g.all)
		g.all = append(g.all, source{p, d.ID})
		if key != "" {
			g.titles[key] = title
			g.under[key] = append(g.under[key], at)
		}
		toks := lang.Tokens(p.Text)
		for _, t := range toks {
			if !t.Cap {
				g.small[t.Norm]++
			}
		}
		for _, span := range lang.Entities(p.Text, toks) {
			g.named(at, span, toks[span.From].First)
		}
	}
}

// named notes a name in passage at.
func (g *gazetteer) named(at int, span lang.Span, first bool) {
	key := score.Normalize(span.Text)
	if key == "" {
		return
	}
	if here := g.naming[key]; len(here) == 0 || here[len(here)-1] != at {
		g.naming[key] = append(here, at)
	}
	if first || span.Kind != lang.Name {
		return
	}
	n := g.inner[key]
	if n == nil {
		n = &innerName{name: span.Text, last: -1}
		g.inner[key] = n
	}
	n.times++
	if n.last != at {
		n.last = at
		n.passages++
	}
}

// names are the titles, and the other names.
func (g *gazetteer) names() map[string]string {
	out := maps.Clone(g.titles)
	for key, n := range g.inner {
		if out[key] == "" && n.passages >= minJoined && g.small[key] < n.times {
			out[key] = n.name
		}
	}
	return out
}

// of returns passages that tell of what has this name.
func (g *gazetteer) of(key string, most int, seed uint64) []source {
	var out []source
	others := slices.DeleteFunc(slices.Clone(g.naming[key]), func(at int) bool { return slices.Contains(g.under[key], at) })
	for _, places := range [][]int{slices.Clone(g.under[key]), others} {
		draw.Shuffle(seed, places, func(at int) string { return key + "\x00" + g.all[at].ID })
		for _, at := range places[:min(len(places), most-len(out))] {
			out = append(out, g.all[at])
		}
	}
	return out
}

// askable reports whether a name is one that a question can be asked about: of
// letters, and neither too short nor too long.
func askable(name string) bool {
	return len(name) >= minName && len(name) <= maxName && len(strings.Fields(name)) <= maxNameWords &&
		strings.ContainsFunc(name, unicode.IsLetter) && !strings.ContainsAny(name, "\n?|")
}
