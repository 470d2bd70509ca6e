package main

import (
	"bufio"
	"strings"
	"testing"
	"time"

	"hopstream/cmd/hoplab/sim"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
)

// TestAskShowsTheTextOnATerminal asks on a terminal, where the text stands below
// the hops until the answer is there, and on a pipe, where nothing of it does.
func TestAskShowsTheTextOnATerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	_, url := simulate(t, sim.Options{Latency: sim.Latency{Mean: time.Millisecond, PerToken: 30 * time.Millisecond}})
	args := []string{"ask", "--docs", cmdtest.Corpus(t), "--engine", "ollama", "--ollama-url", url, "Where was Marie Curie born and when did she die?"}
	outer, inner := terminal(t)
	shown := make(chan string, 1)
	go func() {
		var all strings.Builder
		for r := bufio.NewReader(outer); ; {
			b, err := r.ReadByte()
			if err != nil || b == 0 {
				shown <- all.String()
				return
			}
			all.WriteByte(b)
		}
	}()
	var out cmdtest.Buffer
	if code := program.Run(t.Context(), func() {}, args, cli.Stdio{In: inner, Out: &out, Err: inner}); code != 0 {
		t.Fatalf("exits %d: %s", code, out.String())
	}
	if _, err := inner.Write([]byte{0}); err != nil {
		t.Fatal(err)
	}
	text := <-shown
	answer, _, _ := strings.Cut(out.String(), "\n")
	before, drawn, ok := strings.Cut(text, "\x1b[2m"+answer[:1])
	if !ok || !strings.Contains(before, "1.1 ask") || !strings.Contains(drawn, "\x1b[J") || strings.Count(text, "\x1b[2m") < 3 {
		t.Errorf("answers %q, and shows %q", answer, text)
	}
	if o := hopstream(t, "", args...).Exits(0); strings.Contains(o.Err, "\x1b") || !strings.Contains(o.Out, answer) {
		t.Errorf("on a pipe: %q", o.Err)
	}
}
