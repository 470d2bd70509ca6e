package main

import (
	"slices"
	"strings"
	"testing"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
)

// The tests run the whole program in this process: its arguments and standard
// input go in, its output and exit code come out.
func TestMain(m *testing.M) { cmdtest.Main(m) }

// hoplab runs the program over a data folder of its own, unless args name one.
func hoplab(t *testing.T, stdin string, args ...string) cmdtest.Outcome {
	t.Helper()
	return cmdtest.Run(t, &program, stdin, args...)
}

func TestWrongUse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args, says string
		code       int
	}{
		{"bogus", `unknown command "bogus" (see: hoplab --help)`, 2},
		{"ask|x?", `unknown command "ask"`, 2},
		{"--bogus", "unknown flag: --bogus", 2},
		{"--engine|magic|bench", `engine "magic"`, 2},
		{"--config|/nowhere|eval|.", "/nowhere: no such file", 2},
		{"eval", "wants one DIR", 2},
		{"eval|/nowhere", "must hold questions.jsonl, and corpus.jsonl", 1},
		{"rules|--limit|-1|.", "--limit -1: at least 0", 2},
		{"rules|--source|/nowhere|.", "the project's source is not there", 2},
		{"bench|--profile|x", "choose from single, compound, complex, mix, all", 2},
		{"bench|--questions|1", "at least 10", 2},
		{"bench|--engine-real|--docs|x", "--docs and --in go together", 2},
		{"bench|--speed", "add --engine ollama", 2},
		{"bench|--speed|--engine|ollama|--speed-presets|x", `no preset "x"`, 2},
		{"bench|--speed|--engine|ollama|--speed-calls|0s", "0s is no time", 2},
		{"bench|--speed|--engine|ollama|--speed-parallel|0", "at least 1", 2},
	} {
		hoplab(t, "", strings.Split(c.args, "|")...).Complains(c.code, c.says)
	}
}

func TestEveryCommandHelps(t *testing.T) {
	t.Parallel()
	root := program.Root(cli.Stdio{In: strings.NewReader(""), Out: &cmdtest.Buffer{}, Err: &cmdtest.Buffer{}}, nil)
	commands := root.Commands()
	for _, c := range root.Commands() {
		commands = append(commands, c.Commands()...)
	}
	for _, c := range commands {
		name := strings.TrimPrefix(c.CommandPath(), "hoplab ")
		o := hoplab(t, "", append(strings.Fields(name), "--help")...).Exits(0)
		o.Prints("Usage:\n  hoplab "+name, "--nats string")
		if c.Short == "" || strings.Contains(o.Out, "Example") == slices.Contains([]string{"completion"}, name) {
			t.Errorf("%s has no example:\n%s", name, o.Out)
		}
	}
	hoplab(t, "").Exits(0).Prints("Start with:  hoplab bench", "--data string")
}
