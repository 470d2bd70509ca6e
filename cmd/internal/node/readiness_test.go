package node

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"hopstream/index"
	"hopstream/index/docstream"
	"hopstream/messages/fault"
	"hopstream/stages/log"
)

// fakeFollower is as far as it is set to be.
type fakeFollower struct {
	Follower
	progress docstream.Progress
	err      error // of looking at it
}

func (f *fakeFollower) Reach(ctx context.Context, seq uint64) (docstream.Progress, error) {
	switch {
	case f.err != nil:
		return f.progress, f.err
	case f.progress.Lacks(seq) == "":
		return f.progress, nil
	}
	<-ctx.Done()
	return f.progress, ctx.Err()
}

func (f *fakeFollower) Epoch(context.Context) (uint64, error) { return f.progress.Epoch, f.err }
func (f *fakeFollower) Progress() docstream.Progress          { return f.progress }

func TestRead(t *testing.T) {
	t.Parallel()
	first, second := &fakeFollower{progress: docstream.Progress{Applied: 20}}, &fakeFollower{progress: docstream.Progress{Applied: 20}}
	all := Stores{{follower: first}, {follower: second}}
	searches := 0
	read := func(seq uint64, during func(n int)) error {
		searches = 0
		return all.Read(t.Context(), seq, func(context.Context) error {
			searches++
			during(searches)
			return nil
		})
	}
	wants := func(what string, err error, class fault.Class, words string, n int) {
		t.Helper()
		got, after := fault.Of(err)
		if err == nil || got != class || !strings.Contains(err.Error(), words) || searches != n || class == fault.Unavailable && after != shortWait {
			t.Errorf("%s: %v is %s after %v, with %d searches; want %s with %q, and %d", what, err, got, after, searches, class, words, n)
		}
	}
	calm := func(int) {}
	if err := read(20, calm); err != nil || searches != 1 {
		t.Errorf("%v, %d searches", err, searches)
	}
	if err := read(20, func(n int) { second.progress.Epoch += uint64(2 - n) }); err != nil || searches != 2 {
		t.Errorf("emptied during the first search: %v, %d searches", err, searches)
	}
	wants("emptied again and again", read(20, func(int) { second.progress.Epoch++ }), fault.Unavailable, "built anew while it was searched", 2)
	wants("not to be looked at afterwards", read(20, func(int) { second.err = errors.New("gone") }), fault.Unavailable, "gone", 1)
	wants("not to be looked at", read(20, calm), fault.Unavailable, "gone", 0)
	second.err = fault.Permanentf("never was")
	wants("never to be looked at", read(20, calm), fault.Permanent, "never was", 0)
	second.err = nil
	wants("behind", read(21, calm), fault.Unavailable, "the index holds documents up to 20 of 21", 0)
	if got := all.Lacks(21); got != "the index holds documents up to 20 of 21" || all.Lacks(20) != "" {
		t.Errorf("it lacks %q", got)
	}
	second.progress = docstream.Progress{Loading: true, Applied: 30, End: 40}
	wants("loading", read(1, calm), fault.Unavailable, "the index is loading: documents up to 30 of 40", 0)
	if p := all.progress(); !p.Loading {
		t.Errorf("%+v", p)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := all.Read(gone, 1, func(context.Context) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	failed := errors.New("the search failed")
	second.progress = docstream.Progress{Applied: 20}
	if err := all.Read(t.Context(), 1, func(context.Context) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("%v", err)
	}
}

// TestReadWeaviate holds what looks at the shared store amount to.
func TestReadWeaviate(t *testing.T) {
	t.Parallel()
	var now sharedLook
	var err error
	looks := 0
	s := &sharedStore{is: docstream.Progress{Loading: true, Interrupted: "not looked at"}}
	s.looks = log.NewShared(0, func(context.Context) (sharedLook, error) {
		looks++
		return now, err
	})
	defer s.looks.Close()
	reach := func(seq uint64) (docstream.Progress, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		looks = 0
		return s.Reach(ctx, seq)
	}
	at := func(seq uint64) index.Position { return index.Position{Stream: "one", Sequence: seq} }

	now = sharedLook{stream: "one", last: 20, messages: 20, position: at(10), epoch: "a"}
	if p, err := reach(1); err == nil || p.Lacks(1) != "the index is loading: documents up to 10 of 20" {
		t.Errorf("%+v, %v", p, err)
	}
	now.position = at(20)
	p, rerr := reach(20)
	if rerr != nil || p.Loading {
		t.Fatalf("%+v, %v", p, rerr)
	}
	if _, err := reach(20); err != nil || looks != 0 {
		t.Errorf("what was seen is looked at %d times again, %v", looks, err)
	}
	if epoch, err := s.Epoch(t.Context()); epoch != p.Epoch || err != nil || looks != 1 {
		t.Errorf("epoch %d, then %d, %v", p.Epoch, epoch, err)
	}
	now.last, now.messages = 43, 3
	if lag, err := s.Lag(t.Context()); lag != 3 || err != nil {
		t.Errorf("lag %d, %v", lag, err)
	}

	now.epoch, now.position = "", index.Position{} // emptied
	if epoch, _ := s.Epoch(t.Context()); epoch == p.Epoch {
		t.Error("that it was emptied is not noticed")
	}
	if _, err := reach(0); err == nil {
		t.Error("an empty store is read")
	}
	now = sharedLook{stream: "one", last: 43, messages: 3, position: at(43), epoch: "b"}
	if p, rerr = reach(43); rerr != nil || p.Loading {
		t.Errorf("%+v, %v", p, err)
	}

	now.stream, now.last = "two", 5 // made anew, and nobody has noticed yet
	if epoch, _ := s.Epoch(t.Context()); epoch == p.Epoch {
		t.Error("another stream is not noticed")
	}
	if p, err := reach(5); err == nil || !strings.Contains(p.Lacks(5), "does not follow") {
		t.Errorf("%+v, %v", p, err)
	}
	err = errors.New("the server is away")
	if _, rerr := reach(5); !errors.Is(rerr, err) {
		t.Errorf("%v", rerr)
	}
}
