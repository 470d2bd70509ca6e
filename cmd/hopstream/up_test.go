package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/inspect"
	"hopstream/cmd/internal/session"
	"hopstream/messages"
	"hopstream/stages/natstest"
)

func TestUpServesFigures(t *testing.T) {
	t.Parallel()
	w := up(t, t.TempDir())
	hopstream(t, "", "ask", "--data", w.Data, "--docs", cmdtest.TempFile(t, "arlen.txt", "Arlen is a small town in Norway."), "Where is Arlen?").Exits(0)
	indexSomething(t, "--nats", w.URL)
	hopstream(t, "", "ask", "--nats", w.URL, "What is 17 times 23?").Exits(0).Prints("391")
	for path, want := range map[string]string{"/readyz": "ready\n", "/healthz": "ok\n"} {
		if code, body := cmdtest.Get(t, w.HTTP+path); code != http.StatusOK || body != want {
			t.Errorf("%s: %d %q", path, code, body)
		}
	}
	if code, _ := cmdtest.Get(t, w.HTTP+"/debug/pprof/"); code != http.StatusNotFound {
		t.Errorf("profiles are served unasked: %d", code)
	}
	_, body := cmdtest.Get(t, w.HTTP+"/metrics")
	for _, family := range []string{
		"hopstream_build_info", "hopstream_questions_total", "hopstream_question_duration_seconds", "hopstream_question_steps",
		"hopstream_question_hops", "hopstream_open_questions", "hopstream_stage_duration_seconds", "hopstream_stage_wait_seconds",
		"hopstream_stage_in_flight", "hopstream_stage_messages_total", "hopstream_stage_redeliveries_total",
		"hopstream_stage_conflicts_total", "hopstream_dead_letters_total", "hopstream_stage_lag",
		"hopstream_stage_lag_age_seconds", "hopstream_stage_concurrency", "hopstream_open_questions_limit", "hopstream_clock_offset_seconds", "hopstream_nats_replicas_down",
		"hopstream_index_documents", "hopstream_index_passages", "hopstream_index_lag", "hopstream_index_ready", "go_goroutines", "process_resident_memory_bytes",
	} {
		if !strings.Contains(body, "\n# TYPE "+family+" ") {
			t.Errorf("no %s in /metrics", family)
		}
	}
	// It is counted when the worker learns that its answer is stored, which
	// whoever follows answers may learn first.
	cmdtest.Eventually(t, "the question to be counted", func() bool {
		_, body := cmdtest.Get(t, w.HTTP+"/metrics")
		return strings.Contains(body, `hopstream_questions_total{class="straightforward",status="answered"} 1`)
	})
}

func TestUpEndsCleanly(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	w := up(t, data)
	record := filepath.Join(data, "server.json")
	if !strings.Contains(cmdtest.Read(t, record), w.URL) {
		t.Errorf("%s does not tell %s", record, w.URL)
	}
	hopstream(t, "", "up", "--data", data, "--http", "", "--listen", "127.0.0.1:0").
		Complains(1, "in use by a server at "+w.URL, "--nats "+w.URL, "--data")
	if code := w.End(); code != 0 || !strings.Contains(w.Err.String(), "stopping") {
		t.Errorf("exits %d: %s", code, w.Err.String())
	}
	if _, err := os.Stat(record); !os.IsNotExist(err) {
		t.Errorf("server.json stays: %v", err)
	}
	hopstream(t, "", "status", "--data", data).Exits(0).Prints("no workers running")
}

// A process this time, and a signal.
func TestUpEndsOnSIGTERM(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	cmd, errs := upProcess(t, "--data", data, "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0")
	indexSomething(t, "--data", data)
	hopstream(t, "", "ask", "--data", data, "What is 17 times 23?").Exits(0).Prints("391")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v:\n%s", err, errs.String())
	}
	if _, err := os.Stat(filepath.Join(data, "server.json")); !os.IsNotExist(err) {
		t.Errorf("server.json stays: %v", err)
	}
}

func TestCommandsFindTheRunningServer(t *testing.T) {
	t.Parallel()
	w := up(t, t.TempDir())
	text, all := cmdtest.SampleLines(t)
	for _, where := range [][]string{{"--data", w.Data}, {"--nats", w.URL}} {
		do := func(stdin string, args ...string) cmdtest.Outcome {
			return hopstream(t, stdin, append(args, where...)...)
		}
		do("", "index", cmdtest.Corpus(t)).Exits(0)
		if got := do(text, "stream").Exits(0).Answers(); len(got) != len(all) {
			t.Errorf("%d answers", len(got))
		}
		do("", "ask", "Where was Marie Curie born?").Exits(0).Prints("Warsaw")
		do("", "status", "--over", "10ms").Exits(0).Prints("server "+w.URL, "64 documents, 64 passages", "retriever")
		do("", "trace", all[0].ID).Exits(0).Prints(string(all[0].Class))
		do("", "cancel", all[0].ID).Complains(1, "has ended already: answered")
		do("", "dead", "ls").Exits(0)
		var r inspect.Status
		if err := json.Unmarshal([]byte(do("", "status", "--json", "--over", "10ms").Exits(0).Out), &r); err != nil || r.Open != 0 || len(r.Stages) != 8 || len(r.Indexes) != 1 {
			t.Errorf("%v: %+v", err, r)
		}
	}
	// Documents can be found as soon as they are asked about.
	docs := cmdtest.TempFile(t, "zorblat.txt", "Zorblat was invented by Mina Quist.")
	hopstream(t, "", "ask", "--nats", w.URL, "--docs", docs, "Who invented Zorblat?").Exits(0).Prints("Mina Quist")
}

// Stages spread over processes, on a server of somebody else's.
func TestStagesInSeveralProcesses(t *testing.T) {
	t.Parallel()
	url := natstest.Server(t).ClientURL()
	up(t, t.TempDir(), "--nats", url, "--stages", "router,decomposer,aggregator,judge")
	up(t, t.TempDir(), "--nats", url, "--stages", "retriever,filter")
	up(t, t.TempDir(), "--nats", url, "--stages", "aligner,generator")
	text, all := cmdtest.SampleLines(t)
	if got := hopstream(t, text, "stream", "--nats", url, "--docs", cmdtest.Corpus(t)).Exits(0).Answers(); len(got) != len(all) {
		t.Errorf("%d answers", len(got))
	}
}

func TestAnyNATSClientAsks(t *testing.T) {
	t.Parallel()
	w := up(t, t.TempDir())
	hopstream(t, "", "index", "--data", w.Data, cmdtest.Corpus(t)).Exits(0)
	nc, err := nats.Connect(w.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()

	answers, err := nc.SubscribeSync("hop.v1.answer.raw1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(ctx, "hop.v1.question.raw1", []byte(`{"question":"Where was Marie Curie born?"}`)); err != nil {
		t.Fatal(err)
	}
	m, err := answers.NextMsgWithContext(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var a messages.Answer
	if err := json.Unmarshal(m.Data, &a); err != nil || a.ID != "raw1" || a.Answer != "Warsaw" || a.Status != messages.Answered {
		t.Errorf("%v: %s", err, m.Data)
	}

	questions, err := nc.SubscribeSync("hop.v1.question.>")
	if err != nil {
		t.Fatal(err)
	}
	for body, priority := range map[string]messages.Priority{ // whoever sends a request waits for it
		`{"question":"Where was Marie Curie born?"}`:                   messages.Interactive,
		`{"question":"Where was Marie Curie born?","priority":"bulk"}`: messages.Bulk,
	} {
		if _, err := nc.RequestWithContext(ctx, "hop.ask", []byte(body)); err != nil {
			t.Fatal(err)
		}
		var q messages.Question
		if m, err := questions.NextMsgWithContext(ctx); err != nil || json.Unmarshal(m.Data, &q) != nil || q.Priority != priority {
			t.Errorf("%v: %s is asked as %q", err, body, q.Priority)
		}
	}
	for _, c := range []struct{ body, code, want string }{
		{`{"question":"Where was Marie Curie born?"}`, "", "Warsaw"},
		{`{"id":"raw1","question":"Where was Marie Curie born?"}`, "", `"id":"raw1"`},
		{`{"id":"raw1","question":"Where was somebody else born?"}`, "409", "taken by another question"},
		{`garbage`, "400", ""},
		{`{}`, "400", "empty"},
		{`{"id":"a.b","question":"x?"}`, "400", "NATS subject"},
	} {
		r, err := nc.RequestWithContext(ctx, "hop.ask", []byte(c.body))
		if err != nil {
			t.Fatalf("%s: %v", c.body, err)
		}
		code, said := r.Header.Get("Nats-Service-Error-Code"), string(r.Data)+r.Header.Get("Nats-Service-Error")
		if code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%s: %q %s", c.body, code, said)
		}
	}
}

func TestWhyNothingIsAnswered(t *testing.T) {
	t.Parallel()
	url := natstest.Server(t).ClientURL()
	up(t, t.TempDir(), "--nats", url, "--stages", "retriever,filter,aligner")
	indexSomething(t, "--nats", url)
	var errs cmdtest.Buffer
	a := &cli.App{Name: "hopstream", Stdio: cli.Stdio{Err: &errs}, Config: config.Default()}
	a.Config.NATS.URL = url
	var err error
	if a.Log, err = cli.NewLogger(&errs, a.Config.Log, false); err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(t.Context(), a, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	stop := s.HintWhenStill(t.Context(), 50*time.Millisecond, func() int { return 0 })
	cmdtest.Eventually(t, "a hint", func() bool { return strings.Contains(errs.String(), "no worker runs stage router") })
	stop()
}

// TestDeadDocumentsAreCounted holds that a document that no index can take in
// is counted as a dead letter, once.
func TestDeadDocumentsAreCounted(t *testing.T) {
	t.Parallel()
	w := up(t, t.TempDir())
	const series = `hopstream_dead_letters_total{stage="index"} `
	if !strings.Contains(cmdtest.Metrics(t, w.HTTP), series+"0\n") {
		t.Error("the series does not exist from the start")
	}
	publish(t, w.URL, "hop.v1.document.broken", "no JSON")
	cmdtest.Eventually(t, "the dead letter to be counted", func() bool { return strings.Contains(cmdtest.Metrics(t, w.HTTP), series+"1\n") })
}
