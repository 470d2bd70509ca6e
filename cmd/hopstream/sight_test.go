package main

import (
	"path/filepath"
	"strings"
	"testing"

	"hopstream/cmd/internal/cmdtest"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/natstest"
)

// TestServerLosesSight has the embedded server of a data folder lose sight of
// what it holds, once. Every run of the program is a restart of the server.
func TestServerLosesSight(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	run := func(args ...string) cmdtest.Outcome {
		t.Helper()
		return hopstream(t, "", append(args, "--data", data)...).Exits(0)
	}
	run("index", cmdtest.TempFile(t, "arlen.txt", "Arlen is a small town in Norway."))
	run("ask", "--id", "first", "Where is Arlen?").Prints("Norway")
	names, dir := messages.DefaultNames(), filepath.Join(data, "nats")
	for _, s := range stages.Pipeline() {
		natstest.LoseSum(t, dir, names.Stream(s.Input), s.Name)
	}
	for _, k := range messages.Kinds() {
		natstest.LoseSum(t, dir, names.Stream(k))
	}
	// What only looks brings back the streams that it looks at, what works all.
	lost := "lost sight of a stream; it is back with what it held\" stream="
	run("trace", "first").Prints("Norway").Says(lost + names.Stream(messages.KindAnswer))
	run("ask", "--id", "second", "Where is Arlen?").Prints("Norway").
		Says(lost+names.Stream(messages.KindDocument), "lost sight of a consumer; it is back where it was")
	for _, args := range [][]string{{"trace", "first"}, {"trace", "second"}, {"ask", "--id", "third", "Where is Arlen?"}} {
		if o := run(args...).Prints("Norway"); strings.Contains(o.Err, "lost sight") {
			t.Errorf("%q still says %q", args, o.Err)
		}
	}
}
