package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/render"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// runTests runs the tests of a package, and fails if they leave goroutines
// behind. It is what a TestMain calls.
func runTests(m *testing.M) {
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
	program  string
	args     []string
	code     int
	out, err string
}

// newOutcome is for a run that a test made itself.
func newOutcome(t *testing.T, p *cli.Program, args []string, code int, out, err string) outcome {
	return outcome{t, p.Name, args, code, out, err}
}

// runProgram runs a program for a minute at most, over a data folder of its
// own unless args name one.
func runProgram(t *testing.T, p *cli.Program, stdin string, args ...string) outcome {
	t.Helper()
	return runFor(t, p, time.Minute, stdin, args...)
}

// runFor is runProgram with a time limit of its own.
func runFor(t *testing.T, p *cli.Program, limit time.Duration, stdin string, args ...string) outcome {
	t.Helper()
	if !slices.Contains(args, "--data") {
		args = append(args, "--data", filepath.Join(t.TempDir(), "data"))
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var out, errs buffer
	code := p.Run(ctx, func() {}, args, cli.Stdio{In: strings.NewReader(stdin), Out: &out, Err: &errs})
	return outcome{t, p.Name, args, code, out.String(), errs.String()}
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
	if lines := strings.Count(o.err, "\n"); lines != 1 || !strings.HasPrefix(o.err, o.program+": ") {
		o.t.Errorf("%q does not say in one line what is wrong:\n%s", o.args, o.err)
	}
}

// answers reads the results as answer lines, by ID.
func (o outcome) answers() map[string]render.Line {
	o.t.Helper()
	return readAnswerLines(o.t, o.out)
}

// readAnswerLines reads text as answer lines, by ID.
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
