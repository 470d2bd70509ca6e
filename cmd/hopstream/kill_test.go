//go:build kill

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/inspect"
	"hopstream/cmd/internal/synthetic"
	"hopstream/index/testkit/publictest"
	"hopstream/messages"
	"hopstream/stages"
)

// The kill test: a NATS server process, seven worker processes, 2,000 mixed
// questions over twelve thousand real passages. Workers are killed with SIGKILL
// twenty times, once all of them at once, and once the NATS server is; retrievers
// with nothing on their disks join in the middle; the server stands still while a
// worker starts. Every question ends exactly once, with the answer of a calm
// run, and a second run over the same IDs answers nothing twice.
//
//	go test -tags kill -run TestKill -v ./cmd/hopstream
const (
	killQuestions = 2000
	kills         = 20
)

var (
	killSeed  = flag.Uint64("kill.seed", 1, "chooses who is killed, and when")
	killShare = flag.String("kill.share", "auto", "pipeline.share_work of the workers")
)

// process is a program that can be killed, and that is started again whenever
// it ends, as a supervisor would.
type process struct {
	t    *testing.T
	name string
	args []string
	env  []string
	log  *os.File

	mu     sync.Mutex
	cmd    *exec.Cmd
	over   bool
	starts int
	ended  error // of the run before this one: how it exited
	wg     sync.WaitGroup
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
			p.starts++
			p.mu.Unlock()
			if err != nil {
				p.t.Errorf("%s: %v", p.name, err)
				return
			}
			err = cmd.Wait()
			p.mu.Lock()
			p.ended = err
			p.mu.Unlock()
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
func (p *process) kill() { p.signal(syscall.SIGKILL) }

// pid is that of the running process, or of the last one.
func (p *process) pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil || p.cmd.Process == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

// replace has the process end as a supervisor's stop does, and another program run
// with the same arguments in its place. It returns how the first one exited.
func (p *process) replace(program string) error {
	p.t.Helper()
	p.mu.Lock()
	p.args[0] = program
	starts := p.starts
	p.mu.Unlock()
	p.signal(syscall.SIGTERM)
	waitFor(p.t, p.name+" to be started again", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.starts > starts
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended
}

func (p *process) signal(s os.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd != nil && p.cmd.Process != nil {
		_ = p.cmd.Process.Signal(s)
	}
}

func TestKill(t *testing.T) {
	dir := t.TempDir()
	hopstream, natsServer, logs := programs(t, dir)
	var said bytes.Buffer
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("stream said: %s", &said)
		}
	})

	corpus, lines := killMaterial(t, dir)
	calm := calmAnswers(t, hopstream, dir, corpus, lines)

	server, url := startNATS(t, natsServer, filepath.Join(dir, "nats"), logs)
	// Short ack waits: a killed worker's messages come again soon.
	env := []string{"HOPSTREAM_PIPELINE__SHARE_WORK=" + *killShare}
	for _, s := range stages.Names() {
		env = append(env, "HOPSTREAM_STAGES__"+strings.ToUpper(s)+"__ACK_WAIT=1s")
	}
	var workers []*process
	work := func(list string) *process {
		w := &process{t: t, name: fmt.Sprintf("worker %d (%s)", len(workers), list), log: logs, env: env,
			args: []string{hopstream, "up", "--nats", url, "--stages", list, "--http", "", "--log-level", "error", "--data", filepath.Join(dir, fmt.Sprint("worker", len(workers)))}}
		w.start()
		workers = append(workers, w)
		return w
	}
	for _, list := range []string{"router,decomposer", "router,judge,aggregator", "retriever", "retriever", "filter,aligner", "generator,aggregator", "generator,judge,decomposer,filter,aligner"} {
		work(list)
	}
	if out, err := exec.Command(hopstream, "index", "--nats", url, corpus).CombinedOutput(); err != nil {
		t.Fatalf("index: %v\n%s", err, out)
	}

	// Questions come slowly enough for the kills to fall among them.
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
			line := lines[n]
			input.WriteString(line)
			if _, err := io.WriteString(writer, line); err != nil {
				t.Fatal(err)
			}
			n++
		}
	}
	random := rand.New(rand.NewPCG(*killSeed, 1))
	for k := range kills {
		feed(chunk)
		// In the middle of things: some of what was fed is answered, not all.
		some := n - chunk + random.IntN(chunk)
		waitFor(t, fmt.Sprintf("answers before kill %d", k), func() bool { return countLinesOf(first) >= some })
		workers[random.IntN(len(workers))].kill()
		switch k {
		case kills / 5, kills / 2, 4 * kills / 5: // one more, with an index to fill
			work("retriever")
		case kills / 4: // the server stands still while workers start
			feed(chunk)
			server.signal(syscall.SIGSTOP)
			workers[2].kill()
			workers[random.IntN(len(workers))].kill()
			time.Sleep(2 * time.Second) // as long as that
			server.signal(syscall.SIGCONT)
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
	checkAnswers(t, answers, calm)
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

// checkAnswers asserts that every question has ended as in a calm run: killing
// workers may delay an answer, but not change it.
func checkAnswers(t *testing.T, answers, calm map[string]*messages.Answer) {
	t.Helper()
	byStatus, differ, shared := map[messages.Status]int{}, 0, 0
	for id, want := range calm {
		a := answers[id]
		if a == nil {
			t.Errorf("%s has no answer", id)
			continue
		}
		byStatus[a.Status]++
		for _, h := range a.Hops {
			shared += min(1, len(h.Shared))
		}
		if got, want := plain(a), plain(want); got != want {
			if differ++; differ <= 5 {
				t.Errorf("%s is answered\n%s\nand in a calm run\n%s", id, got, want)
			}
		}
	}
	t.Logf("%d questions: %v; %d answers differ from the calm run's; %d hops are another question's work", len(answers), byStatus, differ, shared)
	if differ > 0 || len(answers) != len(calm) {
		t.Errorf("%d of %d answers differ", differ, len(calm))
	}
}

// plain is an answer without what a run may change: times, the trace, and whose
// work a hop is.
func plain(a *messages.Answer) string {
	p := *a
	p.LatencyMS, p.Trace, p.Usage, p.Hops = 0, "", messages.Usage{}, slices.Clone(a.Hops)
	for i := range p.Hops {
		p.Hops[i].Shared = ""
	}
	b, err := json.Marshal(&p)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// calmAnswers asks all questions where nothing happens.
func calmAnswers(t *testing.T, hopstream, dir, corpus string, lines []string) map[string]*messages.Answer {
	t.Helper()
	in, out := filepath.Join(dir, "questions.jsonl"), filepath.Join(dir, "calm.jsonl")
	if err := os.WriteFile(in, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command(hopstream, "stream", "--docs", corpus, "--in", in, "--out", out).CombinedOutput()
	if err != nil {
		t.Fatalf("calm run: %v\n%s", err, said)
	}
	t.Logf("calm run: %s", strings.TrimSpace(string(said)))
	calm := readAnswers(t, out)
	if len(calm) != len(lines) {
		t.Fatalf("%d answers to %d questions", len(calm), len(lines))
	}
	return calm
}

// killMaterial returns a corpus and the lines of 2,000 questions about it, of
// all classes and strategies: public ones, or where there are none those of
// bench.
func killMaterial(t *testing.T, dir string) (corpus string, lines []string) {
	t.Helper()
	corpus = filepath.Join(dir, "corpus.jsonl")
	var texts []string
	if publictest.Has(t, "2wikimultihopqa") && publictest.Has(t, "compoundqa") {
		var b bytes.Buffer
		for _, set := range []string{"2wikimultihopqa", "compoundqa"} {
			for _, d := range publictest.Documents(t, set) {
				if err := cli.WriteJSON(&b, d); err != nil {
					t.Fatal(err)
				}
			}
			texts = append(texts, publictest.Texts(t, set)...)
		}
		if err := os.WriteFile(corpus, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	} else {
		t.Log("the public question sets are not here: the corpus is a generated one")
		var err error
		if texts, err = synthetic.Corpus(corpus, 10_000); err != nil {
			t.Fatal(err)
		}
	}
	random := rand.New(rand.NewPCG(*killSeed, 2))
	random.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	for n := range killQuestions {
		strategy := messages.Strategies()[n%len(messages.Strategies())]
		line := fmt.Sprintf(`{"id":"kill-%d","question":%q,"strategy":%q`, n, texts[n%len(texts)], strategy)
		if tenant := []string{"", "acme", "b2", "c_c"}[n%4]; tenant != "" { // of several tenants, and of each priority
			line += fmt.Sprintf(`,"tenant":%q`, tenant)
		}
		if p := n / 4 % 4; p > 0 {
			line += fmt.Sprintf(`,"priority":%q`, messages.Priorities()[p-1])
		}
		lines = append(lines, line+"}\n")
	}
	return corpus, lines
}

// startNATS starts a server process and returns its URL.
func startNATS(t *testing.T, binary, dir string, logs *os.File) (*process, string) {
	t.Helper()
	addr := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	_, port, _ := net.SplitHostPort(addr)
	server := &process{t: t, name: "nats-server", log: logs, args: []string{binary, "-js", "-a", "127.0.0.1", "-p", port, "-sd", dir}}
	server.start()
	waitFor(t, "the NATS server", func() bool {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	return server, "nats://" + addr
}

// programs builds what a test starts, and opens the log that all of it writes
// to, whose end is shown where the test fails.
func programs(t *testing.T, dir string) (hopstream, natsServer string, logs *os.File) {
	t.Helper()
	hopstream, natsServer = filepath.Join(dir, "hopstream"), filepath.Join(dir, "nats-server")
	build(t, hopstream, "hopstream/cmd/hopstream")
	build(t, natsServer, "github.com/nats-io/nats-server/v2")
	logs, err := os.Create(filepath.Join(dir, "processes.log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		logs.Close()
		if t.Failed() {
			showTail(t, logs.Name())
		}
	})
	return hopstream, natsServer, logs
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
	waitLong(t, time.Minute, what, ok)
}

func waitLong(t *testing.T, most time.Duration, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(most); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, most)
		}
	}
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
	var r inspect.Status
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
