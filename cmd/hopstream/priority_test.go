package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hopstream/cmd/hoplab/sim"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/messages"
)

// TestAskGoesBeforeABatch asks one question while a batch keeps a model with one
// slot busy: whoever asks does not wait for the batch.
func TestAskGoesBeforeABatch(t *testing.T) {
	t.Parallel()
	server, url := simulate(t, sim.Options{Parallel: 1, Latency: sim.Latency{Mean: 25 * time.Millisecond}})
	config := cmdtest.TempFile(t, "c.yaml", fmt.Sprintf("engine: ollama\nmodels: {default: {url: %q, concurrency: 1}}\n", url))
	w := up(t, t.TempDir(), "--config", config)
	hopstream(t, "", "index", "--nats", w.URL, cmdtest.Corpus(t)).Exits(0)
	var batch strings.Builder
	const n = 60
	for i := range n {
		fmt.Fprintf(&batch, "{\"id\":\"b%d\",\"question\":\"Where was Marie Curie born, number %d?\"}\n", i, i)
	}
	done := make(chan cmdtest.Outcome, 1)
	go func() { done <- hopstream(t, batch.String(), "stream", "--nats", w.URL, "--priority", "normal") }()
	cmdtest.Eventually(t, "the batch to keep the model busy", func() bool { return server.Stats().Prompts["router"] > 2 })
	before := server.Stats().Prompts["answerer"]
	for _, a := range hopstream(t, "", "ask", "--json", "--nats", w.URL, "Where was Albert Einstein born?").Exits(0).Answers() {
		if a.Status != messages.Answered || a.Usage.ModelCalls == 0 {
			t.Errorf("%+v", a)
		}
	}
	// Its own, and that of a question which was being answered at the time.
	if others := server.Stats().Prompts["answerer"] - before; others > n/6 {
		t.Errorf("%d questions of the batch were answered first", others)
	}
	(<-done).Exits(0)
}
