package storetest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"hopstream/index/document"
	"hopstream/messages"
)

// nasty is text that query languages, protocols and databases choke on.
var nasty = []string{
	`AC/DC: "x" ^ ~ \`,
	`"`, `'`, `\`, `\\"`, "`", `{`, `}`, `{Get{`, `") {`, `#`, `$x`, `a -`, `+a`, `a:b^2~3`, `*`, `?`, `(((`, `NOT`, `AND OR`,
	`%s%d%!v`, `<b>&amp;</b>`, `'; drop table x; --`,
	"tab\there", "line\nbreak", "cr\rlf\n", "nul\x00byte", "bell\a esc\x1b del\x7f vt\v ff\f c1\u0085\u009f",
	"\xff\xfe", "half \xc3", "lone \xed\xa0\x80 surrogate",
	"🚂", "👩\u200d👩\u200d👧\u200d👦 family", "🇩🇪", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "𠀀𠮷", "\U000E0001 tag", "\U0010FFFF", "\U000F0000 private \ue000",
	"\u200b\u200d\u2028\u2029\ufeff", "\u202eright to left", "שלום עולם", "مرحبا", "می\u200cخواهم",
	"e\u0301 combining", strings.Repeat("\u0301", 50), "東京は日本の首都です。", "ﬁ ligature", "İstanbul", "ǅ", "\ufffd",
}

// anyQuery: whatever a user writes is a query, and none an error.
func anyQuery(f *fixture) {
	f.apply(1, Doc("a", "Quartz", "quartz vein"))
	for _, q := range []string{"", " ", "\n\t "} {
		if ps := f.search(q, 5); len(ps) != 0 {
			f.t.Errorf("%q finds %v", q, ids(ps))
		}
	}
	if !f.o.Dense {
		for _, q := range []string{"zebra", "!?", "...", "the of and"} {
			f.finds(q)
		}
	}
	for _, q := range nasty {
		f.search(q, 5)
		// What surrounds a word does not hide it.
		f.finds(q+" quartz "+q, "a")
	}
	f.search(strings.Repeat("quartz and much more ", 2000), 5)
}

func limits(f *fixture) {
	f.apply(1, Doc("a", "", "slate roof"), Doc("b", "", "slate"), Doc("c", "", "slate slate slate wall"))
	for _, k := range []int{0, -1, math.MinInt} {
		if ps := f.search("slate", k); len(ps) != 0 {
			f.t.Errorf("the best %d are %v", k, ids(ps))
		}
	}
	all := ids(f.search("slate", 3))
	for _, k := range []int{1, 2} {
		if got := ids(f.search("slate", k)); !slices.Equal(got, all[:k]) {
			f.t.Errorf("the best %d are %v, of %v", k, got, all)
		}
	}
	for _, k := range []int{4, 1000, math.MaxInt} {
		if got := ids(f.search("slate", k)); !slices.Equal(got, all) {
			f.t.Errorf("the best %d are %v, want %v", k, got, all)
		}
	}
}

// ties: equally good passages come by ID, whatever the order they came in.
func ties(f *fixture) {
	n := 50
	if f.o.Ties > 0 {
		n = min(n, f.o.Ties)
	}
	var want []string
	for i := range n {
		want = append(want, fmt.Sprintf("p%02d", i))
	}
	for i, batch := range slices.Collect(slices.Chunk(want, 10)) {
		docs := make([]messages.Document, len(batch))
		for at := range batch { // backwards, across the batches too
			docs[at] = Doc(want[n-1-(10*i+at)], "", "same words")
		}
		f.apply(uint64(i+1), docs...)
	}
	for _, k := range []int{1, 7, n - 1, n, 2 * n} {
		if got := ids(f.search("same words", k)); !slices.Equal(got, want[:min(k, n)]) {
			f.t.Errorf("the first %d are %v", k, got)
		}
	}
	// Among better and worse ones.
	f.apply(100, Doc("z", "same words", "same words"), Doc("a", "", "same but with many others around it"))
	if got := ids(f.search("same words", n)); !f.o.Dense && !slices.Equal(got, append([]string{"z"}, want[:n-1]...)) {
		f.t.Errorf("z is better than the others; found %v", got)
	}
}

// unicodeText: what goes in comes out, and is found by its own words.
func unicodeText(f *fixture) {
	docs := []messages.Document{
		Doc("wörter/ä b.txt", "Müller", "Straße nach Łódź 🚂"),
		Doc("日本", "東京", "東京は日本の首都です。"),
		Doc("rtl", "שלום", "مرحبا بالعالم \u202emixed\u202c می\u200cخواهم"),
		Doc("marks", "e\u0301tude", "n\u0303andu"),
		Doc("🚂🚃", "trains", "👩\u200d👩\u200d👧\u200d👦 𝔘𝔫𝔦 𠀀𠮷 \U0010FFFF"),
		Doc(`a"b\c'd`, `AC/DC: "x" ^ ~ \`, "acdc {curly} `tick` <b>&amp;</b> %s"),
		Doc("control", "", "control nul\x00byte bell\a esc\x1b del\x7f vt\v ff\f c1\u0085\u009f end"),
		Doc(" spaces ", "", "spacious\u00a0text\u2028with\u200bseparators"),
		Doc("bad", "a\xff\x00", "broken \xc3\x28 bytes"),
	}
	f.apply(1, docs...)
	f.holds(docs...)
	for query, want := range map[string]string{
		"MÜLLER": "wörter/ä b.txt", "Łódź": "wörter/ä b.txt", "東京": "日本", "שלום": "rtl", "trains": "🚂🚃",
		"acdc": `a"b\c'd`, `AC/DC: "x" ^ ~ \`: `a"b\c'd`, "control": "control", "broken \xff": "bad", "spacious": " spaces ",
		"n\u0303andu": "marks", "trains \U0010FFFF": "🚂🚃", "\x00 broken \a": "bad",
	} {
		f.finds(query, want)
	}
	for _, d := range docs {
		want := document.Chunk(d, f.o.Chunk)[0]
		found := false
		for _, p := range f.search(d.Title+" "+d.Text, 20) {
			found = found || p.ID == want.ID && p.Title == want.Title && p.Text == want.Text
		}
		if !found {
			f.t.Errorf("%q is not found by its own text", d.ID)
		}
	}
	for i := range docs {
		docs[i].Deleted = true
	}
	f.apply(2, docs...)
	f.holds()
}
