package client_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages/client"
	"hopstream/stages/log"
)

// TestTextInOrder deals out pieces as they may arrive.
func TestTextInOrder(t *testing.T) {
	t.Parallel()
	reset := client.Text{Reset: true}
	text := func(s string) client.Text { return client.Text{Text: s} }
	piece := func(attempt int64, n int, s string) messages.Preview {
		return messages.Preview{ID: "q", Attempt: attempt, N: n, Text: s}
	}
	r := newRig(t, log.Config{})
	for name, c := range map[string]struct {
		pieces []messages.Preview
		want   []client.Text
	}{
		"one after the other":        {[]messages.Preview{piece(1, 1, "a"), piece(1, 2, "b")}, []client.Text{text("a"), text("b")}},
		"a later attempt":            {[]messages.Preview{piece(1, 1, "a"), piece(7, 1, "b")}, []client.Text{text("a"), reset, text("b")}},
		"taken back":                 {[]messages.Preview{piece(1, 1, "a"), piece(2, 1, ""), piece(2, 2, "b")}, []client.Text{text("a"), reset, text("b")}},
		"an attempt that is over":    {[]messages.Preview{piece(3, 1, "a"), piece(2, 1, "x"), piece(3, 2, "b")}, []client.Text{text("a"), text("b")}},
		"a gap":                      {[]messages.Preview{piece(1, 1, "a"), piece(1, 3, "c"), piece(1, 4, "d"), piece(2, 1, "e")}, []client.Text{text("a"), reset, text("e")}},
		"heard too late":             {[]messages.Preview{piece(1, 2, "b"), piece(2, 1, "e")}, []client.Text{text("e")}},
		"twice":                      {[]messages.Preview{piece(1, 1, "a"), piece(1, 1, "a"), piece(2, 1, "e")}, []client.Text{text("a"), reset, text("e")}},
		"of another, and of nothing": {[]messages.Preview{{ID: "p", Attempt: 9, N: 1, Text: "x"}, {ID: "q"}, piece(1, 1, "a")}, []client.Text{text("a")}},
	} {
		got := make(chan client.Text, 20)
		stop, err := r.Client.FollowText("q", func(s client.Text) { got <- s })
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range append(c.pieces, piece(100, 1, "end")) {
			b, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Log.JetStream().Conn().Publish(r.Log.Names().Text("q"), b); err != nil {
				t.Fatal(err)
			}
		}
		var all []client.Text
		for len(all) == 0 || all[len(all)-1] != text("end") {
			select {
			case s := <-got:
				all = append(all, s)
			case <-time.After(10 * time.Second):
				t.Fatalf("%s: only %+v", name, all)
			}
		}
		stop()
		stop() // again is harmless
		want := append(c.want, reset, text("end"))
		if !reflect.DeepEqual(all, want) {
			t.Errorf("%s: %+v, want %+v", name, all, want)
		}
	}
}

// TestAskTextEndsWithTheAnswer holds that nothing is shown after AskText returned,
// and that a follower who shows nothing more holds nobody up.
func TestAskTextEndsWithTheAnswer(t *testing.T) {
	t.Parallel()
	r := newRig(t, log.Config{})
	began, returned := make(chan struct{}, 1), make(chan struct{})
	ended := make(chan *messages.Answer, 1)
	go func() {
		a, err := r.Follow.AskText(t.Context(), r.Client, &messages.Question{ID: "q", Question: "x"}, func(client.Text) {
			select {
			case <-returned:
				t.Error("shown after the answer")
			default:
			}
			select {
			case began <- struct{}{}:
			default:
			}
		})
		close(returned)
		if err != nil {
			t.Error(err)
		}
		ended <- a
	}()
	r.opened(t, "q")
	for n := range 3 * 256 { // more than wait for who shows them
		p := messages.Preview{ID: "q", Attempt: 1, N: n + 1, Text: "a"}
		if err := r.Log.JetStream().Conn().Publish(r.Log.Names().Text("q"), p.Encode()); err != nil {
			t.Fatal(err)
		}
	}
	<-began
	r.answer(t, "q", "x")
	if a := <-ended; a == nil || a.Answer != "<x>" {
		t.Errorf("%+v", a)
	}
	if _, err := r.Client.FollowText("no subject", func(client.Text) {}); err == nil {
		t.Error("an ID that is no part of a subject was taken")
	}
}
