package builtin

import (
	"path/filepath"
	"strings"
	"testing"

	"hopstream/index/lang"
	"hopstream/messages"
)

// TestReadPassageIsThePlainOne compares what is read of passages while most of
// their words are passed over with what their tokens say.
func TestReadPassageIsThePlainOne(t *testing.T) {
	t.Parallel()
	root, n := dataRoot(t), 0
	for _, set := range []string{"hotpotqa", "nq"} {
		docs := readAs[messages.Passage](t, filepath.Join(root, set, "corpus.jsonl"))
		for i, r := range readAs[record](t, filepath.Join(root, set, "questions.jsonl")) {
			q := parseQuery(r.Question)
			for k := range 20 {
				p := docs[(i*7+k*k*31)%len(docs)]
				if k == 0 { // one that has all the words
					p.Title, p.Text = r.Question, p.Text+" "+strings.ToUpper(r.Question)+"\n\n"+r.Question
				}
				if got, want := readPassage(&q, &p, k), plainReadPassage(&q, &p, k); got != want {
					t.Fatalf("%q, %q:\n got %+v\nwant %+v", r.Question, p.Text, got, want)
				}
				n++
			}
		}
	}
	t.Logf("%d passages", n)
}

// plainReadPassage reads all tokens.
func plainReadPassage(q *query, p *messages.Passage, i int) reading {
	title := clip(p.Title, maxTitle)
	r := reading{rank: i, text: clip(p.Text, maxPassage)}
	r.name, _, _ = strings.Cut(title, " (")
	r.listed = q.List != 0 && lang.ClassOf(lang.Norm(r.name))&q.List != 0
	for _, t := range lang.Tokens(title) {
		if t.Stop {
			continue
		}
		r.titleN++
		if k := q.find(t.Hash); k >= 0 {
			r.title |= 1 << k
			r.shared++
		}
	}
	r.all = r.title
	number := q.group == groupDate || q.group == groupNumber
	var set uint64
	var typed bool
	var top float32
	end := func() {
		if w := q.weigh(set); w > top {
			r.best, r.typed, top = set, typed, w
		}
		r.all |= set
		set, typed = 0, false
	}
	for _, t := range lang.Tokens(r.text) {
		if t.First {
			end()
		}
		if k := q.find(t.Hash); k >= 0 {
			set |= 1 << k
		} else if number && t.Num || !number && t.Cap && !t.First && !t.Stop {
			typed = true
		}
	}
	end()
	return r
}
