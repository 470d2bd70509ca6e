//go:build real

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hopstream/index/sample"
	"hopstream/messages"
	"hopstream/stages/engine/ollama/ollamatest"
)

// A real Ollama server with a tiny model of random weights: the protocol is
// real, the replies are noise. Whatever the model says, every question ends
// exactly once.
//
//	go test -tags real -run Real -v ./cmd/hopstream
const noiseQuestions = 24

// modelConfigOf is a configuration file for the tiny model.
func modelConfigOf(t *testing.T, url, more string) string {
	return tempFile(t, "hopstream.yaml", fmt.Sprintf(`engine: ollama
models:
  default: {name: tiny, url: %q, num_ctx: 8192, max_tokens: 40, concurrency: 4, timeout: 60s, options: {temperature: 1, seed: 7}}
%s`, url, more))
}

func TestRealNoise(t *testing.T) {
	server := ollamatest.Start(t)
	ollamatest.CreateTiny(t, server, "tiny")
	questions, err := sample.Questions()
	if err != nil {
		t.Fatal(err)
	}
	var in strings.Builder
	for i := range noiseQuestions {
		fmt.Fprintf(&in, "{\"id\":\"n%d\",\"question\":%q,\"deadline\":\"10m\",\"budget\":{\"rounds\":2}}\n", i, questions[i%len(questions)].Question)
	}
	config := modelConfigOf(t, server, "  embedder: {max_tokens: 16}\naligner: {scales: [350]}\npipeline: {deadline: 10m}\n")
	start := time.Now()
	o := hopstreamFor(t, 10*time.Minute, in.String(), "stream", "--config", config, "--docs", corpus(t))
	answers := o.exits(0).answers()
	statuses, classes, calls, tokens := map[messages.Status]int{}, map[messages.Class]int{}, 0, 0
	embedded := 0
	for i := range noiseQuestions {
		a, ok := answers[fmt.Sprintf("n%d", i)]
		if !ok {
			t.Errorf("question n%d has no answer", i)
			continue
		}
		statuses[a.Status]++
		classes[a.Class]++
		calls += a.Usage.ModelCalls
		tokens += a.Usage.PromptTokens + a.Usage.CompletionTokens
		for _, r := range a.Usage.Roles {
			if r.Role == "embedder" {
				embedded += r.Calls
			}
		}
		if a.Status != messages.Answered && a.Error == "" {
			t.Errorf("n%d ends as %s and does not say why", i, a.Status)
		}
		if strings.Contains(a.Error, "panic") {
			t.Errorf("n%d: %s", i, a.Error)
		}
	}
	t.Logf("%d questions in %v: %v, %v, %d model calls, %d embedding requests, %d tokens", len(answers), time.Since(start).Round(time.Second), statuses, classes, calls, embedded, tokens)
	if len(answers) != noiseQuestions || calls < noiseQuestions || embedded == 0 {
		t.Errorf("%d answers, %d calls, %d embedding requests", len(answers), calls, embedded)
	}
}

func TestRealCommands(t *testing.T) {
	server := ollamatest.Start(t)
	ollamatest.CreateTiny(t, server, "tiny")
	config := modelConfigOf(t, server, "")
	hopstreamFor(t, 5*time.Minute, "", "demo", "--config", config).exits(0).prints("the models are tiny at "+server, "model calls")
	hopstream(t, "", "config", "--check", "--config", config).exits(0).prints("router", "tiny", "ready")
	hopstream(t, "", "config", "--check", "--engine", "ollama", "--ollama-url", server, "--model", "absent").exits(1).says("ollama pull absent")
	hopstream(t, "", "ask", "--engine", "ollama", "--ollama-url", server, "--model", "absent", "--docs", corpus(t), "Who?").complains(1, "ollama pull absent")
}
