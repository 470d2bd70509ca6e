package pause_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
	"hopstream/stages/pause"
)

// TestPause holds that questions are taken where nobody said otherwise, and that what
// is said is read elsewhere.
func TestPause(t *testing.T) {
	t.Parallel()
	url := natstest.Server(t).ClientURL()
	open := func() *pause.Store {
		nc, err := nats.Connect(url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nc.Close)
		js, err := jetstream.New(nc)
		if err != nil {
			t.Fatal(err)
		}
		return pause.New(log.New(js, messages.DefaultNames()), log.Config{})
	}
	here, there := open(), open()
	if s, err := there.Read(t.Context()); err != nil || s.Paused || s.String() != "" {
		t.Errorf("before: %+v, %v", s, err)
	}
	want := pause.State{Paused: true, Since: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Reason: "a new wire"}
	for _, state := range []pause.State{want, {}, want} {
		if err := here.Write(t.Context(), state); err != nil {
			t.Fatal(err)
		}
		if got, err := there.Read(t.Context()); err != nil || got != state {
			t.Errorf("got %+v, want %+v (%v)", got, state, err)
		}
	}
	for _, word := range []string{"2026-01-02T03:04:05Z", "(a new wire)", "drain --resume"} {
		if !strings.Contains(want.String(), word) {
			t.Errorf("%q does not say %q", want, word)
		}
	}
}
