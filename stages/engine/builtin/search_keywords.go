package builtin

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hopstream/index/lang"
	"hopstream/stages/engine/builtin/plan"
)

// maxKeywords bounds what is searched for.
const maxKeywords = 32

// Keywords turns a query into what a word index wants: its names, each whole,
// and its other content words, the most telling first. A name tells more than
// a word, and a word more the rarer it is, as far as that can be known of a
// language without a corpus. The only error is the context's.
func (e *engine) Keywords(ctx context.Context, query string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var out []string
	for _, k := range keywordsOf(clip(query, maxText)) {
		out = append(out, k.text)
	}
	return out, nil
}

// keyword is a name or a content word of a query.
type keyword struct {
	text   string
	stems  []uint64 // hashes of its content words
	name   bool
	weight float32
}

// keywordsOf returns the keywords of a text, the most telling first.
func keywordsOf(text string) []keyword {
	toks := lang.Tokens(text)
	named := make([]bool, len(toks))
	var out []keyword
	add := func(k keyword) {
		if len(k.stems) == 0 || slices.ContainsFunc(out, func(o keyword) bool { return slices.Equal(o.stems, k.stems) }) {
			return
		}
		out = append(out, k)
	}
	for _, s := range lang.Entities(text, toks) {
		for i := s.From; i < s.To; i++ {
			named[i] = true
		}
		stems := stemsOf(toks[s.From:s.To])
		add(keyword{s.Text, stems, true, 3 + float32(min(len(stems), 4))/4})
	}
	for i := range toks {
		t := &toks[i]
		if t.Stop || named[i] || i == 0 && plan.RequestWord(t.Norm) {
			continue
		}
		add(keyword{t.Text, []uint64{t.Hash}, t.Num, rarity(t)})
	}
	slices.SortStableFunc(out, func(a, b keyword) int { return cmp.Compare(b.weight, a.weight) })
	return out[:min(len(out), maxKeywords)]
}

// rarity guesses from 0 to 3 how rare a word is: numbers and words that are not
// on lang's list of everyday words are rare, and long words rarer than short.
func rarity(t *lang.Token) float32 {
	long := float32(min(len(t.Stem), 10)) / 10
	switch {
	case t.Num:
		return 2 + long
	case lang.IsCommon(t.Stem):
		return long
	}
	return 1 + long
}

// stemsOf returns the hashes of the content words of toks, or of all its words
// if it has no content words: a title such as "It".
func stemsOf(toks []lang.Token) []uint64 {
	var out []uint64
	for _, whole := range [...]bool{false, true} {
		for i := range toks {
			if whole || !toks[i].Stop {
				out = append(out, toks[i].Hash)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// page is a found passage made ready for matching.
type page struct {
	text  string // title and text
	toks  []lang.Token
	stems []uint64 // of the content words, in order
	share float32  // of the query's weight
}

// holds reports whether the page has the stems next to each other.
func (p *page) holds(stems []uint64) bool {
	for i := 0; i+len(stems) <= len(p.stems); i++ {
		if slices.Equal(p.stems[i:i+len(stems)], stems) {
			return true
		}
	}
	return false
}

// pageOf reads a passage.
func pageOf(q *query, title, text string) page {
	p := page{text: clip(title, 512) + "\n\n" + clip(text, maxPassage)}
	p.toks = lang.Tokens(p.text)
	for i := range p.toks {
		if !p.toks[i].Stop {
			p.stems = append(p.stems, p.toks[i].Hash)
		}
	}
	p.share = q.share(q.match(p.toks))
	return p
}

// unquoted reports whether a keyword is shown as one that was added in quotes,
// and returns it without its quotes.
func unquoted(keyword string) (string, bool) {
	bare := strings.Trim(keyword, `"`)
	return bare, len(bare) < len(keyword)
}
