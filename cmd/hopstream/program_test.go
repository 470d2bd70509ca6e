package main

import (
	"testing"

	"hopstream/cmd/internal/cmdtest"
)

// The tests run the whole program in this process: its arguments and standard
// input go in, its output and exit code come out.
func TestMain(m *testing.M) { cmdtest.Main(m) }

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
