package builtin

import (
	"slices"

	"hopstream/index/lang"
	"hopstream/messages"
	"hopstream/stages/engine/builtin/read"
)

// maxOptions bounds the options looked at.
const maxOptions = 6

// chooseFrom answers an either-or question: by which option the best units speak of.
func chooseFrom(q *query, page *read.Page) (messages.Finding, bool) {
	opts := make([]thing, 0, maxOptions)
	for _, o := range q.Options[:min(len(q.Options), maxOptions)] {
		if t := thingOf(tidy(o.Text)); len(t.hashes) > 0 && len(t.text) <= 200 {
			opts = append(opts, t)
		}
	}
	if len(opts) < 2 {
		return messages.Finding{}, false
	}
	return supportOptions(opts, page)
}

// better reports whether a is further than b in direction d.
func better(d lang.Direction, a, b float64) bool {
	if d == lang.Least {
		return a < b
	}
	return a > b
}

// supportOptions picks the option that the units which speak of it, and of no other,
// make the most probable.
func supportOptions(opts []thing, page *read.Page) (messages.Finding, bool) {
	share, at := make([]float32, len(opts)), make([]int, len(opts))
	speaking, exactly := make([][]bool, len(opts)), make([]bool, len(opts))
	for k := range opts {
		o := distinct(opts, k)
		speaking[k], exactly[k] = page.Speaking(o.hashes), alike(opts, k)
	}
	for i := range page.Units {
		u := &page.Units[i]
		only := -1
		for k := range opts {
			if !speaking[k][i] || exactly[k] && !page.Has(i, opts[k].text) {
				continue
			}
			if only >= 0 {
				only = -1
				break
			}
			only = k
		}
		if only < 0 {
			continue
		}
		if share[only] == 0 || u.P > page.Units[at[only]].P {
			at[only] = i
		}
		share[only] += u.P
	}
	best := 0
	var sum float32
	for k := range share {
		sum += share[k]
		if share[k] > share[best] {
			best = k
		}
	}
	if sum == 0 {
		return messages.Finding{}, false
	}
	s := page.Around(at[best], maxBasis)
	x := &page.Texts[s.Text]
	return messages.Finding{
		Text: opts[best].text, Confidence: float64(share[best] / sum),
		Sources: []messages.Source{{ID: x.ID, Title: x.Title}}, Evidence: quoted(page, s),
	}, true
}

// alike reports whether another option consists of the same words: only how it
// is written tells them apart.
func alike(opts []thing, k int) bool {
	for i := range opts {
		if i != k && slices.Equal(opts[i].hashes, opts[k].hashes) {
			return true
		}
	}
	return false
}
