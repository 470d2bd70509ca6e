package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/messages"
	"hopstream/stages"
)

func TestWrongUse(t *testing.T) {
	t.Parallel()
	some := cmdtest.TempFile(t, "some.txt", "Arlen is a small town in Norway.")
	long := strings.Repeat("a", messages.MaxQuestion+1)
	for _, c := range []struct {
		args, says string
		code       int
	}{
		{"bogus", `unknown command "bogus"`, 2},
		{"--bogus", "unknown flag: --bogus", 2},
		{"ask", "wants one QUESTION, in quotes", 2},
		{"ask|a|b", "wants one QUESTION, in quotes", 2},
		{"ask|", `"question" is empty: give its text`, 2},
		{"ask|" + long, "shorten it", 2},
		{"ask|a\xffb", "not valid UTF-8: convert it", 2},
		{"ask|--id|a.b|x?", "cannot be part of a NATS subject", 2},
		{"ask|--id|a b|x?", "cannot be part of a NATS subject", 2},
		{"ask|--id|>|x?", "cannot be part of a NATS subject", 2},
		{"ask|--timeout|-3s|x?", "must be positive", 2},
		{"ask|--timeout|soon|x?", "invalid duration", 2},
		{"ask|--docs|/nowhere|x?", "/nowhere: no such file or folder", 1},
		{"ask|--nats|nats://127.0.0.1:1|x?", "no NATS server answers at nats://127.0.0.1:1", 1},
		{"ask|--nats|nats://u:secret@h:port|x?", "cannot read the URL", 2},
		{"stream|--in|/nowhere", "questions: open /nowhere: no such file", 1},
		{"stream|--docs|/nowhere", "/nowhere: no such file or folder", 1},
		{"stream|--window|0", "--window 0: at least 1", 2},
		{"stream|--resume", "--resume needs --out FILE", 2},
		{"stream|--docs|" + some + "|--out|/nowhere/x", "no such file", 1},
		{"index", "wants at least one PATH or --delete ID", 2},
		{"index|/nowhere", "/nowhere: no such file or folder", 1},
		{"eval", "eval is a command of hoplab now: use hoplab eval", 2},
		{"eval|--limit|3|x", "use hoplab eval", 2},
		{"bench|--json", "use hoplab bench", 2},
		{"--data|x|sim-ollama", "use hoplab sim-ollama", 2},
		{"revelator-data|compound|--out|x", "use hoplab revelator-data", 2},
		{"ls|--limit|0", "--limit 0: at least 1", 2},
		{"version|x", "wants no arguments", 2},
		{"up|extra", "wants no arguments", 2},
		{"up|--stages|x", `unknown stage "x": choose from all, router`, 2},
		{"up|--http||--listen|here", "want HOST:PORT", 2},
		{"up|--http||--listen|127.0.0.1:x", "is no port", 2},
		{"up|--http|127.0.0.1:99999", "choose another address with --http", 1},
		{"stream|--priority|soon", "choose from [interactive normal bulk]", 2},
		{"trace", "wants one QUESTION-ID", 2},
		{"trace|a.b", "cannot be part of a NATS subject", 2},
		{"trace|nobody", "never asked, or its trace has aged out", 1},
		{"cancel|nobody", "is not open: it was never asked", 1},
		{"dead", "one of ls, show, replay, purge", 2},
		{"dead|bogus", "one of ls, show, replay, purge", 2},
		{"dead|show", "wants the NUMBERs of letters", 2},
		{"dead|show|x", `"x" is no letter's number`, 2},
		{"dead|show|7", "there is no dead letter 7", 1},
		{"--log-level|loud|config", "choose debug, info, warn or error", 2},
		{"--log-format|xml|config", "choose text or json", 2},
		{"--engine|magic|config", `engine "magic"`, 2},
		{"--config|/nowhere|config", "/nowhere: no such file", 2},
		{"--data|/proc/nowhere|status", "choose another with --data", 1},
		{"--data|" + some + "|status", "choose another with --data", 1},
		{"--data||status", "data: name a folder", 2},
	} {
		o := hopstream(t, "", strings.Split(c.args, "|")...)
		if strings.Contains(o.Err, "no questions\n") { // the summary of a stream that could not begin
			t.Errorf("%q says it had no questions", c.args)
		}
		o.Complains(c.code, c.says)
		if strings.Contains(o.Err, "secret") {
			t.Errorf("tells the password: %s", o.Err)
		}
	}
}

func TestNoServerFailsFast(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	started := time.Now()
	hopstream(t, "", "status", "--nats", "nats://127.0.0.1:1").Complains(1, "start one with `hopstream up`")
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("takes %v", took)
	}
}

// One bad line never touches the others.
func TestStreamPassesOverBadLines(t *testing.T) {
	t.Parallel()
	docs := cmdtest.TempFile(t, "arlen.txt", "Arlen is a small town in Norway.")
	const good = `{"id":%q,"question":"Where is Arlen?"}`
	lines := []string{
		fmt.Sprintf(good, "g1"),
		`nope`, // 2
		`["a","list"]`,
		`{"id":"empty","question":" "}`, // 4
		`{"id":"long","question":"` + strings.Repeat("a", messages.MaxQuestion+1) + `"}`,
		"{\"id\":\"utf8\",\"question\":\"a\xffb\"}", // 6
		`{"id":"a.b","question":"Where is Arlen?"}`,
		`{"id":"a b","question":"Where is Arlen?"}`, // 8
		`{"id":"a*","question":"Where is Arlen?"}`,
		`{"id":7,"question":"Where is Arlen?"}`,   // 10
		fmt.Sprintf(good, "g1"),                   // the same once more
		`{"id":"g1","question":"Where is Oslo?"}`, // 12: another under its ID
		`{"question":""}`,
		strings.Repeat("x", 10<<20), // 14
		`{"id":"u1","question":"Where is Arlen?","foo":1,"bar":2}`,
		`{"id":"u2","question":"Where is Arlen?","foo":1}`, // 16
		"",
		`{"id":"d","question":"Where is Arlen?","deadline":"yesterday"}`, // 18
		`{"id":"neg","question":"Where is Arlen?","budget":{"rounds":-1}}`,
		fmt.Sprintf(good, "g2") + "\r", // 20
		fmt.Sprintf(good, "g3"),        // without an end
	}
	o := hopstream(t, strings.Join(lines, "\n"), "stream", "--docs", docs).Exits(1)
	o.Says("line 2: not a JSON object such as", "line 3: not a JSON object", `line 4: "question" is empty`, "line 5: question has 8193 bytes",
		"line 6: not valid UTF-8", "line 7: ", "line 8: ", "line 9: ", "line 10: ", "question g1: the ID is taken", "line 13: ",
		"line 14: longer than", "line 15: passing over unknown fields: bar, foo", "line 18: ", "line 19: ", "5 answered, ")
	if n := strings.Count(o.Err, "unknown fields"); n != 1 {
		t.Errorf("warns %d times of unknown fields:\n%s", n, o.Err)
	}
	got := o.Answers()
	for _, id := range []string{"g1", "g2", "g3", "u1", "u2"} {
		if a := got[id]; a.Status != messages.Answered || a.Answer != "Norway" {
			t.Errorf("%s: %+v", id, a)
		}
	}
	// Whatever names a question has a line that tells why it was refused.
	for _, id := range []string{"empty", "long", "a.b", "a b", "a*", "line-13", "neg"} {
		if a := got[id]; a.Status != messages.Failed || !strings.Contains(a.Error, "line ") {
			t.Errorf("%s: %+v", id, a)
		}
	}
	o = hopstream(t, strings.Join(lines[14:16], "\n")+"\n"+lines[0], "stream", "--docs", docs, "--strict").Exits(1)
	o.Says("line 1: unknown fields bar, foo: leave them out, or run without --strict", "line 2: unknown fields foo", "1 answered, 2 rejected")
}

func TestStreamFromAFolder(t *testing.T) {
	t.Parallel()
	hopstream(t, "", "stream", "--docs", cmdtest.Corpus(t), "--in", t.TempDir()).Exits(1).Says("is a directory")
}

// A full disk is told once, and what the run could not write is in the
// pipeline, or asked again with --resume.
func TestStreamToAFullDisk(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	text, _ := cmdtest.SampleLines(t)
	o := hopstream(t, text, "stream", "--docs", cmdtest.Corpus(t), "--out", "/dev/full").Exits(1)
	o.Says("no space left on device: make room and run again with --resume")
	if n := strings.Count(o.Err, "no space left"); n != 1 {
		t.Errorf("tells it %d times:\n%s", n, o.Err)
	}
}

func TestIndexPassesOverBadDocuments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"good.txt": "Arlen is a small town in Norway.",
		"lines.jsonl": `{"id":"l1","text":"Oslo is the capital of Norway."}` + "\nnope\n" + `{"id":"l3"` + "\n" + `{"text":"no id"}` + "\n" +
			`{"id":"big","text":"` + strings.Repeat("x", 10<<20) + `"}` + "\n" + `{"id":"l6","text":"Bergen is a town in Norway."}`,
		"bytes.txt":     "\x00\x01\x02\xff\xfe binary",
		"torn.jsonl.gz": "no gzip at all",
	} {
		cmdtest.WriteFile(t, filepath.Join(dir, name), text)
	}
	if os.Geteuid() != 0 { // who may read everything
		closed := filepath.Join(dir, "closed.txt")
		cmdtest.WriteFile(t, closed, "Oslo")
		if err := os.Chmod(closed, 0); err != nil {
			t.Fatal(err)
		}
		defer func() { hopstream(t, "", "index", closed).Exits(1).Says("closed.txt", "permission denied") }()
	}
	data := filepath.Join(t.TempDir(), "data")
	o := hopstream(t, "", "index", "--data", data, dir).Exits(1)
	o.Says("lines.jsonl:2: ", "lines.jsonl:3: ", "lines.jsonl:5: ", "torn.jsonl.gz")
	for line := range strings.Lines(o.Err) {
		if !strings.HasPrefix(line, "hopstream: ") {
			t.Errorf("%q", line)
		}
	}
	hopstream(t, "", "ask", "--data", data, "Where is Bergen?").Exits(0).Prints("Norway")
	hopstream(t, "", "ask", "--data", data, "Where is Arlen?").Exits(0).Prints("Norway")
	hopstream(t, "", "ask", "--docs", filepath.Join(dir, "torn.jsonl.gz"), "Where is Arlen?").Exits(1).Says("nothing could be answered")
}

func TestUsedPorts(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	used := ln.Addr().String()
	hopstream(t, "", "up", "--http", used, "--listen", "127.0.0.1:0").Complains(1, used, "address already in use", "choose another address with --http")
	hopstream(t, "", "up", "--http", "", "--listen", used).Complains(1, used, "address already in use", "choose another address with --listen")
}

func TestDataFolderInUse(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	lock := flock.New(filepath.Join(data, "lock"))
	if ok, err := lock.TryLock(); !ok {
		t.Fatal(err)
	}
	hopstream(t, "", "status", "--data", data).Complains(1, "in use by another hopstream process", "hopstream up")
	// What is free again in time is waited for.
	time.AfterFunc(100*time.Millisecond, func() { _ = lock.Unlock() })
	hopstream(t, "", "status", "--data", data).Exits(0)
}

func TestStaleServerRecord(t *testing.T) {
	t.Parallel()
	other := up(t, t.TempDir()) // has the port that the dead one had
	data := t.TempDir()
	record := filepath.Join(data, "server.json")
	cmdtest.WriteFile(t, record, fmt.Sprintf(`{"url":%q,"pid":1}`, other.URL))
	hopstream(t, "", "status", "--data", data).Exits(0).Prints("embedded, no workers running")
	if _, err := os.Stat(record); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the stale record stays: %v", err)
	}
}

// A store that is full refuses, says what to do, and goes on when it has room.
func TestFullStore(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	config := func(bytes int) string {
		text := fmt.Sprintf("nats: {max_store: %d}\npipeline: {grace: 500ms}\nstages:\n", bytes)
		for _, s := range stages.Names() { // what a run leaves in hand is given to the next soon
			text += fmt.Sprintf("  %s: {ack_wait: 500ms}\n", s)
		}
		return cmdtest.TempFile(t, "c.yaml", text)
	}
	hopstream(t, "", "index", "--data", data, cmdtest.TempFile(t, "arlen.txt", "Arlen is a small town in Norway.")).Exits(0)
	const n = 60
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, `{"id":"q%d","question":"Where is Arlen?"}`+"\n", i)
	}
	in, out := cmdtest.TempFile(t, "q.jsonl", lines.String()), filepath.Join(t.TempDir(), "a.jsonl")

	ctx, cancel := context.WithCancel(t.Context())
	var errs cmdtest.Buffer
	done := make(chan int)
	go func() {
		done <- program.Run(ctx, func() {}, []string{"stream", "--data", data, "--config", config(20_000), "--in", in, "--out", out},
			cli.Stdio{In: strings.NewReader(""), Out: &cmdtest.Buffer{}, Err: &errs})
	}()
	// It is full when another question is refused.
	cmdtest.Eventually(t, "the store to be full", func() bool {
		return strings.Contains(errs.String(), "no questions are taken until") || strings.Contains(errs.String(), "insufficient resources")
	})
	cancel()
	if code := <-done; code != 1 {
		t.Errorf("exits %d:\n%s", code, errs.String())
	}
	o := hopstream(t, "", "ask", "--data", data, "--config", config(10_000), "Where is Arlen?")
	o.Exits(1).Says("the server's store is full: raise nats.max_store")
	before := cmdtest.ReadAnswerLines(t, cmdtest.Read(t, out))
	if len(before) == n {
		t.Error("nothing was refused")
	}
	hopstream(t, "", "stream", "--data", data, "--config", config(0), "--in", in, "--out", out, "--resume").Exits(0)
	got := cmdtest.ReadAnswerLines(t, cmdtest.Read(t, out))
	for i := range n {
		if a := got[fmt.Sprintf("q%d", i)]; a.Status != messages.Answered {
			t.Errorf("q%d: %+v", i, a)
		}
	}
}
