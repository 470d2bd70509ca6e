//go:build kill

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages"
)

// upgradeQuestions are asked while workers are replaced.
const upgradeQuestions = 600

// TestUpgrade: workers of the previous release are replaced by those of this one,
// one after the other, in the order that deploy/README.md says, and then back, while
// questions of every class keep coming. Each worker leaves cleanly and its
// successor takes over its data folder. Every question ends once, nothing is a dead
// letter, and where both releases answer a question alike, so does the mixture.
//
//	go test -tags kill -run TestUpgrade -timeout 10m -v ./cmd/hopstream
func TestUpgrade(t *testing.T) {
	dir := t.TempDir()
	previous := buildPrevious(t, dir)
	current, natsServer, logs := programs(t, dir)
	corpus, lines := upgradeMaterial(t, dir)
	calm := agreed(calmAnswers(t, previous, t.TempDir(), corpus, lines), calmAnswers(t, current, t.TempDir(), corpus, lines))
	if len(calm) < len(lines)/2 {
		t.Logf("the releases answer only %d of %d questions alike", len(calm), len(lines))
	}

	_, url := startNATS(t, natsServer, filepath.Join(dir, "nats"), logs)
	var order []*replica // as they are replaced
	for _, s := range upgradeOrder(t) {
		for n := range 2 {
			order = append(order, startReplica(t, previous, url, filepath.Join(dir, fmt.Sprint(s.name, n)), s, logs))
		}
	}
	for _, r := range order {
		r.waitReady(t)
	}
	run(t, previous, "index", "--nats", url, corpus)

	first := filepath.Join(dir, "first.jsonl")
	feed, done := streamSlowly(t, previous, url, first)
	chunk, fed := len(lines)/(2*len(order)+1), 0
	step := func(r *replica, program string) {
		feed(lines[fed : fed+chunk]...)
		fed += chunk
		// In the middle of things: some of what was fed is answered, not all.
		some := fed - chunk/2
		waitFor(t, "answers before "+r.name+" is replaced", func() bool { return countLinesOf(first) >= some })
		if err := r.replace(program); err != nil {
			t.Errorf("%s does not leave cleanly: %v", r.name, err)
		}
		r.waitReady(t)
	}
	for _, r := range order {
		step(r, current)
	}
	// The documents that came meanwhile reach old and new indexes alike.
	run(t, current, "index", "--nats", url, corpus)
	for _, r := range slices.Backward(order) {
		step(r, previous)
	}
	feed(lines[fed:]...)
	done()

	answers := readAnswers(t, first)
	checkMixed(t, answers, calm, len(lines))
	if stored := storedAnswers(t, current, url); stored != len(lines) {
		t.Errorf("%d answers are stored for %d questions", stored, len(lines))
	}
	// Clients come last: this release's finds every answer, and stores none.
	second := filepath.Join(dir, "second.jsonl")
	feed, done = streamSlowly(t, current, url, second)
	feed(lines...)
	done()
	for id, a := range readAnswers(t, second) {
		if a.LatencyMS != answers[id].LatencyMS || a.Answer != answers[id].Answer {
			t.Errorf("%s was answered twice: %+v and %+v", id, answers[id], a)
		}
	}
	if stored := storedAnswers(t, current, url); stored != len(lines) {
		t.Errorf("asking again stored answers: there are %d", stored)
	}
}

// service is a row of the table of services in deploy/README.md.
type service struct{ name, stages string }

var (
	serviceRow = regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| ([a-z, ]+?)(?:, each [^|]*)? \\| \\d+ \\|$")
	orderLine  = regexp.MustCompile("(?m)^The workers' order: (`.*`)\\.")
)

// upgradeOrder returns the services in the order in which deploy/README.md says to
// replace them; together they run every stage.
func upgradeOrder(t *testing.T) (order []service) {
	t.Helper()
	b, err := os.ReadFile("../../deploy/README.md")
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]string{}
	for _, m := range serviceRow.FindAllStringSubmatch(string(b), -1) {
		runs[m[1]] = strings.ReplaceAll(m[2], " ", "")
	}
	said := orderLine.FindStringSubmatch(string(b))
	if said == nil {
		t.Fatal("deploy/README.md does not say the workers' order")
	}
	var all []string
	for name := range strings.SplitSeq(said[1], ", ") {
		s := service{name: strings.Trim(name, "`")}
		if s.stages = runs[s.name]; s.stages == "" {
			t.Fatalf("deploy/README.md has no service %q", s.name)
		}
		order = append(order, s)
		all = append(all, strings.Split(s.stages, ",")...)
	}
	want := stages.Names()
	if slices.Sort(all); !slices.Equal(all, slices.Sorted(slices.Values(want))) {
		t.Fatalf("the services run %v, want %v", all, want)
	}
	return order
}

// replica is a worker process that tells when it is ready.
type replica struct {
	*process
	http string
}

func startReplica(t *testing.T, program, url, data string, s service, logs *os.File) *replica {
	t.Helper()
	r := &replica{http: fmt.Sprintf("127.0.0.1:%d", freePort(t))}
	r.process = &process{t: t, name: filepath.Base(data), log: logs, args: []string{program, "up", "--nats", url,
		"--stages", s.stages, "--http", r.http, "--log-level", "warn", "--data", data}}
	r.start()
	return r
}

func (r *replica) waitReady(t *testing.T) {
	t.Helper()
	waitFor(t, r.name+" to be ready", func() bool { return isReady(r.http) })
}

// upgradeMaterial is killMaterial, less of it, with questions that no document is
// asked for.
func upgradeMaterial(t *testing.T, dir string) (corpus string, lines []string) {
	t.Helper()
	corpus, lines = killMaterial(t, dir)
	lines = lines[:upgradeQuestions]
	for n := 0; n < len(lines); n += 10 {
		lines[n] = fmt.Sprintf(`{"id":"sum-%d","question":"What is %d times 23?"}`+"\n", n, n+2)
	}
	return corpus, lines
}

// agreed are the answers that two releases give alike.
func agreed(a, b map[string]*messages.Answer) map[string]*messages.Answer {
	both := map[string]*messages.Answer{}
	for id := range a {
		if b[id] != nil && said(a[id]) == said(b[id]) {
			both[id] = a[id]
		}
	}
	return both
}

// said is what a person reads of an answer: releases may differ in the rest.
func said(a *messages.Answer) string {
	text := fmt.Sprintf("%s %s %q", a.Class, a.Status, a.Answer)
	for _, h := range a.Hops {
		text += fmt.Sprintf("\n%d.%d %q: %q %s", h.Round, h.Branch, h.Question, h.Answer, h.Error)
	}
	return text
}

// checkMixed asserts that every question was answered, and as both releases answer
// it where they agree.
func checkMixed(t *testing.T, answers, calm map[string]*messages.Answer, asked int) {
	t.Helper()
	status, class, differ := map[messages.Status]int{}, map[messages.Class]int{}, 0
	for id, a := range answers {
		status[a.Status]++
		class[a.Class]++
		if want := calm[id]; want != nil && said(a) != said(want) {
			if differ++; differ <= 5 {
				t.Errorf("%s is answered\n%s\nand by each release\n%s", id, said(a), said(want))
			}
		}
	}
	t.Logf("%d questions: %v %v; %d are answered alike by both releases, of which %d otherwise here", len(answers), status, class, len(calm), differ)
	if len(answers) != asked || differ > 0 {
		t.Errorf("%d of %d questions have an answer, %d of them another", len(answers), asked, differ)
	}
	for _, bad := range []messages.Status{messages.Failed, messages.Expired, messages.Cancelled} {
		if status[bad] > 0 {
			t.Errorf("%d questions are %s", status[bad], bad)
		}
	}
	for _, c := range messages.Classes() {
		if class[c] == 0 {
			t.Errorf("no question is %s", c)
		}
	}
}

// streamSlowly starts a client that asks what it is fed. done waits until all of it
// is answered.
func streamSlowly(t *testing.T, program, url, out string) (feed func(lines ...string), done func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	reader, writer := io.Pipe()
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, program, "stream", "--nats", url, "--out", out)
	cmd.Stdin, cmd.Stderr = reader, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // ends with the client
	return func(lines ...string) {
			t.Helper()
			if _, err := io.WriteString(writer, strings.Join(lines, "")); err != nil {
				t.Fatal(err)
			}
		}, func() {
			t.Helper()
			writer.Close()
			if err := <-ended; err != nil {
				t.Fatalf("stream: %v\n%s", err, &said)
			}
		}
}

// run runs a command to its end.
func run(t *testing.T, program string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
