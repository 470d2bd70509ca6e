package links

import (
	"reflect"
	"testing"

	"hopstream/index/lang"
	"hopstream/messages"
)

// headed is a passage under headings that look like what it could be called.
func headed(heading, text string) messages.Passage {
	p := passageOf("p", "Max Planck", text)
	p.Place = messages.Place{Heading: heading, Lines: messages.Lines{{0, 3}}, Pages: messages.Pages{{0, 2}}}
	return p
}

// TestHeadingsAreNoNames: a passage is found by the headings above it, and is not
// called what they say.
func TestHeadingsAreNoNames(t *testing.T) {
	t.Parallel()
	plain := Keys(passageOf("p", "Max Planck", "He was born in Kiel. Max was a physicist."))
	for _, p := range []messages.Passage{
		headed("Planck, Physicist", "He was born in Kiel. Max was a physicist."),
		headed("Planck, Physicist", "# Planck, Physicist\n\nHe was born in Kiel. Max was a physicist."),
		headed("Lives › Max, Early Years", "# Lives\n## Max, Early Years\n\nHe was born in Kiel. Max was a physicist."),
	} {
		if got := Keys(p); !reflect.DeepEqual(got, plain) {
			t.Errorf("under %q it is called %q, want %q", p.Heading, got, plain)
		}
	}
	named := headed("Lives", "# Lives\n\nMax Karl Planck was a physicist. He was born in Kiel.")
	if want, got := Keys(passageOf("p", "Max Planck", "Max Karl Planck was a physicist.")), Keys(named); !reflect.DeepEqual(got, want) {
		t.Errorf("below its heading it is called %q, want %q", got, want)
	}
	c := newCorpus()
	p := c.passage(read(headed("Laureates", "He was born in Kiel.")))
	if first := len(lang.Tokens("He was born in Kiel.")); int(p.first-p.title) != first || len(p.toks) != int(p.first)+1 {
		t.Errorf("the first sentence ends at %d of %d, the title at %d", p.first, len(p.toks), p.title)
	}
}

// TestPlaceInRecord: what a record keeps is what was stored, also after it was
// copied to another corpus.
func TestPlaceInRecord(t *testing.T) {
	t.Parallel()
	c := newCorpus()
	for _, m := range []messages.Passage{headed("Lives › Laureates", "# Laureates\n\nHe was born in Kiel. So was she."), headed("Lives", ""), passageOf("p", "", "no place")} {
		p := c.passage(read(m))
		again, err := readRecord(&c.vocabulary, "p", 1, appendRecord(nil, 1, p))
		if err != nil || !reflect.DeepEqual(again.message(), m) || !reflect.DeepEqual(again.toks, p.toks) {
			t.Errorf("%+v is read again as %+v, %v", m, again, err)
			continue
		}
		next := newCorpus()
		copied := next.reworded(again, &c.vocabulary, make([]uint32, len(c.norms)))
		if !reflect.DeepEqual(copied.message(), m) {
			t.Errorf("%+v is copied as %+v", m, copied.message())
		}
	}
}

// TestReadingsKeepUp: a passage that has moved in its file is read again.
func TestReadingsKeepUp(t *testing.T) {
	t.Parallel()
	k := newReadings()
	m := headed("Lives", "He was born in Kiel.")
	k.read([]messages.Passage{m})
	for _, change := range []func(){func() { m.Heading = "Laureates" }, func() { m.Lines = messages.Lines{{0, 9}} }, func() { m.Pages = nil }} {
		change()
		if got := newCorpus().passage(k.read([]messages.Passage{m})[0]).message(); !reflect.DeepEqual(got, m) {
			t.Errorf("read as %+v, want %+v", got, m)
		}
	}
}
