package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/revelator"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/config"
)

// author serves Ollama's protocol with a model that writes questions by rule, and
// finds passages relevant that end a sentence with an even year.
type author struct {
	calls, refuseFrom atomic.Int64 // requests for a reply; from that number on they are refused
}

var (
	factIn   = regexp.MustCompile(`The (\w+) of Lumen Bridge is (\w+)\.`)
	evenYear = regexp.MustCompile(`in 18\d[02468]\.`)
	askedFor = regexp.MustCompile(`What is the (\w+) of Lumen Bridge\?</question>`)
)

// ServeHTTP answers questions after the model, and requests for a reply.
func (s *author) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/api/chat" {
		fmt.Fprint(w, `{}`)
		return
	}
	if n, from := s.calls.Add(1), s.refuseFrom.Load(); from > 0 && n >= from {
		http.Error(w, `{"error":"the model does not like this"}`, http.StatusBadRequest)
		return
	}
	var in struct{ Messages []struct{ Content string } }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Messages) < 2 {
		http.Error(w, "?", http.StatusBadRequest)
		return
	}
	system, user := in.Messages[0].Content, in.Messages[1].Content
	reply := map[string]any{"question": "", "answer": ""}
	fact := factIn.FindStringSubmatch(user)
	switch {
	case strings.Contains(system, `"relevant"`):
		reply = map[string]any{"relevant": evenYear.MatchString(user)}
	case strings.Contains(system, "one simple question") && fact != nil && strings.Contains(user, "<entity>\nLumen Bridge\n"):
		reply = map[string]any{"question": "What is the " + fact[1] + " of Lumen Bridge?", "answer": fact[2]}
	case strings.Contains(system, "You combine"):
		var parts []string
		for _, m := range askedFor.FindAllStringSubmatch(user, -1) {
			parts = append(parts, "the "+m[1])
		}
		reply = map[string]any{"question": "What are " + strings.Join(parts, " and ") + " of Lumen Bridge?"}
	}
	content, _ := json.Marshal(reply)
	line, _ := json.Marshal(map[string]any{"message": map[string]string{"role": "assistant", "content": string(content)}, "done": true, "done_reason": "stop"})
	fmt.Fprintf(w, "%s\n", line)
}

// handbook writes own documents with six facts about a bridge.
func handbook(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "handbook")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, fact := range []string{"height", "length", "weight", "colour", "age", "price"} {
		cmdtest.WriteFile(t, filepath.Join(dir, fact+".md"), fmt.Sprintf("# On %s\n\nThe %s of Lumen Bridge is v%d.\n", fact, fact, i))
	}
	return dir
}

// A model writes compound questions about own documents, which eval reads; a run
// that ended early goes on where it was.
func TestCompoundsAboutOwnDocuments(t *testing.T) {
	t.Parallel()
	s := &author{}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	docs, out := handbook(t), filepath.Join(t.TempDir(), "sub", "mine")
	args := []string{"revelator-data", "compound", "--out", out, "--docs", docs, "--engine", "ollama", "--ollama-url", server.URL, "--model", "author"}

	s.refuseFrom.Store(4)
	hoplab(t, "", args...).Complains(1, "does not like this", "the replies so far are in "+out+".replies.jsonl")
	s.refuseFrom.Store(0)
	if _, err := os.Stat(out); err == nil {
		t.Error("a run that failed left its folder")
	}
	before := s.calls.Load()
	o := hoplab(t, "", append(args, "--json")...).Exits(0)
	var made revelator.CompoundManifest
	if err := json.Unmarshal([]byte(o.Out), &made); err != nil {
		t.Fatal(err)
	}
	if made.Model != "author" || made.Written == nil || made.Written.Simple != 6 || made.Questions < 2 || made.Entities != 1 || len(made.Inputs) != 1 {
		t.Errorf("%s", o.Out)
	}
	if calls := s.calls.Load() - before; calls > int64(made.Written.Passages+made.Questions+made.Written.Refused-3) {
		t.Errorf("%d calls after three of the run before, %+v", calls, made.Written)
	}
	if _, err := os.Stat(out + ".replies.jsonl"); err == nil {
		t.Error("the replies are left behind")
	}
	set, err := dataset.Open(out, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range set.Questions {
		if len(q.Entities) < 2 || len(q.Supporting) != len(q.Entities) || !strings.HasSuffix(q.Supporting[0], ".md") {
			t.Errorf("%+v", q)
		}
	}
	eval := []string{"eval", out, "--totals", "--json", "-", "--config", cmdtest.TempFile(t, "c.yaml", "engines: {embedder: builtin}\n")}
	for _, preset := range config.Presets() {
		eval = append(eval, "--preset", preset)
	}
	o = hoplab(t, "", eval...).Exits(0)
	var measured struct {
		Runs []struct {
			Preset string
			Total  struct {
				Acc, Steps float64
				Counts     map[string]int
			}
		}
	}
	if err := json.Unmarshal([]byte(o.Out), &measured); err != nil || len(measured.Runs) != len(config.Presets()) {
		t.Fatalf("%v: %s", err, o.Out)
	}
	for _, r := range measured.Runs {
		if r.Total.Counts["acc"] != made.Questions || r.Total.Counts["ac"] != made.Questions || r.Total.Steps < 1 || r.Total.Acc <= 0 {
			t.Errorf("%s: %+v", r.Preset, r.Total)
		}
	}
}

func TestCompoundsWantAModel(t *testing.T) {
	t.Parallel()
	docs, out := handbook(t), filepath.Join(t.TempDir(), "mine")
	compound := func(args ...string) cmdtest.Outcome {
		return hoplab(t, "", append([]string{"revelator-data", "compound", "--out", out}, args...)...)
	}
	compound("--docs", docs).Complains(2, "a model writes the questions", "--engine ollama")
	compound("--docs", docs, "--engine", "ollama", "--ollama-url", "http://127.0.0.1:1").Complains(1, "127.0.0.1:1")
	compound("--docs", docs, "--per-entity", "1").Complains(2, "--per-entity 1")
	compound("--docs", filepath.Join(docs, "..", "none"), "--engine", "ollama").Complains(1, "no such file")
	compound("--engine", "ollama").Complains(2, "wants data sets")
}

// A model labels which passages are relevant, for a bounded number of questions.
func TestTrainingLabelsByAModel(t *testing.T) {
	t.Parallel()
	s := &author{}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	dir := classSets(t)
	out := filepath.Join(dir, "training")
	args := []string{"revelator-data", "--out", out, "--roles", "relevance", "--labelled", "12", "single=" + filepath.Join(dir, "single"),
		"--engine", "ollama", "--ollama-url", server.URL, "--model", "author", "--json"}
	s.refuseFrom.Store(20)
	hoplab(t, "", args...).Complains(1, "does not like this", out+".replies.jsonl")
	s.refuseFrom.Store(0)
	before := s.calls.Load()
	o := hoplab(t, "", args...).Exits(0)
	var made revelator.Manifest
	if err := json.Unmarshal([]byte(o.Out), &made); err != nil {
		t.Fatal(err)
	}
	labels := made.Roles[revelator.Relevance][revelator.Train].Labels
	if made.Labels != "author" || labels["true"] == 0 || labels["false"] == 0 {
		t.Errorf("%s", o.Out)
	}
	if calls := s.calls.Load() - before; calls == 0 || calls > 14*12-15 {
		t.Errorf("%d calls for 12 questions, after some of the run before", calls)
	}
	hoplab(t, "", append(args, "--force", "--labelled", "-1")...).Complains(2, "--labelled -1")
}
