//go:build kill

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hopstream/index/sample"
	"hopstream/messages"
)

// The kill test: a NATS server process, seven worker processes with stages
// spread over them, 2,000 mixed questions. Workers are killed with SIGKILL
// twenty times, once all of them at once, and once the NATS server is. Every
// question ends exactly once, and a second run over the same IDs answers
// nothing twice.
//
//	go test -tags kill -run TestKill -v ./cmd/hopstream
const (
	killQuestions = 2000
	kills         = 20
)

// process is a program that can be killed, and that is started again whenever
// it ends, as a supervisor would.
type process struct {
	t    *testing.T
	name string
	args []string
	env  []string
	log  *os.File

	mu   sync.Mutex
	cmd  *exec.Cmd
	over bool
	wg   sync.WaitGroup
}

func (p *process) start() {
	p.t.Helper()
	p.wg.Go(func() {
		for {
			p.mu.Lock()
			if p.over {
				p.mu.Unlock()
				return
			}
			cmd := exec.Command(p.args[0], p.args[1:]...)
			cmd.Env = append(os.Environ(), p.env...)
			cmd.Stdout, cmd.Stderr = p.log, p.log
			err := cmd.Start()
			p.cmd = cmd
			p.mu.Unlock()
			if err != nil {
				p.t.Errorf("%s: %v", p.name, err)
				return
			}
			_ = cmd.Wait()
		}
	})
	p.t.Cleanup(func() {
		p.mu.Lock()
		p.over = true
		p.mu.Unlock()
		p.kill()
		p.wg.Wait()
	})
}

// kill ends the process without giving it a chance to do anything.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd != nil && p.cmd.Process != nil {
		_ = p.cmd.Process.Signal(syscall.SIGKILL)
	}
}

func TestKill(t *testing.T) {
	dir := t.TempDir()
	hopstream, natsServer := filepath.Join(dir, "hopstream"), filepath.Join(dir, "nats-server")
	build(t, hopstream, "hopstream/cmd/hopstream")
	build(t, natsServer, "github.com/nats-io/nats-server/v2")
	var said bytes.Buffer
	logs, err := os.Create(filepath.Join(dir, "processes.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer logs.Close()
	t.Cleanup(func() {
		if t.Failed() {
			showTail(t, logs.Name())
			t.Logf("stream said: %s", &said)
		}
	})

	port := freePort(t)
	url := fmt.Sprintf("nats://127.0.0.1:%d", port)
	server := &process{t: t, name: "nats-server", log: logs, args: []string{natsServer, "-js", "-a", "127.0.0.1",
		"-p", fmt.Sprint(port), "-sd", filepath.Join(dir, "nats")}}
	server.start()
	waitFor(t, "the NATS server", func() bool {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			c.Close()
		}
		return err == nil
	})

	// Short ack waits: a killed worker's messages come again soon.
	var env []string
	for _, s := range []string{"ROUTER", "DECOMPOSER", "RETRIEVER", "FILTER", "ALIGNER", "GENERATOR", "AGGREGATOR", "JUDGE"} {
		env = append(env, "HOPSTREAM_STAGES__"+s+"__ACK_WAIT=1s")
	}
	var workers []*process
	for i, list := range []string{"router,decomposer", "router,judge,aggregator", "retriever", "retriever", "filter,aligner", "generator,aggregator", "generator,judge,decomposer,filter,aligner"} {
		w := &process{t: t, name: fmt.Sprintf("worker %d (%s)", i, list), log: logs, env: env,
			args: []string{hopstream, "up", "--nats", url, "--stages", list, "--http", "", "--log-level", "error", "--data", filepath.Join(dir, fmt.Sprint("worker", i))}}
		w.start()
		workers = append(workers, w)
	}
	corpus := writeSample(t, dir)
	if out, err := exec.Command(hopstream, "index", "--nats", url, corpus).CombinedOutput(); err != nil {
		t.Fatalf("index: %v\n%s", err, out)
	}

	// Questions come slowly enough for the kills to fall among them.
	texts := sampleTexts(t)
	first := filepath.Join(dir, "first.jsonl")
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	reader, writer := io.Pipe()
	stream := exec.CommandContext(ctx, hopstream, "stream", "--nats", url, "--out", first)
	stream.Stdin, stream.Stderr = reader, &said
	if err := stream.Start(); err != nil {
		t.Fatal(err)
	}
	streamed := make(chan error, 1)
	go func() { streamed <- stream.Wait() }()
	var input bytes.Buffer
	chunk := killQuestions / (kills + 2)
	n := 0
	feed := func(count int) {
		for ; count > 0 && n < killQuestions; count-- {
			strategy := messages.Strategies()[n/len(texts)%len(messages.Strategies())]
			line := fmt.Sprintf(`{"id":"kill-%d","question":%q,"strategy":%q}`+"\n", n, texts[n%len(texts)], strategy)
			input.WriteString(line)
			if _, err := io.WriteString(writer, line); err != nil {
				t.Fatal(err)
			}
			n++
		}
	}
	for k := range kills {
		feed(chunk)
		// In the middle of things: some of what was fed is answered, not all.
		waitFor(t, fmt.Sprintf("answers before kill %d", k), func() bool { return countLinesOf(first) >= n-chunk/2 })
		workers[(k*3)%len(workers)].kill()
		switch k {
		case kills / 3: // all workers at once
			feed(chunk)
			for _, w := range workers {
				w.kill()
			}
		case 2 * kills / 3: // and the log itself
			feed(chunk)
			server.kill()
		}
	}
	feed(killQuestions)
	writer.Close()
	if err := <-streamed; err != nil {
		t.Fatalf("stream: %v\n%s", err, &said)
	}
	t.Logf("first run: %s", strings.TrimSpace(said.String()))
	answers := readAnswers(t, first)
	checkAnswers(t, answers)
	stored := storedAnswers(t, hopstream, url)
	if stored != killQuestions {
		t.Errorf("%d answers are stored for %d questions", stored, killQuestions)
	}

	// A second run finds every answer, and stores none.
	second := filepath.Join(dir, "second.jsonl")
	again := exec.CommandContext(ctx, hopstream, "stream", "--nats", url, "--out", second)
	again.Stdin = &input
	if out, err := again.CombinedOutput(); err != nil {
		t.Fatalf("second stream: %v\n%s", err, out)
	}
	for id, a := range readAnswers(t, second) {
		if a.LatencyMS != answers[id].LatencyMS || a.Answer != answers[id].Answer {
			t.Errorf("%s was answered twice: %+v and %+v", id, answers[id], a)
		}
	}
	if now := storedAnswers(t, hopstream, url); now != stored {
		t.Errorf("the second run stored %d answers", now-stored)
	}
}

// checkAnswers asserts that every question has ended, and well: killing
// workers may delay an answer but not spoil it.
func checkAnswers(t *testing.T, answers map[string]*messages.Answer) {
	t.Helper()
	byStatus := map[messages.Status]int{}
	for i := range killQuestions {
		a := answers[fmt.Sprintf("kill-%d", i)]
		if a == nil {
			t.Errorf("kill-%d has no answer", i)
			continue
		}
		byStatus[a.Status]++
	}
	t.Logf("%d questions: %v", len(answers), byStatus)
	if byStatus[messages.Answered] != killQuestions {
		t.Errorf("statuses %v, want all answered", byStatus)
	}
}

// countLinesOf returns how many lines a growing file has.
func countLinesOf(path string) int {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	return bytes.Count(b, []byte("\n"))
}

func build(t *testing.T, to, pkg string) {
	t.Helper()
	if out, err := exec.Command("go", "build", "-o", to, pkg).CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", pkg, err, out)
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().(*net.TCPAddr).Port
}

func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

func writeSample(t *testing.T, dir string) string {
	t.Helper()
	docs, err := sample.Documents()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, d := range docs {
		if err := writeJSON(&b, d); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "corpus.jsonl")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func sampleTexts(t *testing.T) []string {
	t.Helper()
	questions, err := sample.Questions()
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, q := range questions {
		texts = append(texts, q.Question)
	}
	return texts
}

func readAnswers(t *testing.T, path string) map[string]*messages.Answer {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]*messages.Answer{}
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		a := new(messages.Answer)
		if err := json.Unmarshal(in.Bytes(), a); err != nil {
			t.Fatal(err)
		}
		if out[a.ID] != nil {
			t.Errorf("%s has two lines", a.ID)
		}
		out[a.ID] = a
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func storedAnswers(t *testing.T, hopstream, url string) int {
	t.Helper()
	var r statusReport
	waitFor(t, "every question is closed", func() bool {
		out, err := exec.Command(hopstream, "status", "--nats", url, "--json", "--over", "1ms").Output()
		if err != nil {
			t.Fatalf("status: %v", err)
		}
		if err := json.Unmarshal(out, &r); err != nil {
			t.Fatal(err)
		}
		return r.Open == 0
	})
	if r.Dead != 0 {
		t.Errorf("%d dead letters", r.Dead)
	}
	return int(r.Answers)
}

func showTail(t *testing.T, path string) {
	b, err := os.ReadFile(path)
	if err == nil {
		t.Logf("processes said:\n%s", b[max(0, len(b)-4000):])
	}
}
