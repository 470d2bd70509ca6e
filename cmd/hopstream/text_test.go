package main

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"hopstream/cmd/hoplab/sim"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/messages"
)

// TestTextComesBeforeTheAnswer asks questions of every class of workers whose
// model takes its time over every word, and reads along.
func TestTextComesBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	_, url := simulate(t, sim.Options{Latency: sim.Latency{Mean: time.Millisecond, PerToken: 25 * time.Millisecond}})
	w := up(t, t.TempDir(), "--engine", "ollama", "--ollama-url", url)
	hopstream(t, "", "index", "--nats", w.URL, cmdtest.Corpus(t)).Exits(0)
	nc, err := nats.Connect(w.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	names := messages.DefaultNames()
	passing := make(chan *nats.Msg, 10_000) // texts and answers in the order in which they were published
	for _, subject := range []string{names.Text("*"), names.Filter(messages.KindAnswer)} {
		if _, err := nc.ChanSubscribe(subject, passing); err != nil {
			t.Fatal(err)
		}
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	const in = `{"id":"direct","question":"What is 12 times 12?"}
{"id":"single","question":"Where was Marie Curie born?"}
{"id":"compound","question":"Where was Marie Curie born and when did she die?"}
{"id":"complex","question":"What is the capital of the country where Marie Curie was born?"}
`
	answers := hopstream(t, in, "stream", "--nats", w.URL).Exits(0).Answers()
	type reading struct {
		attempt int64
		pieces  []string
	}
	texts := map[string]*reading{}
	for ended := 0; ended < len(answers); {
		var msg *nats.Msg
		select {
		case msg = <-passing:
		case <-time.After(10 * time.Second):
			t.Fatal("not every answer passed")
		}
		if !strings.HasPrefix(msg.Subject, names.Text("")) {
			m, err := messages.Decode(messages.KindAnswer, msg.Data)
			if err != nil {
				t.Fatal(err)
			}
			a, read := m.(*messages.Answer), texts[m.Key().ID]
			if read == nil || strings.Join(read.pieces, "") != a.Answer {
				t.Errorf("%s: read %+v before the answer %q", a.ID, read, a.Answer)
			}
			ended++
			continue
		}
		p, err := messages.DecodePreview(msg.Data)
		if err != nil {
			t.Fatal(err)
		}
		read := texts[p.ID]
		if read == nil || read.attempt != p.Attempt {
			read = &reading{attempt: p.Attempt}
			texts[p.ID] = read
		}
		if read.pieces = append(read.pieces, p.Text); p.N != len(read.pieces) {
			t.Errorf("%s: piece %d is numbered %d", p.ID, len(read.pieces), p.N)
		}
	}
	if r := texts["compound"]; r == nil || len(r.pieces) < 2 {
		t.Errorf("the text did not grow: %+v", r)
	}
}
