package archive

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
)

// rig is a log with answers.
type rig struct {
	*natstest.Rig
	asked int
}

func newRig(t *testing.T) *rig {
	t.Helper()
	return &rig{Rig: natstest.NewRig(t, log.Config{}, stages.Pipeline())}
}

// answer stores answers to n questions, with a trace of one message each.
func (r *rig) answer(t *testing.T, n int) {
	t.Helper()
	for range n {
		id := fmt.Sprintf("q%d", r.asked)
		r.asked++
		h := messages.Head{ID: id, Question: "why?", Class: messages.Complex, Round: 1, Asked: time.Now(), Deadline: time.Now().Add(time.Minute)}
		for _, m := range []messages.Message{&messages.Judge{Head: h}, &messages.Answer{ID: id, Question: "why?", Status: messages.Answered}} {
			if err := r.Log.Put(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func (r *rig) export(t *testing.T, dir string, o Options) (Done, error) {
	t.Helper()
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	return Export(t.Context(), r.Log, f, o)
}

// lines reads the lines of all whole files of a kind, in their order.
func lines(t *testing.T, dir, kind string) (all []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, kind+"*.jsonl*"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		var in io.Reader = f
		if strings.HasSuffix(name, ".gz") {
			if in, err = gzip.NewReader(f); err != nil {
				t.Fatal(err)
			}
		}
		text, err := io.ReadAll(in)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			all = append(all, line)
		}
	}
	return all
}

// once fails unless the folder has each of the rig's answers once, in order.
func (r *rig) once(t *testing.T, dir string) {
	t.Helper()
	all := lines(t, dir, answers)
	if len(all) != r.asked {
		t.Fatalf("%d lines for %d answers", len(all), r.asked)
	}
	for i, line := range all {
		var a messages.Answer
		if err := json.Unmarshal([]byte(line), &a); err != nil || a.ID != fmt.Sprintf("q%d", i) || a.Status != messages.Answered {
			t.Errorf("line %d: %v: %s", i, err, line)
		}
	}
}

// TestResume holds that each export goes on after the one before, compressed or not,
// whoever wrote what in between.
func TestResume(t *testing.T) {
	t.Parallel()
	r, dir := newRig(t), t.TempDir()
	if done, err := r.export(t, dir, Options{}); err != nil || done.Answers != 0 {
		t.Fatalf("of nothing: %+v, %v", done, err)
	}
	r.answer(t, 300) // more than a page
	if done, err := r.export(t, dir, Options{}); err != nil || done.Answers != 300 || done.Files != 1 || done.Last != 300 {
		t.Fatalf("%+v, %v", done, err)
	}
	if done, err := r.export(t, dir, Options{}); err != nil || done.Answers != 0 || done.Files != 0 {
		t.Fatalf("again: %+v, %v", done, err)
	}
	r.answer(t, 20)
	if done, err := r.export(t, dir, Options{Gzip: true}); err != nil || done.Answers != 20 {
		t.Fatalf("more: %+v, %v", done, err)
	}
	r.once(t, dir)
	if done, err := r.export(t, t.TempDir(), Options{Since: time.Now().Add(time.Hour)}); err != nil || done.Answers != 0 {
		t.Errorf("since later: %+v, %v", done, err)
	}
	if done, err := r.export(t, t.TempDir(), Options{Since: time.Now().Add(-time.Hour)}); err != nil || done.Answers != 320 {
		t.Errorf("since earlier: %+v, %v", done, err)
	}
}

// TestKilled holds that each answer is in the folder once, at whatever point an
// export was killed: while it wrote, between the two files, after both.
func TestKilled(t *testing.T) {
	t.Parallel()
	killed := errors.New("killed")
	for name, kill := range map[string]func(t *testing.T, dir string){
		"while it wrote": func(t *testing.T, dir string) {
			for _, kind := range []string{answers, traces} { // what it leaves
				if err := os.WriteFile(filepath.Join(dir, kind+"new"+partial), []byte(`{"id":"q0"`), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			remove(t, dir, answers)
			remove(t, dir, traces)
		},
		"between the files": func(t *testing.T, dir string) { remove(t, dir, answers) },
		"after both":        func(*testing.T, string) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, dir := newRig(t), t.TempDir()
			r.answer(t, 10)
			_, err := r.export(t, dir, Options{Traces: true, Placed: func(int, uint64) error { return killed }})
			if !errors.Is(err, killed) {
				t.Fatal(err)
			}
			kill(t, dir)
			r.answer(t, 5)
			if _, err := r.export(t, dir, Options{Traces: true}); err != nil {
				t.Fatal(err)
			}
			r.once(t, dir)
			if n := len(lines(t, dir, traces)); n != 15 {
				t.Errorf("%d traces", n)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*"+partial)); len(left) > 0 {
				t.Errorf("%v is left", left)
			}
		})
	}
}

func remove(t *testing.T, dir, kind string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, kind+"2*"))
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	for _, f := range all {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTraces holds that a trace's line has every message of its question but the
// answer, which has its own.
func TestTraces(t *testing.T) {
	t.Parallel()
	r, dir := newRig(t), t.TempDir()
	r.answer(t, 2)
	if _, err := r.export(t, dir, Options{Traces: true, Gzip: true}); err != nil {
		t.Fatal(err)
	}
	for i, line := range lines(t, dir, traces) {
		var got struct {
			ID       string
			Messages []struct {
				Subject string
				Message struct{ Question string }
			}
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil || got.ID != fmt.Sprintf("q%d", i) || len(got.Messages) != 1 ||
			got.Messages[0].Subject != "hop.v1.judge."+got.ID+".1" || got.Messages[0].Message.Question != "why?" {
			t.Errorf("%v: %s", err, line)
		}
	}
}

// TestForeignAnswer holds that what another program published as an answer is
// archived too, whatever it is.
func TestForeignAnswer(t *testing.T) {
	t.Parallel()
	r, dir := newRig(t), t.TempDir()
	if _, err := r.Log.JetStream().Publish(t.Context(), "hop.v1.answer.x", []byte("no\nJSON")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.export(t, dir, Options{}); err != nil {
		t.Fatal(err)
	}
	if got := lines(t, dir, answers); len(got) != 1 || got[0] != `{"data":"bm8KSlNPTg==","subject":"hop.v1.answer.x"}`+"\n" {
		t.Errorf("%q", got)
	}
}

// TestNewStream holds that answers of a stream that was made anew are archived,
// though they have the sequences of others.
func TestNewStream(t *testing.T) {
	t.Parallel()
	r, dir := newRig(t), t.TempDir()
	r.answer(t, 10)
	if _, err := r.export(t, dir, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := r.Log.JetStream().DeleteStream(t.Context(), "hop-v1-answer"); err != nil {
		t.Fatal(err)
	}
	if err := r.Log.Ensure(t.Context(), log.Config{}, nil); err != nil {
		t.Fatal(err)
	}
	r.answer(t, 5)
	if done, err := r.export(t, dir, Options{}); err != nil || done.Answers != 5 {
		t.Fatalf("%+v, %v", done, err)
	}
	r.once(t, dir)
}

// TestInUse holds that one process at a time writes to a folder.
func TestInUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFolder(dir); !errors.Is(err, ErrInUse) {
		t.Errorf("twice: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if f, err = OpenFolder(dir); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
}

// schedule returns a schedule of its own process, at a time that the test sets.
func (r *rig) schedule(t *testing.T, dir string, now *time.Time) *Schedule {
	t.Helper()
	return NewSchedule(r.Log, ScheduleOptions{Dir: dir, Every: time.Minute, Metrics: prometheus.NewRegistry(),
		Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return *now }})
}

// TestOneProcessArchives holds that of two processes one archives, that the other
// takes over when the first is gone for long, and that what both wrote is each
// answer once, though their folders are not the same.
func TestOneProcessArchives(t *testing.T) {
	t.Parallel()
	r, now := newRig(t), time.Now()
	here, there := t.TempDir(), t.TempDir()
	one, two := r.schedule(t, here, &now), r.schedule(t, there, &now)
	archived := func(want uint64) {
		t.Helper()
		if got, err := Archived(r.Log, log.Config{}, nil)(t.Context()); got != want || err != nil {
			t.Errorf("archived up to %d, %v; want %d", got, err, want)
		}
	}
	run := func(s *Schedule) {
		t.Helper()
		if err := s.once(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	archived(0)
	r.answer(t, 4)
	run(one)
	archived(4)
	r.answer(t, 3)
	run(two) // the other has time left
	archived(4)
	if got := testutil.ToFloat64(two.metrics.success); got != float64(now.Unix()) {
		t.Errorf("the other process tells %v as the last success, which was at %v", got, now.Unix())
	}
	run(one)
	archived(7)
	r.answer(t, 2)
	now = now.Add(4 * time.Minute)
	run(two)
	archived(9)
	if a, b := len(lines(t, here, answers)), len(lines(t, there, answers)); a != 7 || b != 2 {
		t.Errorf("%d answers here, %d there", a, b)
	}
	if a, b := testutil.ToFloat64(one.metrics.answers), testutil.ToFloat64(two.metrics.answers); a != 7 || b != 2 {
		t.Errorf("counted %v here, %v there", a, b)
	}
}

// TestKilledBeforeItTold holds that a process which was killed after it wrote a file
// and before it said so does not write its answers again.
func TestKilledBeforeItTold(t *testing.T) {
	t.Parallel()
	r, now, dir := newRig(t), time.Now(), t.TempDir()
	r.answer(t, 4)
	if _, err := r.export(t, dir, Options{}); err != nil {
		t.Fatal(err)
	}
	r.answer(t, 2)
	if err := r.schedule(t, dir, &now).once(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.once(t, dir)
}

// TestRunEnds holds that a schedule archives at once, and ends with its context.
func TestRunEnds(t *testing.T) {
	t.Parallel()
	r, now, dir := newRig(t), time.Now(), t.TempDir()
	r.answer(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	s := r.schedule(t, dir, &now)
	go func() { ended <- s.Run(ctx) }()
	natstest.Eventually(t, "the answer to be archived", func() bool { return testutil.ToFloat64(s.metrics.answers) == 1 })
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	r.once(t, dir)
}
