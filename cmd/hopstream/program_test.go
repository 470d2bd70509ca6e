package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"hopstream/cmd/internal/cmdtest"
)

// The tests run the whole program in this process: its arguments and standard
// input go in, its output and exit code come out.
func TestMain(m *testing.M) {
	if args, ok := os.LookupEnv(programArgs); ok { // the process of a test
		os.Unsetenv(programArgs)
		os.Args = append([]string{"hopstream"}, strings.Split(args, "|")...)
		main()
	}
	cmdtest.Main(m)
}

// programArgs has this test program be the program, with these arguments.
const programArgs = "HOPSTREAM_TEST_ARGS"

// upProcess runs workers as a process of their own and returns when they take
// questions. What they log can be read while they run; they end with the test.
func upProcess(t *testing.T, args ...string) (*exec.Cmd, *cmdtest.Buffer) {
	t.Helper()
	cmd, errs := exec.Command(os.Args[0]), new(cmdtest.Buffer)
	cmd.Env = append(os.Environ(), programArgs+"="+strings.Join(append([]string{"up"}, args...), "|"))
	cmd.Stderr = errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	cmdtest.Eventually(t, "the process to be up", func() bool { return cmdtest.SaidUp.MatchString(errs.String()) })
	return cmd, errs
}

// hopstream runs the program over a data folder of its own, unless args name
// one.
func hopstream(t *testing.T, stdin string, args ...string) cmdtest.Outcome {
	t.Helper()
	return cmdtest.Run(t, &program, stdin, args...)
}

// up starts workers, with an embedded server on free ports unless args say
// otherwise, and returns when they take questions.
func up(t *testing.T, data string, args ...string) *cmdtest.Worker {
	t.Helper()
	return cmdtest.Up(t, &program, data, args...)
}

// indexSomething stores a document, without which no question is asked; args
// say where.
func indexSomething(t *testing.T, args ...string) {
	t.Helper()
	doc := cmdtest.TempFile(t, "arlen.txt", "Arlen is a small town in Norway.")
	hopstream(t, "", append([]string{"index", doc}, args...)...).Exits(0)
}
