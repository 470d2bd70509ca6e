package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/messages"
)

// resumable are questions with and without IDs, some of one text.
func resumable() (lines []string) {
	for i := range 20 {
		lines = append(lines, fmt.Sprintf(`{"id":"q%d","question":"What is %d times 3?"}`, i, i))
	}
	for range 3 {
		lines = append(lines, `{"question":"What is 7 times 3?"}`)
	}
	return append(lines, `{"question":"What is 1000 times 3?"}`, `{"id":"a.b","question":"What is 1 times 3?"}`, `{"question":""}`)
}

// checkResumed checks that out has one line for each of resumable.
func checkResumed(t *testing.T, out string) {
	t.Helper()
	got := cmdtest.ReadAnswerLines(t, cmdtest.Read(t, out))
	texts := map[string]int{}
	for _, a := range got {
		texts[a.Question]++
		if a.Status == messages.Answered && a.Answer == "" {
			t.Errorf("%+v", a)
		}
	}
	if len(got) != 26 || texts["What is 7 times 3?"] != 4 || texts["What is 1000 times 3?"] != 1 || texts["What is 1 times 3?"] != 2 || texts[""] != 1 {
		t.Errorf("%d lines: %v", len(got), texts)
	}
	for i := range 20 {
		if a := got[fmt.Sprintf("q%d", i)]; a.Answer != fmt.Sprint(3*i) {
			t.Errorf("q%d: %+v", i, a)
		}
	}
}

// Wherever a run was cut off, and however its lines were ordered, the next one
// writes what is missing and nothing else.
func TestResume(t *testing.T) {
	t.Parallel()
	lines := resumable()
	in := cmdtest.TempFile(t, "q.jsonl", strings.Join(lines, "\n"))
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.jsonl")
	docs := cmdtest.TempFile(t, "arlen.txt", "Arlen is a small town in Norway.")
	stream := func(out string, args ...string) cmdtest.Outcome {
		t.Helper()
		return hopstream(t, "", append([]string{"stream", "--docs", docs, "--in", in, "--out", out}, args...)...).Exits(1)
	}
	stream(whole, "--window", "3").Says("24 answered, 2 rejected")
	checkResumed(t, whole)
	text := cmdtest.Read(t, whole)

	all := strings.SplitAfter(text, "\n")
	for name, before := range map[string]string{
		"nothing": "", "all": text, "torn": text[:len(text)/2], "torn at the end": strings.TrimSuffix(text, "\n"),
		"one byte": text[:1], "first three": strings.Join(all[:3], ""), "last ten": strings.Join(all[len(all)-10:], ""),
	} {
		out := filepath.Join(dir, "part.jsonl")
		cmdtest.WriteFile(t, out, before)
		stream(out, "--resume")
		if checkResumed(t, out); t.Failed() {
			t.Fatalf("resumed from %s", name)
		}
		kept := before[:strings.LastIndex(before, "\n")+1]
		if !strings.HasPrefix(cmdtest.Read(t, out), kept) {
			t.Errorf("%s: whole lines were not kept", name)
		}
	}
	none := filepath.Join(dir, "none.jsonl")
	stream(none, "--resume")
	checkResumed(t, none)
	other := filepath.Join(dir, "other.jsonl")
	cmdtest.WriteFile(t, other, "a letter to a friend\n")
	stream(other, "--resume").Says("it holds lines that are no answers: name another file")
	if cmdtest.Read(t, other) != "a letter to a friend\n" {
		t.Error("the wrong file was written to")
	}
}

func TestResumeSeesAClash(t *testing.T) {
	t.Parallel()
	docs := cmdtest.TempFile(t, "arlen.txt", "Arlen is a small town in Norway.")
	out := filepath.Join(t.TempDir(), "a.jsonl")
	hopstream(t, `{"id":"a","question":"Where is Arlen?"}`, "stream", "--docs", docs, "--out", out).Exits(0)
	hopstream(t, `{"id":"a","question":"Where is Oslo?"}`, "stream", "--docs", docs, "--out", out, "--resume").
		Exits(1).Says("question a: the ID is taken by another question", "1 rejected")
	if got := cmdtest.ReadAnswerLines(t, cmdtest.Read(t, out)); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// endless gives lines until the test has seen enough.
type endless struct {
	lines []string
	after int
	stop  func()
}

func (e *endless) Read(p []byte) (int, error) {
	if len(e.lines) == 0 {
		return 0, io.EOF
	}
	if e.after--; e.after == 0 {
		e.stop()
	}
	n := copy(p, e.lines[0]+"\n")
	e.lines = e.lines[1:]
	return n, nil
}

// A signal in the middle ends the run, keeps what is written, and says how to
// go on.
func TestInterruptedStreamResumes(t *testing.T) {
	t.Parallel()
	docs := cmdtest.TempFile(t, "arlen.txt", "Arlen is a small town in Norway.")
	out := filepath.Join(t.TempDir(), "a.jsonl")
	args := []string{"stream", "--docs", docs, "--out", out, "--window", "2"}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var errs cmdtest.Buffer
	code := program.Run(ctx, stop, append(args, "--data", t.TempDir()), cli.Stdio{In: &endless{resumable(), 12, stop}, Out: &cmdtest.Buffer{}, Err: &errs})
	if code != 1 || !strings.Contains(errs.String(), "interrupted: run again with --resume") {
		t.Errorf("exits %d: %s", code, errs.String())
	}
	before := cmdtest.Read(t, out)
	if before != "" && !strings.HasSuffix(before, "\n") {
		t.Errorf("ends with a torn line: %q", before)
	}
	if n := len(cmdtest.ReadAnswerLines(t, before)); n >= 26 {
		t.Errorf("%d lines: it was not interrupted", n)
	}
	hopstream(t, strings.Join(resumable(), "\n"), append(args, "--resume")...).Exits(1)
	checkResumed(t, out)
	if !strings.HasPrefix(cmdtest.Read(t, out), before) {
		t.Error("what was written was not kept")
	}
}

func TestInterruptedAsk(t *testing.T) {
	t.Parallel()
	w := up(t, t.TempDir(), "--stages", "retriever") // nobody routes
	indexSomething(t, "--data", w.Data)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, errs cmdtest.Buffer
	done := make(chan int)
	go func() {
		done <- program.Run(ctx, cancel, []string{"ask", "--data", w.Data, "--id", "q1", "Where?"}, cli.Stdio{In: os.Stdin, Out: &out, Err: &errs})
	}()
	cmdtest.Eventually(t, "the question to be open", func() bool {
		return strings.Contains(hopstream(t, "", "trace", "q1", "--data", w.Data).Out, "still open")
	})
	cancel()
	if code := <-done; code != 130 || errs.String() != "hopstream: interrupted: question q1 goes on; its answer, when there is one: hopstream trace q1\n" {
		t.Errorf("exits %d: %s", code, errs.String())
	}
}

// TestStreamKeepsWhatIsThere holds that answers are not overwritten unasked.
func TestStreamKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	docs, out := cmdtest.TempFile(t, "arlen.txt", "Arlen is a small town in Norway."), cmdtest.TempFile(t, "a.jsonl", "precious\n")
	run := func(args ...string) cmdtest.Outcome {
		return hopstream(t, `{"id":"a","question":"Where is Arlen?"}`, append([]string{"stream", "--docs", docs, "--out", out}, args...)...)
	}
	run().Complains(2, out+" is there already", "--resume", "--force")
	run("--resume", "--force").Complains(2, "choose one")
	if got := cmdtest.Read(t, out); got != "precious\n" {
		t.Errorf("holds %q", got)
	}
	run("--force").Exits(0)
	if got := cmdtest.ReadAnswerLines(t, cmdtest.Read(t, out)); len(got) != 1 {
		t.Errorf("%v", got)
	}
	cmdtest.WriteFile(t, out, "")
	run().Exits(0) // nothing is lost
}
