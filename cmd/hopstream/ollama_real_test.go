//go:build real

package main

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/render"
	"hopstream/index/sample"
	"hopstream/messages"
	"hopstream/stages/engine/model/ollama/ollamatest"
)

// A real Ollama server with a tiny model of random weights: the protocol is
// real, the replies are noise. Whatever the model says, every question ends
// exactly once.
//
//	go test -tags real -run Real -v ./cmd/hopstream -args -noise 500
var noiseQuestions = flag.Int("noise", 200, "questions that a model of random weights is asked about")

// modelConfigOf is a configuration file for the tiny model.
func modelConfigOf(t *testing.T, url, more string) string {
	return cmdtest.TempFile(t, "hopstream.yaml", fmt.Sprintf(`engine: ollama
models:
  default: {name: tiny, url: %q, num_ctx: 8192, max_tokens: 32, concurrency: 4, timeout: 60s, options: {temperature: 1, seed: 7}}
%s`, url, more))
}

func TestRealNoise(t *testing.T) {
	server := ollamatest.Start(t)
	ollamatest.CreateTiny(t, server, "tiny")
	second := ollamatest.Start(t) // a server each for two halves of the roles
	ollamatest.CreateTiny(t, second, "tiny")
	questions, err := sample.Questions()
	if err != nil {
		t.Fatal(err)
	}
	docs := cmdtest.Corpus(t)
	classes := map[messages.Class]int{}
	for _, part := range []struct {
		router    string // noise prefers some classes
		strategy  messages.Strategy
		questions int
		asked     []string
	}{
		{"ollama", messages.Refine, *noiseQuestions / 2, []string{"router"}},
		{"builtin", messages.Planned, *noiseQuestions / 4, []string{"planner", "reviser"}},
		{"builtin", messages.Supplement, *noiseQuestions / 4, []string{"supplementer", "summariser"}},
	} {
		var in strings.Builder
		for i := range part.questions {
			// No two alike: those would share their calls.
			fmt.Fprintf(&in, "{\"id\":\"n%d\",\"question\":%q,\"budget\":{\"rounds\":2,\"branches\":3}}\n", i, fmt.Sprintf("%s (%d)", questions[i%len(questions)].Question, i))
		}
		config := modelConfigOf(t, server, fmt.Sprintf(`  embedder: {url: %[1]q}
  router: {url: %[1]q}
  relevance: {url: %[1]q}
engines: {router: %[2]s}
strategy: {complex: %[3]s}
aligner: {windows: true, scales: [150], top_k: 1}
retriever: {top_k: 3}
pipeline: {deadline: 10m}
`, second, part.router, part.strategy))
		start := time.Now()
		answers := cmdtest.RunFor(t, &program, 10*time.Minute, in.String(), "stream", "--config", config, "--docs", docs).Exits(0).Answers()
		checkNoise(t, answers, part.questions, classes, append(part.asked, "embedder", "relevance"))
		t.Logf("router %s, %s: %d questions in %v", part.router, part.strategy, len(answers), time.Since(start).Round(time.Second))
	}
	for _, c := range messages.Classes() {
		if classes[c] == 0 {
			t.Errorf("no question of class %s", c)
		}
	}
}

// checkNoise checks that every question has an answer that says how it ended.
func checkNoise(t *testing.T, answers map[string]render.Line, n int, classes map[messages.Class]int, asked []string) {
	t.Helper()
	statuses, calls := map[messages.Status]int{}, map[string]int{}
	for i := range n {
		a, ok := answers[fmt.Sprintf("n%d", i)]
		if !ok {
			t.Errorf("question n%d has no answer", i)
			continue
		}
		statuses[a.Status]++
		classes[a.Class]++
		for _, r := range a.Usage.Roles {
			calls[r.Role] += r.Calls
		}
		if a.Status != messages.Answered && a.Error == "" || strings.Contains(a.Error, "panic") {
			t.Errorf("n%d ends as %s: %s", i, a.Status, a.Error)
		}
	}
	for _, role := range asked {
		if calls[role] == 0 {
			t.Errorf("%s was not asked", role)
		}
	}
	if len(answers) != n {
		t.Errorf("%d answers, calls %v", len(answers), calls)
	}
	t.Logf("%v, calls %v", statuses, calls)
}

func TestRealCommands(t *testing.T) {
	server := ollamatest.Start(t)
	ollamatest.CreateTiny(t, server, "tiny")
	config := modelConfigOf(t, server, "")
	cmdtest.RunFor(t, &program, 5*time.Minute, "", "demo", "--config", config).Exits(0).Prints("the models are tiny at "+server, "model calls")
	hopstream(t, "", "config", "--check", "--config", config).Exits(0).Prints("router", "tiny", "ready")
	hopstream(t, "", "config", "--check", "--engine", "ollama", "--ollama-url", server, "--model", "absent").Exits(1).Says("ollama pull absent")
	hopstream(t, "", "ask", "--engine", "ollama", "--ollama-url", server, "--model", "absent", "--docs", cmdtest.Corpus(t), "Who?").Complains(1, "ollama pull absent")
}
