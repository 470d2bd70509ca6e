package read_test

import (
	"strings"
	"testing"

	"hopstream/stages/engine/builtin/read"
	"hopstream/stages/engine/builtin/weights"
)

func reader() *read.Reader {
	w := weights.Shipped()
	return read.New(w.Units, w.Forms, w.Rarity)
}

const manual = "# Pump\n\nThe pump moves water from the well to the tank. It is not needed in winter.\n\n" +
	"## Starting it\n\nTo start the pump, do this:\n\n1. Open the inlet valve.\n2. Press the green button.\n\n```\npumpctl start --slow\n```\n\n" +
	"## Valve\n\nA relief valve is a part that opens when the pressure is too high.\n"

// TestUnits: what is asked is found in its section, whatever its form.
func TestUnits(t *testing.T) {
	t.Parallel()
	r := reader()
	for question, want := range map[string]string{
		"What does the pump move from the well to the tank?": "moves water",
		"What is a relief valve?":                            "is a part that opens",
		"How do I start the pump?":                           "start",
	} {
		p := r.Read(r.Question(question), []read.Text{{ID: "m", Title: "Pump", Text: manual}})
		best := p.Best()
		if best < 0 {
			t.Fatalf("%s: nothing", question)
		}
		text, s := p.Prose(best, read.MaxAnswer)
		if !strings.Contains(text, want) || len(strings.Fields(text)) > read.MaxAnswer || !strings.Contains(manual, p.Quote(s)) {
			t.Errorf("%s: %q", question, text)
		}
		if strings.Contains(text, "```") || strings.Contains(text, "#") {
			t.Errorf("%s: marks in %q", question, text)
		}
	}
	p := r.Read(r.Question("Is the pump needed in winter?"), []read.Text{{ID: "m", Title: "Pump", Text: manual}})
	if !p.Denies(p.Best()) {
		t.Error("it is not seen that the manual denies this")
	}
	if p := r.Read(r.Question("What?"), nil); p.Best() >= 0 || p.Cover() != r.Read(r.Question("What?"), []read.Text{{Text: ""}}).Cover() {
		t.Error("nothing has a best unit")
	}
}

// TestLinks: names lead from text to text, and are known word for word.
func TestLinks(t *testing.T) {
	t.Parallel()
	r := reader()
	texts := []read.Text{
		{ID: "film", Title: "Grey Harbour (1951 film)", Text: "Grey Harbour is a 1951 film directed by Ulla Brandt. It was shot in Oslo."},
		{ID: "other", Title: "Brandt Ulla", Text: "Brandt Ulla (born 3 May 1899) was a chemist. She died in Bergen."},
		{ID: "person", Title: "Ulla Brandt", Text: "Ulla Brandt was a Danish director. She died in Aarhus in 1977."},
	}
	p := r.Read(r.Question("Where did the director of Grey Harbour die?"), texts)
	for i, bridged := range []bool{false, false, true} {
		if p.Bridged(i) != bridged {
			t.Errorf("%s: a step away from what is named: %v", texts[i].Title, !bridged)
		}
	}
	p = r.Read(r.Question("Where did the director of Harbour Grey die?"), []read.Text{texts[0], texts[2]})
	if p.Bridged(1) {
		t.Error("a name is known by its words in any order")
	}
}

// TestRelated asks in other words than the text's.
func TestRelated(t *testing.T) {
	t.Parallel()
	r := reader()
	texts := []read.Text{{ID: "m", Title: "Store", Text: "The store lists all of its entries. The store erases an entry when its lease ends. The store counts each entry."}}
	p := r.Read(r.Question("When does the store delete an entry?"), texts)
	if u := p.Units[p.Best()]; !strings.Contains(texts[0].Text[u.Start:u.End], "erases") {
		t.Errorf("the answer is taken for %q", texts[0].Text[u.Start:u.End])
	}
}

// TestNames: a name in another order is another's, and what one text says in full
// needs no other.
func TestNames(t *testing.T) {
	t.Parallel()
	r := reader()
	texts := []read.Text{
		{ID: "turned", Title: "Rodel Balin", Text: "Rodel Balin (born 1900 in Medeb Dibi) is a writer from Medeb Dibi. Rodel Balin wrote Todob Kituf."},
		{ID: "town", Title: "Nefab Vekir", Text: "Nefab Vekir (born 1800 in Balin Rodel) is a writer from Balin Rodel. Nefab Vekir wrote Pusig Topul."},
		{ID: "work", Title: "Sela Mirot", Text: "Sela Mirot (born 1850 in Kasum Fedo) is a writer from Kasum Fedo. Sela Mirot wrote Balin Rodel."},
		{ID: "right", Title: "Balin Rodel", Text: "Balin Rodel (born 1900 in Debid Pogat) is a writer from Debid Pogat. Balin Rodel wrote Dobob Puget."},
	}
	p := r.Read(r.Question("Where was Balin Rodel born?"), texts)
	if u := p.Units[p.Best()]; p.Texts[u.Text].ID != "right" {
		t.Errorf("Balin Rodel is taken for %s", p.Texts[u.Text].Title)
	}
	if p.Bridged(1) || p.Bridged(2) {
		t.Error("what one text says in full is looked for a step away")
	}
}

// TestForm: the form of an answer is told from the question.
func TestForm(t *testing.T) {
	t.Parallel()
	r := reader()
	for question, prose := range map[string]bool{
		"Who wrote the Lumen Chronicle?":                 false,
		"When was the bridge opened?":                    false,
		"How do I restore a deleted file from a backup?": true,
		"Why does the server refuse the connection?":     true,
	} {
		if f, p := r.Form(r.Question(question)); f.Prose() != prose {
			t.Errorf("%s: %s, %v", question, f, p)
		}
	}
}

// FuzzRead: whatever is asked of whatever text, what is said and quoted stands
// there and is bounded.
func FuzzRead(f *testing.F) {
	f.Add("How do I start the pump?", manual, manual)
	f.Add("?", "- a\n- b\n", "| a | b |\n|---|---|\n| c | d |")
	f.Add("什么是泵", "泵是。", "\xff\xfe")
	r := reader()
	f.Fuzz(func(t *testing.T, question, a, b string) {
		texts := []read.Text{{ID: "a", Title: question, Text: a}, {ID: "b", Heading: "x › y", Text: b}}
		p := r.Read(r.Question(question), texts)
		p.Cover()
		p.BestObserved()
		best := p.Best()
		if best < 0 {
			return
		}
		text, s := p.Prose(best, read.MaxAnswer)
		if n := len(strings.Fields(text)); n > read.MaxAnswer {
			t.Errorf("%d words", n)
		}
		for _, s := range append(p.Beside(s, read.MaxQuotes), s) {
			if s.From > s.To || !strings.Contains([]string{a, b}[s.Text], p.Quote(s)) {
				t.Errorf("%+v is not in the text", s)
			}
		}
	})
}

func TestRarity(t *testing.T) {
	t.Parallel()
	c := read.CountRarity(func(yield func(string) bool) {
		for _, s := range []string{"the pump", "the valve", "the tank", "the pump again"} {
			yield(s)
		}
	})
	q := func(word string) float32 {
		w := read.New(weights.Shipped().Units, weights.Shipped().Forms, c).Question(word)
		return c.Of(w.Tokens[0].Hash)
	}
	if the, pump, rare := q("the"), q("pump"), q("zorblat"); the >= pump || pump >= rare {
		t.Errorf("the %v, pump %v, zorblat %v", the, pump, rare)
	}
	if _, err := read.ReadRarity(c.Bytes()); err != nil {
		t.Error(err)
	}
	if _, err := read.ReadRarity([]byte("x")); err == nil {
		t.Error("one byte is a table")
	}
}

func BenchmarkRead(b *testing.B) {
	r := reader()
	texts := []read.Text{{ID: "a", Title: "Pump", Text: manual}, {ID: "b", Title: "Pump", Text: strings.Repeat("The tank holds water for a day. ", 40)}}
	b.ReportAllocs()
	for b.Loop() {
		r.Read(r.Question("How do I start the pump of the tank?"), texts)
	}
}
