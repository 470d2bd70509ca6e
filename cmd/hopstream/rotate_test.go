package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/stages"
	"hopstream/stages/grants"
)

// TestRotate replaces the keys of the workers and of the client while questions flow.
// Every question has its answer, and the old keys are not let in any more.
func TestRotate(t *testing.T) {
	if testing.Short() {
		t.Skip("replaces keys under load")
	}
	t.Parallel()
	o := securedGrants(t)
	workers := o.Group("workers", stages.Pipeline())
	users := append(o.Users(), workers)
	s := cmdtest.NewSecured(t, "", users)
	hopstream(t, "", append([]string{"setup"}, s.As(grants.Setup, securedSettings)...)...).Exits(0)
	hopstream(t, "", append([]string{"index", cmdtest.Corpus(t)}, s.As(grants.Indexer, securedSettings)...)...)
	const patient = "pipeline: {deadline: 40s}\nlog: {level: info}"
	up(t, t.TempDir(), s.As(workers.Name, patient)...)
	const n = 600
	var questions strings.Builder
	for i := range n {
		fmt.Fprintf(&questions, "{\"id\":\"q%d\",\"question\":\"Where was Marie Curie born?\",\"class\":\"single\"}\n", i)
	}
	// The questions come one by one, so that keys are replaced in between.
	feed, in := newFeed(questions.String())
	done := make(chan cmdtest.Outcome, 1)
	args := append([]string{"stream", "--data", filepath.Join(t.TempDir(), "data")}, s.As(grants.Client, patient)...)
	go func() {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
		defer cancel()
		var out, errs cmdtest.Buffer
		code := program.Run(ctx, func() {}, args, cli.Stdio{In: in, Out: &out, Err: &errs})
		close(in.gone)
		done <- cmdtest.NewOutcome(t, &program, args, code, out.String(), errs.String())
	}()
	old := map[string][]string{}
	for _, user := range []string{workers.Name, grants.Client} {
		feed(n / 3)
		keys, err := s.Seeds.Keys(user)
		if err != nil {
			t.Fatal(err)
		}
		old[user] = keys
		dir := string(s.Seeds)
		hopstream(t, "", "nats", "rotate", "--seeds", dir, user).Exits(0).Prints("reload")
		s.Reload(users) // it knows both
		hopstream(t, "", "nats", "rotate", "--seeds", dir, "--finish", user).Exits(0).Prints("reload")
		s.Reload(users) // it forgets the old one, and closes its connections
		if now, err := s.Seeds.Keys(user); err != nil || len(now) != 1 || slices.Equal(now, keys) {
			t.Errorf("%s has %v after %v, %v", user, now, keys, err)
		}
	}
	feed(n)
	o1 := <-done
	answers := o1.Exits(0).Answers()
	if len(answers) != n {
		t.Errorf("%d of %d questions have an answer", len(answers), n)
	}
	for id, a := range answers {
		if a.Answer != "Warsaw" {
			t.Errorf("%s: %q, %s", id, a.Answer, a.Status)
		}
	}
	if len(old) != 2 {
		t.Errorf("%d users have new keys", len(old))
	}
}

// newFeed returns a reader of text, and a function that lets it read that many lines
// more, and returns when they were read.
func newFeed(text string) (more func(lines int), in *feed) {
	f := &feed{lines: strings.SplitAfter(text, "\n"), more: make(chan string), gone: make(chan struct{})}
	return func(n int) {
		for range min(n, len(f.lines)) {
			select {
			case f.more <- f.lines[0]:
			case <-f.gone: // what it said is looked at in the end
				return
			}
			f.lines = f.lines[1:]
		}
		if len(f.lines) == 0 || f.lines[0] == "" {
			close(f.more)
		}
	}, f
}

// feed is input that comes line by line.
type feed struct {
	lines []string
	more  chan string
	gone  chan struct{} // closed when nobody reads any more
	left  string
}

// Read returns what comes next.
func (f *feed) Read(b []byte) (int, error) {
	if f.left == "" {
		line, ok := <-f.more
		if !ok {
			return 0, io.EOF
		}
		f.left = line
	}
	n := copy(b, f.left)
	f.left = f.left[n:]
	return n, nil
}
