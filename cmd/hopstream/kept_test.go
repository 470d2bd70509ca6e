package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/inspect"
	"hopstream/messages"
)

// TestStatusShowsWhatIsKept holds that the status tells what is stored, its bounds
// and its price, beside a running service as well as without one.
func TestStatusShowsWhatIsKept(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	config := cmdtest.TempFile(t, "c.yaml", "storage: {trace_bytes: 4000000, answers: 48h, answers_messages: 10}\n")
	hopstream(t, "", "index", "--data", data, cmdtest.Corpus(t)).Exits(0)
	for _, id := range []string{"q1", "q2"} {
		hopstream(t, "", "ask", "--data", data, "--config", config, "--id", id, "Where was Marie Curie born?").Exits(0)
	}
	check := func(args ...string) {
		t.Helper()
		o := hopstream(t, "", append([]string{"status", "--json", "--over", "1ms"}, args...)...).Exits(0)
		var r inspect.Status
		if err := json.Unmarshal([]byte(o.Out), &r); err != nil {
			t.Fatal(err)
		}
		kept := map[string]inspect.Kept{}
		for _, k := range r.Kept {
			kept[k.Name] = k
		}
		trace, answers, docs := kept["trace"], kept["answers"], kept["documents"]
		if trace.LimitBytes != 4_000_000 || trace.LimitSeconds != 3600 || trace.Messages < 8 || trace.Oldest == nil || trace.Each != float64(trace.Bytes)/2 {
			t.Errorf("%+v", trace)
		}
		if answers.Messages != 2 || answers.LimitMessages != 10 || answers.LimitSeconds != 48*3600 || answers.Full != 0.2 || answers.Each != float64(answers.Bytes)/2 {
			t.Errorf("%+v", answers)
		}
		if docs.Messages != 64 || docs.LimitBytes != 0 || kept["dead"].LimitSeconds == 0 || kept["questions"].Messages != 0 || r.Store.Bytes < r.Bytes {
			t.Errorf("%+v", r)
		}
	}
	check("--data", data, "--config", config)
	hopstream(t, "", "status", "--data", data, "--config", config).Exits(0).Prints("for at most", "48h0m0s", "20.0 %", "JetStream stores")
	w := up(t, data, "--config", config)
	check("--nats", w.URL) // which is told the service's bounds
}

// TestArchive holds that answers are archived by command, and by a service, each once.
func TestArchive(t *testing.T) {
	t.Parallel()
	data, dir := t.TempDir(), t.TempDir()
	hopstream(t, "", "index", "--data", data, cmdtest.Corpus(t)).Exits(0)
	ask := func(id string) {
		t.Helper()
		hopstream(t, "", "ask", "--data", data, "--id", id, "Where was Marie Curie born?").Exits(0)
	}
	archived := func(dir, kind string) string {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(dir, kind+"-*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
		return all.String()
	}
	ask("q1")
	hopstream(t, "", "archive", "--data", data, "--out", dir, "--traces").Exits(0).Prints("1 answer in 1 file")
	ask("q2")
	hopstream(t, "", "archive", "--data", data, "--out", dir, "--since", "1h", "--json").Exits(0).Prints(`"answers":1,"files":1`)
	hopstream(t, "", "archive", "--data", data, "--out", dir).Exits(0).Prints("0 answers in 0 files")
	n := 0
	for line := range strings.Lines(archived(dir, "answers")) {
		n++
		m, err := messages.Decode(messages.KindAnswer, []byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if a := m.(*messages.Answer); a.ID != fmt.Sprintf("q%d", n) || a.Answer != "Warsaw" {
			t.Errorf("%+v", a)
		}
	}
	if n != 2 {
		t.Errorf("%d answers", n)
	}
	if trace := archived(dir, "traces"); strings.Count(trace, "\n") != 1 || !strings.Contains(trace, `"subject":"hop.v1.retrieve.q1.1.1"`) {
		t.Errorf("%s", trace)
	}
	hopstream(t, "", "archive", "--data", data).Complains(2, "archive wants --out DIR")
	hopstream(t, "", "archive", "--data", data, "--out", dir, "--since", "yesterday").Complains(2, "--since")

	other := t.TempDir()
	w := up(t, data, "--config", cmdtest.TempFile(t, "c.yaml", "archive: {dir: "+other+", every: 1s, gzip: false}\n"))
	hopstream(t, "", "ask", "--nats", w.URL, "--id", "q3", "Where was Marie Curie born?").Exits(0)
	cmdtest.Eventually(t, "three answers to be archived", func() bool { return strings.Count(archived(other, "answers"), "\n") == 3 })
}
