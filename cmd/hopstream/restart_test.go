//go:build kill

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hopstream/cmd/internal/synthetic"
	"hopstream/messages"
)

var restartPassages = flag.Int("restart.passages", 1_000_000, "passages in the corpus of TestRestart")

// Bounds of TestRestart. An index of links that kept everything in memory, and
// was filled again at every start, took 65.8 s and 4,684 bytes a passage on two
// cores (over one million of these passages).
const (
	restartWithin   = 10 * time.Second // 2 to 6 s are usual
	restartResident = 4684 / 2         // bytes a passage
)

// TestRestart: a retriever over one million passages that was killed is ready
// within five seconds, in half the memory that it once took, and the questions
// that were open meanwhile are answered right, the first one too.
//
//	go test -tags kill -run TestRestart -timeout 20m -v ./cmd/hopstream
func TestRestart(t *testing.T) {
	dir := t.TempDir()
	hopstream, natsServer, logs := programs(t, dir)
	n, corpus := *restartPassages, filepath.Join(dir, "corpus.jsonl")
	if _, err := synthetic.Corpus(corpus, n); err != nil {
		t.Fatal(err)
	}
	lines, want := bornQuestions(t, corpus, n)
	_, url := startNATS(t, natsServer, filepath.Join(dir, "nats"), logs)
	up := func(list, addr string) *process {
		p := &process{t: t, name: list, log: logs, args: []string{hopstream, "up", "--nats", url, "--stages", list, "--http", addr,
			"--log-level", "error", "--data", filepath.Join(dir, list)}}
		p.start()
		return p
	}
	up("router,decomposer,filter,aligner,generator,aggregator,judge", "")
	addr := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	retriever := up("retriever", addr)
	began := time.Now()
	index := exec.Command(hopstream, "index", "--nats", url, corpus)
	if out, err := index.CombinedOutput(); err != nil {
		t.Fatalf("index: %v\n%s", err, out)
	}
	waitLong(t, 15*time.Minute, "the retriever to be ready", func() bool { return isReady(addr) })
	t.Logf("%d passages stored and indexed in %v", n, time.Since(began).Round(time.Second))

	ask := func(lines []string) *exec.Cmd {
		cmd := exec.Command(hopstream, "stream", "--nats", url)
		cmd.Stdin = strings.NewReader(strings.Join(lines, ""))
		cmd.Stdout = new(bytes.Buffer)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	var slowest time.Duration
	var answers, wrong int
	for round := range 3 {
		old := retriever.pid()
		retriever.kill()
		some := ask(lines[round*len(lines)/3 : (round+1)*len(lines)/3])
		waitFor(t, "the retriever to be started again", func() bool { return retriever.pid() != old })
		started := time.Now()
		waitFor(t, "the retriever to be ready again", func() bool { return isReady(addr) })
		took := time.Since(started)
		slowest = max(slowest, took)
		if err := some.Wait(); err != nil {
			t.Errorf("stream: %v", err)
		}
		got, bad := checkBorn(t, some.Stdout.(*bytes.Buffer), want)
		answers, wrong = answers+got, wrong+bad
		anon, all := memoryOf(t, retriever.pid())
		t.Logf("ready again after %v; resident %d bytes a passage, of which %d are not mapped from the file", took.Round(10*time.Millisecond), all/n, anon/n)
		if all/n > restartResident {
			t.Errorf("resident %d bytes a passage, want at most %d", all/n, restartResident)
		}
	}
	if 50*wrong > answers {
		t.Errorf("%d of %d answers are wrong", wrong, answers)
	}
	if slowest > restartWithin {
		t.Errorf("ready again after %v, want at most %v", slowest, restartWithin)
	}
}

// bornQuestions returns lines of questions about passages of the corpus whose
// names no other one has, and the answer by ID.
func bornQuestions(t *testing.T, corpus string, n int) (lines []string, want map[string]string) {
	t.Helper()
	in, err := os.Open(corpus)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	want = map[string]string{}
	dec := json.NewDecoder(in)
	const period = 630_000 // names repeat after so many
	for i := range min(n, period) {
		var d messages.Document
		if err := dec.Decode(&d); err != nil {
			t.Fatal(err)
		}
		if i < n-period || i%(n/400) != 0 {
			continue
		}
		_, rest, _ := strings.Cut(d.Text, " in ")
		town, _, _ := strings.Cut(rest, ")")
		if given, family, _ := strings.Cut(d.Title, " "); strings.Contains(town, given) || strings.Contains(town, family) {
			continue // a town that bears the name of the person is no answer to tell
		}
		id := "born-" + d.ID
		lines = append(lines, fmt.Sprintf(`{"id":%q,"question":"Where was %s born?"}`+"\n", id, d.Title))
		want[id] = town
	}
	return lines, want
}

// checkBorn holds that the passage that answers was found for every question, and
// counts the answers and those that are wrong: the reader may err, the index may
// not.
func checkBorn(t *testing.T, out *bytes.Buffer, want map[string]string) (answers, wrong int) {
	t.Helper()
	for line := range strings.Lines(out.String()) {
		var a messages.Answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		answers++
		doc := strings.TrimPrefix(a.ID, "born-")
		if !slices.ContainsFunc(a.Hops, func(h messages.Hop) bool { return slices.Contains(h.Passages, doc) }) {
			t.Errorf("%s %q: its passage was not found", a.ID, a.Question)
		}
		if a.Answer != want[a.ID] {
			wrong++
			t.Logf("%s %q is answered %q (%s), want %q", a.ID, a.Question, a.Answer, a.Status, want[a.ID])
		}
	}
	if answers == 0 {
		t.Error("no answers")
	}
	return answers, wrong
}

func isReady(addr string) bool {
	r, err := http.Get("http://" + addr + "/readyz")
	if err != nil {
		return false
	}
	r.Body.Close()
	return r.StatusCode == http.StatusOK
}

// memoryOf returns what a process holds in memory, in bytes: all of it, and
// what is not mapped from files.
func memoryOf(t *testing.T, pid int) (anon, all int) {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		kb, _ := strconv.Atoi(f[1])
		switch f[0] {
		case "VmRSS:":
			all = kb << 10
		case "RssAnon:":
			anon = kb << 10
		}
	}
	if all == 0 {
		t.Fatalf("no VmRSS for process %d", pid)
	}
	return anon, all
}
