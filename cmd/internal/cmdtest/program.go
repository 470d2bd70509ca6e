package cmdtest

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/render"
)

// Main runs the tests of a package, and fails if they leave goroutines
// behind. It is what a TestMain calls. More tests run at once than there are
// processors: they wait for servers and models more than they work.
func Main(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(max(5, runtime.GOMAXPROCS(0)))); err != nil {
		panic(err)
	}
	code := m.Run()
	http.DefaultClient.CloseIdleConnections()
	// Bleve keeps its analysis workers for the life of the process.
	if err := goleak.Find(goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker")); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// Outcome is what a run of the program left.
type Outcome struct {
	t        *testing.T
	program  string
	args     []string
	code     int
	Out, Err string
}

// NewOutcome is for a run that a test made itself.
func NewOutcome(t *testing.T, p *cli.Program, args []string, code int, out, err string) Outcome {
	return Outcome{t, p.Name, args, code, out, err}
}

// Run runs a program for a minute at most, over a data folder of its
// own unless args name one.
func Run(t *testing.T, p *cli.Program, stdin string, args ...string) Outcome {
	t.Helper()
	return RunFor(t, p, time.Minute, stdin, args...)
}

// RunFor is Run with another time limit.
func RunFor(t *testing.T, p *cli.Program, limit time.Duration, stdin string, args ...string) Outcome {
	t.Helper()
	if !slices.Contains(args, "--data") {
		args = append(args, "--data", filepath.Join(t.TempDir(), "data"))
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var out, errs Buffer
	code := p.Run(ctx, func() {}, args, cli.Stdio{In: strings.NewReader(stdin), Out: &out, Err: &errs})
	return Outcome{t, p.Name, args, code, out.String(), errs.String()}
}

// Exits checks the exit code, and that errors are one line of plain words.
func (o Outcome) Exits(code int) Outcome {
	o.t.Helper()
	if o.code != code {
		o.t.Fatalf("%q exits %d, want %d\n%s%s", o.args, o.code, code, o.Out, o.Err)
	}
	if strings.ContainsAny(o.Err, "\x1b\r") {
		o.t.Errorf("%q draws on a stream that is no terminal: %q", o.args, o.Err)
	}
	return o
}

// Says checks that every one of words is in the error output.
func (o Outcome) Says(words ...string) Outcome {
	o.t.Helper()
	for _, w := range words {
		if !strings.Contains(o.Err, w) {
			o.t.Errorf("%q does not say %q:\n%s", o.args, w, o.Err)
		}
	}
	return o
}

// Prints checks that every one of words is in the results.
func (o Outcome) Prints(words ...string) Outcome {
	o.t.Helper()
	for _, w := range words {
		if !strings.Contains(o.Out, w) {
			o.t.Errorf("%q does not print %q:\n%s%s", o.args, w, o.Out, o.Err)
		}
	}
	return o
}

// Complains checks that there are no results and one line of error.
func (o Outcome) Complains(code int, words ...string) {
	o.t.Helper()
	o.Exits(code).Says(words...)
	if o.Out != "" {
		o.t.Errorf("%q fails and prints %q", o.args, o.Out)
	}
	if lines := strings.Count(o.Err, "\n"); lines != 1 || !strings.HasPrefix(o.Err, o.program+": ") {
		o.t.Errorf("%q does not say in one line what is wrong:\n%s", o.args, o.Err)
	}
}

// Answers reads the results as answer lines, by ID.
func (o Outcome) Answers() map[string]render.Line {
	o.t.Helper()
	return ReadAnswerLines(o.t, o.Out)
}

// ReadAnswerLines reads text as answer lines, by ID.
func ReadAnswerLines(t *testing.T, text string) map[string]render.Line {
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
