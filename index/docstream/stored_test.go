package docstream

import (
	"errors"
	"slices"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
)

func rooted(root string, docs ...messages.Document) []messages.Document {
	for i := range docs {
		docs[i].Root = root
	}
	return docs
}

func publisher(tb testing.TB, js jetstream.JetStream, opts PublishOptions) *Publisher {
	tb.Helper()
	p, err := NewPublisher(within(tb), js, names, opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _, _ = p.Close() })
	return p
}

// store publishes docs, and returns the errors by ID.
func store(tb testing.TB, js jetstream.JetStream, opts PublishOptions, docs ...messages.Document) (PublishStats, map[string]error) {
	tb.Helper()
	bad := map[string]error{}
	opts.OnError = func(id string, err error) { bad[id] = err }
	stats, err := Publish(within(tb), js, names, slices.Values(docs), opts)
	if err != nil {
		tb.Fatal(err)
	}
	return stats, bad
}

func TestPublishFromAnotherRoot(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	ensure(t, js)
	const first, second = "/a/ö b%41", "/b\n "
	publish(t, js, append(rooted(first, doc("x", "", "1"), doc("y", "", "1"), doc("gone", "", "1")), doc("old", "", "1"))...)
	publish(t, js, Tombstone("gone"))
	docs := rooted(second, doc("x", "", "1"), doc("y", "", "2"), doc("gone", "", "2"), doc("old", "", "1"), doc("z", "", "1"))
	stats, bad := store(t, js, PublishOptions{}, docs...)
	// x is equal, gone is not there, and the root of old is not known.
	if stats.Unchanged != 1 || stats.Stored != 3 || len(bad) != 1 || !errors.Is(bad["y"], ErrClash) {
		t.Errorf("%+v %v", stats, bad)
	}
	// A record without a folder does not replace a file.
	if _, bad := store(t, js, PublishOptions{}, doc("x", "", "record"), doc("z", "", "1")); len(bad) != 1 || !errors.Is(bad["x"], ErrClash) {
		t.Errorf("%v", bad)
	}
	got := map[string]Stored{}
	p := publisher(t, js, PublishOptions{})
	if err := p.Look(slices.Values([]string{"x", "y", "gone", "old", "none"}), func(id string, s Stored) { got[id] = s }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 4 || got["x"].Root != first || got["y"].Root != first || got["gone"].Root != second || got["old"].Root != second {
		t.Errorf("%q", got)
	}
	if stats, bad := store(t, js, PublishOptions{Replace: true}, docs...); stats.Stored != 2 || stats.Unchanged != 3 || len(bad) != 0 {
		t.Errorf("replacing: %+v %v", stats, bad)
	}
	if stats, _ := store(t, js, PublishOptions{}, docs...); stats.Unchanged != 5 {
		t.Errorf("again: %+v", stats)
	}
}

func TestLookThenAdd(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	ensure(t, js)
	publish(t, js, numbered(50, "old")...)
	docs := numbered(100, "old")
	docs[3].Text = "new"
	docs[4] = Tombstone(docs[4].ID)
	p := publisher(t, js, PublishOptions{Pending: 4})
	there := 0
	if err := p.Look(func(yield func(string) bool) {
		for _, d := range docs {
			if !yield(d.ID) {
				return
			}
		}
	}, func(string, Stored) { there++ }); err != nil || there != 50 {
		t.Fatal(there, err)
	}
	back := docs[3]
	back.Text = "old number3"
	for _, d := range append(docs, back) { // what Look read is good for one time only
		if err := p.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	stats, err := p.Close()
	if want := (PublishStats{Stored: 52, Unchanged: 48, Deleted: 1, LastSeq: 103}); err != nil || stats != want {
		t.Errorf("%+v %v", stats, err)
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	ensure(t, js)
	long := messages.PartID("a b.txt", 0, 60)
	more := messages.PartID("a b.txt", 60, 60)
	other := messages.PartID("a.txt", 0, 1)
	p := publisher(t, js, PublishOptions{})
	if ids, err := p.IDs(); err != nil || len(ids) != 0 {
		t.Errorf("%q %v", ids, err)
	}
	publish(t, js, doc(long, "", "1"), doc(more, "", "2"), doc(other, "", "3"), doc("a", "", "4"), doc("a#7", "", "5"))
	for _, c := range []struct {
		list func() ([]string, error)
		want []string
	}{
		{p.IDs, []string{"a", "a b.txt#0+60", "a b.txt#60+60", "a#7", "a.txt#0+1"}},
		{p.Parts, []string{"a b.txt#0+60", "a b.txt#60+60", "a.txt#0+1"}},
		{func() ([]string, error) { return p.PartsOf("a b.txt") }, []string{"a b.txt#0+60", "a b.txt#60+60"}},
		{func() ([]string, error) { return p.PartsOf("a") }, nil},
	} {
		got, err := c.list()
		slices.Sort(got)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q %v, want %q", got, err, c.want)
		}
	}
}
