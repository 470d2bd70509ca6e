package main

import (
	"testing"
)

// TestUserOverPreset holds who wins, and that contradictions are told.
func TestUserOverPreset(t *testing.T) {
	t.Parallel()
	hopstream(t, "", "config", "--preset", "hanrag").exits(0).prints("preset: hanrag", "complex: refine", "- bm25")
	file := tempFile(t, "c.yaml", "strategy: {preset: levelrag, complex: plan}\nretriever: {top_k: 7}\n")
	hopstream(t, "", "config", "--config", file).exits(0).prints("preset: levelrag", "complex: plan", "top_k: 7", "- sparse")
	hopstream(t, "", "config", "--config", file, "--preset", "muisqa").exits(0).prints("preset: muisqa", "complex: plan", "- intents")
	short := tempFile(t, "c.yaml", "strategy: {retrieval: hybrid, align: one}\n")
	hopstream(t, "", "config", "--config", short).exits(0).prints("- bm25", "- dense", "- 350", "\"off\": false")
	scales := tempFile(t, "c.yaml", "aligner: {scales: [300]}\n")
	hopstream(t, "", "config", "--config", scales, "--preset", "hanrag").exits(0).prints("- 300", "\"off\": false")
	for text, says := range map[string]string{
		"strategy: {preset: best}":                                             "choose from [hanrag",
		"strategy: {complex: guess}":                                           "strategy.complex",
		"strategy: {retrieval: wide}":                                          "choose from [hybrid",
		"strategy: {align: some}":                                              "choose from [none",
		"generator: {escalate: always}":                                        "choose never",
		"strategy: {retrieval: plain}\nretriever: {searchers: [links]}":        "remove one of them",
		"strategy: {align: one}\naligner: {scales: [150, 250]}":                "remove one of them",
		"strategy: {align: none}\naligner: {\"off\": false}":                   "remove one of them",
		"strategy: {align: several}\naligner: {scales: [150], \"off\": false}": "remove one of them",
	} {
		hopstream(t, "", "config", "--config", tempFile(t, "c.yaml", text)).complains(2, says)
	}
	// What config prints is a configuration.
	printed := hopstream(t, "", "config", "--data", "d", "--preset", "mga-rag").exits(0).out
	again := hopstream(t, "", "config", "--data", "d", "--config", tempFile(t, "c.yaml", printed)).exits(0).out
	if printed != again {
		t.Errorf("%s\nbecomes\n%s", printed, again)
	}
}
