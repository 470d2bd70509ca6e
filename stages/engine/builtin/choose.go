package builtin

import (
	"hopstream/index/lang"
	"hopstream/messages"
)

// maxOptions bounds the options looked at.
const maxOptions = 6

// chooseFrom answers an either-or question: by the dates or quantities of its
// options where it compares, else by which option's text has more of the
// question's other words.
func chooseFrom(sc *scratch, q *query) (messages.Finding, bool) {
	opts := make([]thing, 0, maxOptions)
	for _, o := range q.Options[:min(len(q.Options), maxOptions)] {
		if t := thingOf(tidy(o.Text)); len(t.hashes) > 0 && len(t.text) <= 200 {
			opts = append(opts, t)
		}
	}
	if len(opts) < 2 {
		return messages.Finding{}, false
	}
	if q.Compare != lang.None {
		if f, ok := compareOptions(sc, q, opts); ok {
			return f, true
		}
	}
	return supportOptions(sc, q, opts)
}

func compareOptions(sc *scratch, q *query, opts []thing) (messages.Finding, bool) {
	a := aspectOf(&q.Question)
	best, known := -1, 0
	var top fact
	var srcs []messages.Source
	tie := false
	for i := range opts {
		f, ok := factOf(sc, q, &opts[i], a)
		if !ok {
			continue
		}
		known++
		srcs = messages.AddSources(srcs, sc.source(f.block))
		switch better := better(q.Compare, f.value, top.value); {
		case best < 0 || better:
			best, top, tie = i, f, false
		case f.value == top.value:
			tie = true
		}
	}
	if known < 2 || tie {
		return messages.Finding{}, false
	}
	return messages.Finding{Text: opts[best].text, Confidence: confidenceCompared, Sources: srcs}, true
}

// better reports whether a is further than b in direction d.
func better(d lang.Direction, a, b float64) bool {
	if d == lang.Least {
		return a < b
	}
	return a > b
}

// supportOptions picks the option whose own text holds most of the question's
// words that belong to no option.
func supportOptions(sc *scratch, q *query, opts []thing) (messages.Finding, bool) {
	var named uint64
	for i := range opts {
		for _, h := range opts[i].hashes {
			if k := q.find(h); k >= 0 {
				named |= 1 << k
			}
		}
	}
	best, at := -1, 0
	var top, second float32 = -1, -1
	for i := range opts {
		var s float32
		block := -1
		about(sc, &opts[i], func(b int, trust float32) bool {
			var set uint64
			for k := range sc.sents {
				if sc.sents[k].block == b {
					set |= sc.sents[k].set
				}
			}
			if w := q.share(set&^named)*trust + 0.05*trust; w > s || block < 0 {
				s, block = w, b
			}
			return true
		})
		if block < 0 {
			continue
		}
		if s > top {
			best, top, second, at = i, s, top, block
		} else if s > second {
			second = s
		}
	}
	if best < 0 {
		return messages.Finding{}, false
	}
	conf := confidenceGuess
	if top > second+0.1 {
		conf = confidenceSupported
	}
	return messages.Finding{Text: opts[best].text, Confidence: conf, Sources: []messages.Source{sc.source(at)}}, true
}
