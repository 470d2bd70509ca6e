package builtin

import (
	"context"
	"slices"
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
)

// maxPages bounds how many passages an operator looks at.
const maxPages = 20

func pagesOf(q *query, found []messages.Passage) []page {
	out := make([]page, min(len(found), maxPages))
	for i := range out {
		out[i] = pageOf(q, found[i].Title, found[i].Text)
	}
	return out
}

// Extend returns a name to look for besides: the name of the query that most of
// the passages found lack; or else a name that shares a sentence with the query's
// words and may be the answer or lead to it. Names in quotes among the keywords
// are looked for as such already. The only error is the context's.
func (e *engine) Extend(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	query = clip(query, maxText)
	q := parseQuery(query)
	pages := pagesOf(&q, found)
	var asked [][]uint64
	for _, k := range keywords {
		if bare, quoted := unquoted(k); quoted {
			asked = append(asked, stemsOf(lang.Tokens(bare)))
		}
	}
	old := func(stems []uint64) bool {
		return slices.ContainsFunc(asked, func(a []uint64) bool { return slices.Equal(a, stems) })
	}
	best, fewest := "", len(pages)
	for _, k := range keywordsOf(query) {
		if !k.name || old(k.stems) {
			continue
		}
		if n := holding(pages, k.stems); n < fewest {
			best, fewest = k.text, n
		}
	}
	if best != "" {
		return best, nil
	}
	return nearby(&q, pages, old), nil
}

// holding returns how many pages hold the stems.
func holding(pages []page, stems []uint64) (n int) {
	for i := range pages {
		if pages[i].holds(stems) {
			n++
		}
	}
	return n
}

// nearby returns the name, none of the query's, whose sentences share most
// with the query, or "".
func nearby(q *query, pages []page, old func([]uint64) bool) string {
	type name struct {
		text  string
		stems []uint64
		worth float32
	}
	var names []name
	for i := range pages {
		p := &pages[i]
		spans := lang.Entities(p.text, p.toks)
		for from := 0; from < len(p.toks); {
			to := from + 1
			for to < len(p.toks) && !p.toks[to].First {
				to++
			}
			share := q.share(q.match(p.toks[from:to]))
			for ; len(spans) > 0 && spans[0].From < to; spans = spans[1:] {
				s := &spans[0]
				stems := stemsOf(p.toks[s.From:s.To])
				if share == 0 || len(s.Text) > 80 || slices.ContainsFunc(stems, func(h uint64) bool { return q.find(h) >= 0 }) || old(stems) {
					continue
				}
				at := slices.IndexFunc(names, func(n name) bool { return slices.Equal(n.stems, stems) })
				if at < 0 {
					at = len(names)
					names = append(names, name{text: s.Text, stems: stems})
				}
				names[at].worth += share / float32(i+1)
			}
			from = to
		}
	}
	best := name{}
	for _, n := range names {
		if n.worth > best.worth {
			best = n
		}
	}
	return best.text
}

// Emphasise returns the keyword that the fewest of the passages found hold, or
// "" where all hold all of them. The only error is the context's.
func (e *engine) Emphasise(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	q := parseQuery(clip(query, maxText))
	pages := pagesOf(&q, found)
	best, fewest := "", len(pages)
	for _, k := range keywords {
		if n := holding(pages, stemsOf(lang.Tokens(k))); n < fewest {
			best, fewest = k, n
		}
	}
	return best, nil
}

// A passage with less than unlike times the best passage's share of the query's
// weight is taken not to be about the query.
const unlike = 0.6

// Exclude returns the word that most of the passages hold that have little of
// the query, and none of those that have much; "" where there is none. The
// only error is the context's.
func (e *engine) Exclude(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	q := parseQuery(clip(query, maxText))
	pages := pagesOf(&q, found)
	top := float32(0)
	for i := range pages {
		top = max(top, pages[i].share)
	}
	type count struct{ pages, last int }
	wanted := map[uint64]bool{}
	for _, k := range keywords {
		for _, h := range stemsOf(lang.Tokens(k)) {
			wanted[h] = true
		}
	}
	for i := range pages {
		if pages[i].share > unlike*top {
			for _, h := range pages[i].stems {
				wanted[h] = true
			}
		}
	}
	counts := map[uint64]count{}
	best, most := "", 1 // a word of one passage says nothing of the others
	for i := range pages {
		if pages[i].share > unlike*top {
			continue
		}
		for j := range pages[i].toks {
			t := &pages[i].toks[j]
			if t.Stop || t.Num || len(t.Norm) < 3 || wanted[t.Hash] || q.find(t.Hash) >= 0 {
				continue
			}
			c := counts[t.Hash]
			if c.last == i+1 {
				continue
			}
			c.pages, c.last = c.pages+1, i+1
			counts[t.Hash] = c
			if c.pages > most {
				best, most = t.Text, c.pages
			}
		}
	}
	return strings.ToLower(best), nil
}
