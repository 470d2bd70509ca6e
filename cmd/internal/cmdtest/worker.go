package cmdtest

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"hopstream/cmd/internal/cli"
)

// Worker is a running `hopstream up`.
type Worker struct {
	t         *testing.T
	Data      string
	URL, HTTP string
	Err       Buffer
	stop      context.CancelFunc
	done      chan int
}

var (
	saidHTTP = regexp.MustCompile(`msg="serving metrics" url=(http://[^/]+)/metrics`)
	// SaidUp is the line of the log that says where the workers' server is.
	SaidUp = regexp.MustCompile(`msg=up nats=(\S+)`)
)

// Up starts workers over a data folder, with an embedded server on free
// ports unless args say otherwise, and returns when they take questions. They
// end with the test.
func Up(t *testing.T, p *cli.Program, data string, args ...string) *Worker {
	t.Helper()
	args = append([]string{"up", "--data", data, "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"}, args...)
	return Start(t, data, func(ctx context.Context, std cli.Stdio) int { return p.Run(ctx, func() {}, args, std) })
}

// Start starts what run runs over a data folder, and returns when it says
// that it is up. It ends with the test.
func Start(t *testing.T, data string, run func(context.Context, cli.Stdio) int) *Worker {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w := &Worker{t: t, Data: data, stop: cancel, done: make(chan int, 1)}
	go func() { w.done <- run(ctx, cli.Stdio{In: strings.NewReader(""), Out: &Buffer{}, Err: &w.Err}) }()
	t.Cleanup(func() { w.End() })
	Eventually(t, "the workers to be up", func() bool {
		select {
		case code := <-w.done:
			w.done <- code
			t.Fatalf("up exits %d:\n%s", code, w.Err.String())
		default:
		}
		return SaidUp.MatchString(w.Err.String())
	})
	w.URL = SaidUp.FindStringSubmatch(w.Err.String())[1]
	w.HTTP = saidHTTP.FindStringSubmatch(w.Err.String())[1]
	return w
}

// End stops the workers as a signal would, and returns the exit code.
func (w *Worker) End() int {
	w.stop()
	select {
	case code := <-w.done:
		w.done <- code
		return code
	case <-time.After(30 * time.Second):
		w.t.Errorf("up does not end:\n%s", w.Err.String())
		return -1
	}
}

// Eventually waits until ok, for half a minute at most.
func Eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for start := time.Now(); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > 30*time.Second {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
