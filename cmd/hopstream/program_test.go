package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/render"
	"hopstream/index/sample"
)

// The tests run the whole program in this process: its arguments and standard
// input go in, its output and exit code come out.
func TestMain(m *testing.M) {
	code := m.Run()
	http.DefaultClient.CloseIdleConnections()
	// Bleve keeps its analysis workers for the life of the process.
	if err := goleak.Find(goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker")); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// outcome is what a run of the program left.
type outcome struct {
	t        *testing.T
	args     []string
	code     int
	out, err string
}

// hopstream runs the program over a data folder of its own, unless args name
// one.
func hopstream(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	return hopstreamFor(t, time.Minute, stdin, args...)
}

// hopstreamFor is hopstream with a time limit of its own.
func hopstreamFor(t *testing.T, limit time.Duration, stdin string, args ...string) outcome {
	t.Helper()
	if !slices.Contains(args, "--data") {
		args = append(args, "--data", filepath.Join(t.TempDir(), "data"))
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var out, errs buffer
	code := hopstreamProgram.Run(ctx, func() {}, args, cli.Stdio{In: strings.NewReader(stdin), Out: &out, Err: &errs})
	return outcome{t, args, code, out.String(), errs.String()}
}

// exits checks the exit code, and that errors are one line of plain words.
func (o outcome) exits(code int) outcome {
	o.t.Helper()
	if o.code != code {
		o.t.Fatalf("%q exits %d, want %d\n%s%s", o.args, o.code, code, o.out, o.err)
	}
	if strings.ContainsAny(o.err, "\x1b\r") {
		o.t.Errorf("%q draws on a stream that is no terminal: %q", o.args, o.err)
	}
	return o
}

// says checks that every one of words is in the error output.
func (o outcome) says(words ...string) outcome {
	o.t.Helper()
	for _, w := range words {
		if !strings.Contains(o.err, w) {
			o.t.Errorf("%q does not say %q:\n%s", o.args, w, o.err)
		}
	}
	return o
}

// prints checks that every one of words is in the results.
func (o outcome) prints(words ...string) outcome {
	o.t.Helper()
	for _, w := range words {
		if !strings.Contains(o.out, w) {
			o.t.Errorf("%q does not print %q:\n%s%s", o.args, w, o.out, o.err)
		}
	}
	return o
}

// complains checks that there are no results and one line of error.
func (o outcome) complains(code int, words ...string) {
	o.t.Helper()
	o.exits(code).says(words...)
	if o.out != "" {
		o.t.Errorf("%q fails and prints %q", o.args, o.out)
	}
	if lines := strings.Count(o.err, "\n"); lines != 1 || !strings.HasPrefix(o.err, "hopstream: ") {
		o.t.Errorf("%q does not say in one line what is wrong:\n%s", o.args, o.err)
	}
}

// answers reads the results as answer lines, by ID.
func (o outcome) answers() map[string]render.Line {
	o.t.Helper()
	return readAnswerLines(o.t, o.out)
}

func readAnswerLines(t *testing.T, text string) map[string]render.Line {
	t.Helper()
	all := map[string]render.Line{}
	for line := range strings.Lines(text) {
		var a render.Line
		dec := json.NewDecoder(strings.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&a); err != nil {
			t.Fatalf("%q is no answer line: %v", line, err)
		}
		if _, twice := all[a.ID]; twice {
			t.Fatalf("two lines for %s", a.ID)
		}
		all[a.ID] = a
	}
	return all
}

// buffer is a writer that may be read while it is written to.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

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

// up starts workers, with an embedded server on free ports unless args say
// otherwise, and returns when they take questions.
func up(t *testing.T, data string, args ...string) *worker {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w := &worker{t: t, data: data, stop: cancel, done: make(chan int, 1)}
	args = append([]string{"up", "--data", data, "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"}, args...)
	go func() {
		w.done <- hopstreamProgram.Run(ctx, func() {}, args, cli.Stdio{In: strings.NewReader(""), Out: &buffer{}, Err: &w.err})
	}()
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

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for start := time.Now(); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > 30*time.Second {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// tempFile writes a file into a folder of the test's own.
func tempFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// corpus writes the shipped documents to a file.
func corpus(t *testing.T) string {
	t.Helper()
	path, cleanup, err := sampleFile()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cleanup)
	return path
}

// sampleLines are the shipped questions as JSON lines.
func sampleLines(t *testing.T) (text string, all []sample.Question) {
	t.Helper()
	all, err := sample.Questions()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, q := range all {
		fmt.Fprintf(&b, "{\"id\":%q,\"question\":%q}\n", q.ID, q.Question)
	}
	return b.String(), all
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
