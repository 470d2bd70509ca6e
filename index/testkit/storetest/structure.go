package storetest

import (
	"reflect"

	"hopstream/index/document"
	"hopstream/messages"
)

// placed is a document that knows where it stands in its file.
func placed(id, heading, text string) messages.Document {
	d := Doc(id, "", text)
	d.Place = messages.Place{Heading: heading, Lines: messages.Lines{{0, 40}, {2, 50}}, Pages: messages.Pages{{0, 3}, {1, 4}}}
	return d
}

// headings: where a passage stands is given back, the headings above it are
// searched as its text is, and what changes of them replaces what there was.
func headings(f *fixture) {
	a := placed("a", "Quarry › Granite \"<é>\"", "stone")
	b := placed("b", "", "gravel")
	f.apply(1, a, b)
	f.holds(a, b)
	f.finds("quarry", "a")
	f.finds("granite", "a")
	f.finds("stone", "a")
	want := document.Chunk(a, f.o.Chunk)[0]
	if got := f.search("quarry", 1); len(got) != 1 || got[0].Text != "stone" || got[0].Title != "" || !reflect.DeepEqual(got[0].Place, want.Place) {
		f.t.Errorf("found %+v, want %+v", got, want)
	}
	a.Heading, a.Lines, a.Pages = "Harbour", messages.Lines{{0, 7}}, nil
	f.apply(2, a)
	f.holds(a, b)
	f.finds("harbour", "a")
	if !f.o.Dense {
		f.finds("quarry")
	}
	a.Lines = messages.Lines{{0, 8}} // moved, and nothing else
	f.apply(3, a)
	f.holds(a, b)
	if got := f.search("harbour", 1); len(got) != 1 || !reflect.DeepEqual(got[0].Lines, a.Lines) {
		f.t.Errorf("found %+v, want lines %v", got, a.Lines)
	}
	f.apply(4, Gone("a"))
	f.lacks("harbour stone", "a")
	f.holds(b)
}

// parts: the parts of a document that is too long for one message are documents
// of their own, whose passages do not disturb each other.
func parts(f *fixture) {
	part := func(first int, word string, n int) messages.Document {
		d := Doc(document.PartID("novel.txt", first, 20), "Novel", long(word, n, f.o.Chunk))
		d.Place = messages.Place{Heading: "Book", Lines: messages.Lines{{0, 1000 + first}}}
		return d
	}
	begin, middle, end := part(0, "basalt", 2), part(20, "cobalt", 3), part(40, "ferrite", 2)
	other := Doc("novel.txt2", "", "another file")
	all := []messages.Document{begin, middle, end, other}
	f.apply(1, all...)
	f.holds(all...)
	f.hasNot("novel.txt", "novel.txt#19", "novel.txt#60")
	middle.Text = long("nickel", 2, f.o.Chunk)
	all[1] = middle
	f.apply(2, middle)
	f.holds(all...)
	f.hasNot("novel.txt#29")
	if !f.o.Dense {
		f.finds("cobalt")
	}
	if got := f.search("nickel stands", 1); len(got) != 1 || document.DocID(got[0].ID) != "novel.txt" {
		f.t.Errorf("found %v", ids(got))
	}
	f.apply(3, Gone(end.ID))
	f.holds(begin, middle, other)
	f.hasNot("novel.txt#40", "novel.txt#41")
	f.apply(4, end, Gone(begin.ID))
	f.holds(middle, end, other)
	f.hasNot("novel.txt#0", "novel.txt#1")
	f.apply(5, Gone(middle.ID), Gone(end.ID))
	f.holds(other)
	f.lacks("nickel ferrite basalt stands", "novel.txt")
}

// partsForWhole: a document that has grown is replaced by its parts, and one that
// has shrunk is whole again, in one batch in whatever order.
func partsForWhole(f *fixture) {
	whole := Doc("novel.txt", "", long("zircon", 4, f.o.Chunk))
	first := Doc(document.PartID("novel.txt", 0, 8), "", long("garnet", 3, f.o.Chunk))
	second := Doc(document.PartID("novel.txt", 8, 8), "", long("spinel", 2, f.o.Chunk))
	f.apply(1, whole)
	f.apply(2, first, second, Gone(whole.ID))
	f.holds(first, second)
	f.lacks("zircon", "")
	f.apply(3, Gone(first.ID), whole, Gone(second.ID))
	f.holds(whole)
	f.hasNot("novel.txt#8", "novel.txt#9")
}
