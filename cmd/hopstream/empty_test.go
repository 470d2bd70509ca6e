package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
)

// TestNothingIndexed holds that a question to no document says what to do, and
// that asking leaves no data folder behind.
func TestNothingIndexed(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	for _, args := range [][]string{{"ask", "Where is Arlen?"}, {"stream"}} {
		hopstream(t, `{"question":"Where is Arlen?"}`, append(args, "--data", data)...).
			Complains(1, "nothing is indexed", "hopstream index PATH", "--docs")
		if _, err := os.Stat(data); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s left a data folder behind (%v)", args[0], err)
		}
	}
	w := up(t, t.TempDir())
	hopstream(t, "", "ask", "--data", w.Data, "Where is Arlen?").Complains(1, "nothing is indexed", "hopstream index PATH")
	hopstream(t, "", "ask", "--nats", w.URL, "Where is Arlen?").Complains(1, "nothing is indexed", "hopstream index PATH")
	indexSomething(t, "--data", w.Data)
	hopstream(t, "", "ask", "--data", w.Data, "Where is Arlen?").Exits(0).Prints("Norway").Says("question ")
}

// TestInterruptedAskOfItsOwn interrupts the command whose process has the
// workers: while it reads documents, and over a store that stays.
func TestInterruptedAskOfItsOwn(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, where := range [][]string{{"--docs", cmdtest.Corpus(t)}, {"--data", filledData(t)}} {
		var errs cmdtest.Buffer
		code := program.Run(ctx, func() {}, append([]string{"ask", "Where?"}, where...), cli.Stdio{In: strings.NewReader(""), Out: &cmdtest.Buffer{}, Err: &errs})
		if code != 130 || errs.String() != "hopstream: interrupted: the question was not asked\n" {
			t.Errorf("%s: exits %d: %s", where[0], code, errs.String())
		}
	}
}

// filledData is a data folder with a document.
func filledData(t *testing.T) string {
	t.Helper()
	data := t.TempDir()
	indexSomething(t, "--data", data)
	return data
}
