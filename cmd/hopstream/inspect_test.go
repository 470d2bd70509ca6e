package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/cmd/internal/cmdtest"
	"hopstream/messages"
)

// publish stores raw bytes as any client could.
func publish(t *testing.T, url, subject, body string) {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(t.Context(), subject, []byte(body)); err != nil {
		t.Fatal(err)
	}
}

func TestTraceShowsEveryHop(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	hopstream(t, "", "index", "--data", data, cmdtest.Corpus(t)).Exits(0)
	hopstream(t, "", "ask", "--data", data, "--id", "q1", "What is the capital of the country where Albert Einstein was born?").Exits(0)
	o := hopstream(t, "", "trace", "--data", data, "q1").Exits(0)
	o.Prints("Berlin", "complex · 2 steps · 2 hops", "└─ 2.1")
	for _, line := range []string{
		"decompose +1 ", "plan +1 ", `retrieve +1\.1 `, `filter +1\.1 `, `generate +1\.1 +[0-9]+ B +[0-9]+ (windows|passages)`, `subanswer +1\.1 `, "judge +1 ",
		"decompose +2 ", "plan +2 ", `retrieve +2\.1 `, `subanswer +2\.1 `, "answer +[0-9]+ B +answered",
	} {
		if !regexp.MustCompile(`(?m)^ +[0-9.]+ ms  ` + line).MatchString(o.Out) {
			t.Errorf("no line %s in\n%s", line, o.Out)
		}
	}
	id := regexp.MustCompile(`(?m)^trace ID ([0-9a-f]{32})$`).FindStringSubmatch(o.Out)
	if id == nil {
		t.Fatalf("no trace ID in\n%s", o.Out)
	}
	lines := strings.Split(strings.TrimSpace(hopstream(t, "", "trace", "--data", data, "--json", "q1").Exits(0).Out), "\n")
	for _, line := range lines {
		var m struct {
			Subject string
			TraceID string `json:"trace_id"`
			Message struct{ Kind string }
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.TraceID != id[1] || !strings.HasPrefix(m.Subject, "hop.v1."+m.Message.Kind+".q1") {
			t.Errorf("%v: %s", err, line)
		}
	}
}

// TestAlignerOff: an aligner that is off is no hop, and one that is on is.
func TestAlignerOff(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	hopstream(t, "", "index", "--data", data, cmdtest.Corpus(t)).Exits(0)
	for id, align := range map[string]string{"q1": "none", "q2": "one"} {
		config := cmdtest.TempFile(t, "c.yaml", "strategy: {align: "+align+"}\n")
		hopstream(t, "", "ask", "--data", data, "--config", config, "--id", id, "Where was Marie Curie born?").Exits(0).Prints("Warsaw")
		o := hopstream(t, "", "trace", "--data", data, id).Exits(0)
		if hop := strings.Contains(o.Out, "ms  align "); hop != (align == "one") {
			t.Errorf("strategy.align %s: a hop of the aligner: %v\n%s", align, hop, o.Out)
		}
	}
}

func TestDeadLetters(t *testing.T) {
	t.Parallel()
	w := up(t, t.TempDir())
	dead := func(args ...string) cmdtest.Outcome {
		return hopstream(t, "", append(append([]string{"dead"}, args...), "--data", w.Data)...)
	}
	dead("ls").Exits(0).Prints("number")
	hopstream(t, "", "status", "--data", w.Data).Exits(0).Prints("0 dead")
	publish(t, w.URL, "hop.v1.question.bad", "garbage")
	publish(t, w.URL, "hop.v1.document.x", "no document")
	cmdtest.Eventually(t, "two dead letters", func() bool { return strings.Count(dead("ls", "--json").Out, "\n") == 2 })
	publish(t, w.URL, "hop.v1.dead.retriever.good", `{"v":1,"kind":"dead","stage":"retriever","id":"good","subject":"hop.v1.question.good","error":"testing","deliveries":3,"data":"eyJxdWVzdGlvbiI6IldoYXQgaXMgMTcgdGltZXMgMjM/In0=","at":"2026-01-02T03:04:05Z"}`)

	number := map[string]string{}
	for line := range strings.Lines(dead("ls", "--json").Exits(0).Out) {
		var l struct {
			Number uint64
			ID     string
			Error  string
			Text   string
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil || l.Error == "" {
			t.Fatalf("%v: %s", err, line)
		}
		number[l.ID] = fmt.Sprint(l.Number)
	}
	dead("ls").Exits(0).Prints("bad", "testing", number["bad"])
	dead("show", number["bad"]).Exits(0).Prints("letter "+number["bad"], "subject hop.v1.question.bad", "error ", "garbage")
	// The bad question has ended all the same.
	hopstream(t, "", "trace", "bad", "--data", w.Data).Exits(0).Prints("failed")

	dead("replay").Complains(2, "wants the NUMBERs")
	dead("replay", number["bad"]).Complains(1, "letter "+number["bad"], "cannot be read")
	o := dead("replay", "--all").Exits(1).Says("letter " + number["bad"])
	asked := regexp.MustCompile(number["good"] + `\tquestion (\S+)\n`).FindStringSubmatch(o.Out)
	if asked == nil {
		t.Fatalf("nothing was asked again: %q", o.Out)
	}
	cmdtest.Eventually(t, "the replayed question's answer", func() bool {
		return strings.Contains(hopstream(t, "", "trace", asked[1], "--data", w.Data).Out, "391")
	})
	dead("show", number["good"]).Complains(1, "there is no dead letter")
	dead("purge", "--all").Exits(0).Prints("2 letters removed")
	dead("purge", "--all").Exits(0).Prints("0 letters removed")
	if o := dead("ls", "--json").Exits(0); o.Out != "" {
		t.Errorf("left: %s", o.Out)
	}
}

func TestCancelAnOpenQuestion(t *testing.T) {
	t.Parallel()
	w := up(t, t.TempDir(), "--stages", "retriever") // nobody routes
	publish(t, w.URL, "hop.v1.question.q1", `{"question":"Where is Arlen?"}`)
	publish(t, w.URL, "hop.v1.question.q2", `{"question":"Where is Oslo?"}`)
	do := func(args ...string) cmdtest.Outcome { return hopstream(t, "", append(args, "--data", w.Data)...) }
	do("status").Exits(0).Prints("2 open", "0 ended")
	do("trace", "q1").Exits(0).Prints("still open")
	do("cancel", "q1").Exits(0).Prints("cancelled q1")
	do("cancel", "q1").Complains(1, "question q1 has ended already: cancelled")
	do("status").Exits(0).Prints("1 open", "1 ended")
	indexSomething(t, "--data", w.Data)
	o := do("ask", "--json", "--id", "q1", "Where is Arlen?").Exits(1)
	if a := o.Answers()["q1"]; a.Status != messages.Cancelled || a.Error == "" {
		t.Errorf("%+v", a)
	}
}

// TestLs lists questions newest first, over more answers than are read at once.
func TestLs(t *testing.T) {
	t.Parallel()
	w := up(t, t.TempDir(), "--stages", "router,generator")
	indexSomething(t, "--nats", w.URL)
	var lines strings.Builder
	const n = 600
	for i := range n {
		fmt.Fprintf(&lines, `{"id":"m%d","question":"What is %d times 3?"}`+"\n", i, i)
	}
	hopstream(t, lines.String(), "stream", "--nats", w.URL).Exits(0)
	publish(t, w.URL, "hop.v1.question.waits", `{"question":"Where is Arlen?"}`)
	list := func(args ...string) (ids []string) {
		t.Helper()
		seen := map[string]bool{}
		for line := range strings.Lines(hopstream(t, "", append([]string{"ls", "--json", "--nats", w.URL}, args...)...).Exits(0).Out) {
			var q struct{ ID, Status, Answer string }
			if err := json.Unmarshal([]byte(line), &q); err != nil || seen[q.ID] || (q.Status == "answered") == (q.ID == "waits") {
				t.Errorf("%v: %s", err, line)
			}
			seen[q.ID] = true
			ids = append(ids, q.ID)
		}
		return ids
	}
	if all := list("--limit", "10000"); len(all) != n+1 || all[0] != "waits" {
		t.Errorf("%d questions: %.200q", len(all), all)
	}
	if some := list(); len(some) != 20 || some[0] != "waits" {
		t.Errorf("%q", some)
	}
	hopstream(t, "", "ls", "--nats", w.URL).Exits(0).Prints("time  ", "open", `"Where is Arlen?"`, "answered  straightforward")
}
