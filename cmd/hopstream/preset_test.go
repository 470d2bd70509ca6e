package main

import (
	"strings"
	"testing"

	"hopstream/cmd/internal/cmdtest"
)

// TestUserOverPreset holds who wins, and that contradictions are told.
func TestUserOverPreset(t *testing.T) {
	t.Parallel()
	const hashed = "engines: {embedder: builtin}\n" // vectors are asked for
	hopstream(t, "", "config", "--preset", "hanrag").Exits(0).Prints("preset: hanrag", "complex: refine", "- bm25")
	file := cmdtest.TempFile(t, "c.yaml", "strategy: {preset: levelrag, complex: plan}\nretriever: {top_k: 7}\n"+hashed)
	hopstream(t, "", "config", "--config", file).Exits(0).Prints("preset: levelrag", "complex: plan", "top_k: 7", "- sparse")
	hopstream(t, "", "config", "--config", file, "--preset", "muisqa").Exits(0).Prints("preset: muisqa", "complex: plan", "- intents")
	short := cmdtest.TempFile(t, "c.yaml", "strategy: {retrieval: hybrid, align: one}\n"+hashed)
	hopstream(t, "", "config", "--config", short).Exits(0).Prints("- bm25", "- dense", "- 350", "windows: true")
	scales := cmdtest.TempFile(t, "c.yaml", "aligner: {scales: [300]}\n")
	hopstream(t, "", "config", "--config", scales, "--preset", "hanrag").Exits(0).Prints("- 300", "windows: false")
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
		"strategy: {align: quotes}\naligner: {windows: true}":                  "remove one of them",
	} {
		hopstream(t, "", "config", "--config", cmdtest.TempFile(t, "c.yaml", text)).Complains(2, says)
	}
	// What config prints is a configuration.
	printed := hopstream(t, "", "config", "--data", "d", "--preset", "mga-rag", "--config", cmdtest.TempFile(t, "c.yaml", hashed)).Exits(0).Out
	again := hopstream(t, "", "config", "--data", "d", "--config", cmdtest.TempFile(t, "c.yaml", printed)).Exits(0).Out
	if printed != again {
		t.Errorf("%s\nbecomes\n%s", printed, again)
	}
}

// TestPresetSaysWhatItLacks holds that a preset which searches by meaning does not
// begin without a model for it, and that one which would search the web says once
// that it does not.
func TestPresetSaysWhatItLacks(t *testing.T) {
	t.Parallel()
	for _, preset := range []string{"mga-rag", "levelrag", "muisqa"} {
		for _, args := range [][]string{{"up"}, {"ask", "--docs", cmdtest.Corpus(t), "Who?"}, {"config"}} {
			hopstream(t, "", append(args, "--data", t.TempDir(), "--preset", preset)...).Complains(2, "models.embedder.name", "engines.embedder to builtin")
		}
	}
	const web = "web.url names a SearXNG server"
	hashed := cmdtest.TempFile(t, "c.yaml", "engines: {embedder: builtin}\n")
	hopstream(t, "", "config", "--config", hashed, "--preset", "levelrag").Exits(0).Prints("# preset levelrag searches the web too where " + web)
	o := hopstream(t, "", "ask", "--config", hashed, "--preset", "levelrag", "--docs", cmdtest.Corpus(t), "Where was Marie Curie born?").Exits(0)
	if strings.Count(o.Err, web) != 1 {
		t.Errorf("says %q", o.Err)
	}
	if o := hopstream(t, "", "config", "--config", hashed, "--preset", "mga-rag").Exits(0); strings.Contains(o.Out, web) {
		t.Error("says it of another preset")
	}
}
