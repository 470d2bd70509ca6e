package main

import (
	"context"
	"hopstream/cmd/internal/cli"
	"regexp"
	"strings"
	"testing"
	"time"
)

// worker is a running `hopstream up`.
type worker struct {
	t         *testing.T
	data      string
	url, http string
	err       buffer
	stop      context.CancelFunc
	done      chan int
}

var (
	saidHTTP = regexp.MustCompile(`msg="serving metrics" url=(http://[^/]+)/metrics`)
	saidUp   = regexp.MustCompile(`msg=up nats=(\S+)`)
)

// startUp starts workers over a data folder, with an embedded server on free
// ports unless args say otherwise, and returns when they take questions. They
// end with the test.
func startUp(t *testing.T, p *cli.Program, data string, args ...string) *worker {
	t.Helper()
	args = append([]string{"up", "--data", data, "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"}, args...)
	return startWorker(t, data, func(ctx context.Context, std cli.Stdio) int { return p.Run(ctx, func() {}, args, std) })
}

// startWorker starts what run runs over a data folder, and returns when it says
// that it is up. It ends with the test.
func startWorker(t *testing.T, data string, run func(context.Context, cli.Stdio) int) *worker {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w := &worker{t: t, data: data, stop: cancel, done: make(chan int, 1)}
	go func() { w.done <- run(ctx, cli.Stdio{In: strings.NewReader(""), Out: &buffer{}, Err: &w.err}) }()
	t.Cleanup(func() { w.end() })
	eventually(t, "the workers to be up", func() bool {
		select {
		case code := <-w.done:
			w.done <- code
			t.Fatalf("up exits %d:\n%s", code, w.err.String())
		default:
		}
		return saidUp.MatchString(w.err.String())
	})
	w.url = saidUp.FindStringSubmatch(w.err.String())[1]
	w.http = saidHTTP.FindStringSubmatch(w.err.String())[1]
	return w
}

// end stops the workers as a signal would, and returns the exit code.
func (w *worker) end() int {
	w.stop()
	select {
	case code := <-w.done:
		w.done <- code
		return code
	case <-time.After(30 * time.Second):
		w.t.Errorf("up does not end:\n%s", w.err.String())
		return -1
	}
}

// eventually waits until ok, for half a minute at most.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for start := time.Now(); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > 30*time.Second {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
