package storetest

import (
	"fmt"

	"hopstream/index"
	"hopstream/index/document"
	"hopstream/messages"
)

func empty(f *fixture) {
	f.counts(0, 0)
	if p := f.store.Position(); p != (index.Position{}) {
		f.t.Errorf("an empty store is at %+v", p)
	}
	if ps := f.search("anything", 5); len(ps) != 0 {
		f.t.Errorf("an empty store finds %v", ps)
	}
	f.hasNot("anything", "")
	f.apply(1)
	f.apply(2, Gone("never there"), Doc("blank", "", " \n"))
	f.counts(0, 0)
	if ps := f.search("anything", 5); len(ps) != 0 {
		f.t.Errorf("an empty store finds %v", ps)
	}
}

func addUpdateDelete(f *fixture) {
	apple, plum := Doc("apple", "Apple", "Apples grow on trees."), Doc("plum", "", "A plum is blue.")
	f.apply(1, apple)
	f.apply(2, plum)
	f.holds(apple, plum)
	f.finds("apples", "apple")
	f.finds("PLUM", "plum")

	plum.Title, plum.Text = "Fruit", "A cherry is red."
	f.apply(3, plum)
	f.holds(apple, plum)
	f.finds("cherry", "plum")
	f.finds("fruit", "plum")
	if !f.o.Dense {
		f.finds("blue")
	}

	f.apply(4, Gone("apple"), Gone("never there"))
	f.holds(plum)
	f.hasNot("apple")
	f.lacks("apples grow on trees", "apple")
	f.apply(5, apple)
	f.holds(apple, plum)
	f.finds("apples", "apple")
	f.apply(6, Gone("apple"), Gone("plum"))
	f.holds()
	f.lacks("apples cherry", "apple", "plum")
}

// versions: of several versions in one batch the last one counts.
func versions(f *fixture) {
	f.apply(1,
		Doc("a", "", "first version"), Gone("a"), Doc("a", "", "second version"),
		Doc("b", "", "only version"), Gone("b"),
		Gone("c"), Doc("c", "", "third version"))
	f.holds(Doc("a", "", "second version"), Doc("c", "", "third version"))
	f.finds("second", "a")
	f.lacks("first only", "b")
}

// chunks: a long document is several passages, named after it.
func chunks(f *fixture) {
	d := Doc("long", "Granite", long("granite", 3, f.o.Chunk))
	ps := document.Chunk(d, f.o.Chunk)
	if len(ps) < 3 {
		f.t.Fatalf("%d passages are too few for this test", len(ps))
	}
	f.apply(1, d, Doc("long#1", "", "another document"), Doc("short", "", "one passage"))
	f.holds(d, Doc("long#1", "", "another document"), Doc("short", "", "one passage"))
	f.hasNot("long", fmt.Sprint("long#", len(ps)), "short#0")
	found := map[string]messages.Passage{}
	for _, p := range f.search("granite stands", 100) {
		if document.DocID(p.ID) == "long" {
			found[p.ID] = p
		}
	}
	for _, want := range ps {
		if p := found[want.ID]; p.Text != want.Text || p.Title != "Granite" {
			f.t.Errorf("passage %q is found as %q, %q", want.ID, p.Title, p.Text)
		}
	}
	f.apply(2, Gone("long"))
	f.lacks("granite", "long")
	f.holds(Doc("long#1", "", "another document"), Doc("short", "", "one passage"))
}

// shrinking: what a shorter version no longer needs is gone.
func shrinking(f *fixture) {
	for i, n := range []int{5, 3, 1, 4, 0, 2} {
		d := Doc("d", "", "")
		if n == 1 {
			d.Text = "basalt stands short"
		} else {
			d.Text = long("basalt", n, f.o.Chunk)
		}
		d.Deleted = n == 0
		f.apply(uint64(i+1), d, Doc("other", "", "something else"))
		f.holds(d, Doc("other", "", "something else"))
		ps := document.Chunk(d, f.o.Chunk)
		for at := len(ps); at < 8; at++ {
			f.hasNot(fmt.Sprint("d#", at))
		}
		got := 0
		for _, p := range f.search("basalt stands", 100) {
			if document.DocID(p.ID) == "d" {
				got++
			}
		}
		if got != len(ps) {
			f.t.Errorf("version %d: %d passages are found of %d", i+1, got, len(ps))
		}
	}
}

// repeated: the same batch again, as after a crash, changes nothing.
func repeated(f *fixture) {
	docs := []messages.Document{Doc("a", "", "marble hall"), Doc("b", "", long("marble", 2, f.o.Chunk)), Gone("c")}
	f.apply(1, Doc("c", "", "marble"))
	f.apply(2, docs...)
	before := f.search("marble", 50)
	f.apply(2, docs...)
	f.holds(docs...)
	after := f.search("marble", 50)
	if fmt.Sprint(ids(before)) != fmt.Sprint(ids(after)) {
		f.t.Errorf("found %v, after the same batch again %v", ids(before), ids(after))
	}
}
