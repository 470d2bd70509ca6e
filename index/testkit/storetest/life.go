package storetest

import (
	"context"
	"errors"
	"reflect"
	"strings"

	"hopstream/index"
	"hopstream/messages"
)

func position(f *fixture) {
	for _, p := range []index.Position{{Stream: "s", Sequence: 1}, {Stream: "s", Sequence: 1 << 60}, {Stream: `other "ü" \ 🚂`, Sequence: 1<<64 - 1}, {Stream: "s", Sequence: 2}} {
		if err := f.store.Apply(f.t.Context(), nil, p); err != nil {
			f.t.Fatal(err)
		}
		if got := f.store.Position(); got != p {
			f.t.Errorf("position %+v, want %+v", got, p)
		}
	}
}

// refused: a batch that cannot be stored moves nothing.
func refused(f *fixture) {
	f.apply(1, Doc("a", "", "opal"))
	for name, bad := range map[string]messages.Document{
		"without ID":   {Text: "no ID"},
		"with long ID": {ID: strings.Repeat("x", messages.MaxDocID+1), Text: "long ID"},
	} {
		err := f.store.Apply(f.t.Context(), []messages.Document{Doc("b", "", "opal"), bad, Gone("a")}, at(9))
		if !Permanent(err) {
			f.t.Errorf("document %s: %v", name, err)
		}
	}
	if got := f.store.Position(); got != at(1) {
		f.t.Errorf("position moved to %+v", got)
	}
	f.holds(Doc("a", "", "opal"))
	f.finds("opal", "a")
	// The longest ID there can be is one.
	d := Doc(strings.Repeat("x", messages.MaxDocID), "", "jasper")
	f.apply(2, d)
	f.holds(Doc("a", "", "opal"), d)
	f.finds("jasper", d.ID)
}

func cancelled(f *fixture) {
	f.apply(1, Doc("a", "", "agate"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := f.store.Apply(ctx, []messages.Document{Doc("b", "", "agate")}, at(2)); !errors.Is(err, context.Canceled) {
		f.t.Errorf("apply: %v", err)
	}
	if _, err := f.store.Search(ctx, "agate", 1); !errors.Is(err, context.Canceled) {
		f.t.Errorf("search: %v", err)
	}
	if err := f.store.Reset(ctx); !errors.Is(err, context.Canceled) {
		f.t.Errorf("reset: %v", err)
	}
	if g, ok := f.store.(Getter); ok {
		if _, _, err := g.Passage(ctx, "a"); !errors.Is(err, context.Canceled) {
			f.t.Errorf("passage: %v", err)
		}
	}
	if got := f.store.Position(); got != at(1) {
		f.t.Errorf("position moved to %+v", got)
	}
	f.holds(Doc("a", "", "agate"))
	f.finds("agate", "a")
}

func closed(f *fixture) {
	f.apply(1, Doc("a", "", "onyx"))
	if err := errors.Join(f.store.Close(), f.store.Close()); err != nil {
		f.t.Fatal(err)
	}
	ctx := f.t.Context()
	_, searched := f.store.Search(ctx, "onyx", 1)
	for what, err := range map[string]error{
		"search": searched,
		"apply":  f.store.Apply(ctx, nil, at(2)),
		"reset":  f.store.Reset(ctx),
	} {
		if !errors.Is(err, index.ErrClosed) || !Permanent(err) {
			f.t.Errorf("%s on a closed store: %v", what, err)
		}
	}
	if g, ok := f.store.(Getter); ok {
		if _, _, err := g.Passage(ctx, "a"); !errors.Is(err, index.ErrClosed) {
			f.t.Errorf("passage of a closed store: %v", err)
		}
	}
}

func reset(f *fixture) {
	for round := range 2 {
		d := Doc("a", "", long("topaz", 2, f.o.Chunk))
		f.apply(7, d, Doc("old", "", "topaz"))
		if err := f.store.Reset(f.t.Context()); err != nil {
			f.t.Fatalf("round %d: %v", round, err)
		}
		f.holds()
		f.hasNot("a#0", "old")
		f.lacks("topaz", "a", "old")
		if got := f.store.Position(); got != (index.Position{}) {
			f.t.Errorf("position %+v after a reset", got)
		}
		f.apply(1, Doc("b", "", "topaz"))
		f.finds("topaz", "b")
		f.holds(Doc("b", "", "topaz"))
	}
}

func reopen(f *fixture) {
	docs := []messages.Document{Doc("a", "Ruby", "rubies and pearls"), Doc("b", "", "pearls"), Doc("c", "", long("pearls", 3, f.o.Chunk)), placed("e", "Jewels › Pearls", "pearls")}
	f.apply(5, docs...)
	docs[1].Text = "sapphires"
	f.apply(6, docs[1])
	before := f.search("pearls rubies", 50)
	if err := f.store.Close(); err != nil {
		f.t.Fatal(err)
	}
	f.store = f.openAt(f.dir)
	if !f.o.Persistent {
		f.holds()
		if got := f.store.Position(); got != (index.Position{}) {
			f.t.Errorf("nothing is kept, but for the position %+v", got)
		}
		return
	}
	f.holds(docs...)
	if got := f.store.Position(); got != at(6) {
		f.t.Errorf("position %+v, want %+v", got, at(6))
	}
	if after := f.search("pearls rubies", 50); !reflect.DeepEqual(before, after) {
		f.t.Errorf("found %v before, %v after", before, after)
	}
	f.apply(7, Gone("c"), Doc("d", "", "pearls"))
	docs[2] = Doc("d", "", "pearls")
	f.holds(docs...)
	f.lacks("pearls", "c")
}

// apart: stores do not see each other.
func apart(f *fixture) {
	f.apply(1, Doc("a", "", "garnet"))
	other := *f
	other.store = f.openAt(f.dir + "-other")
	other.holds()
	other.apply(2, Doc("b", "", "garnet"))
	other.finds("garnet", "b")
	other.holds(Doc("b", "", "garnet"))
	f.finds("garnet", "a")
	if err := other.store.Reset(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	f.holds(Doc("a", "", "garnet"))
	if got := f.store.Position(); got != at(1) {
		f.t.Errorf("position %+v", got)
	}
}
