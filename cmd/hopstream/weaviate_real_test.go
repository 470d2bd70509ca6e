//go:build real

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/cmd/internal/cmdtest"
	"hopstream/index/weaviate/weaviatetest"
)

// classes returns the names of a server's classes.
func classes(t *testing.T, server string) []string {
	t.Helper()
	client := &http.Client{Timeout: 5 * time.Second}
	defer client.CloseIdleConnections()
	resp, err := client.Get(server + "/v1/schema")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Classes []struct {
			Class string `json:"class"`
		} `json:"classes"`
	}
	if err := json.Unmarshal(b, &schema); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range schema.Classes {
		names = append(names, c.Class)
	}
	return names
}

func weaviateConfig(t *testing.T, server, searchers, more string) string {
	t.Helper()
	return cmdtest.TempFile(t, "c.yaml", fmt.Sprintf("engines: {embedder: builtin}\nindex: {store: weaviate}\nweaviate: {url: %q}\nretriever: {searchers: [%s]}\n%s", server, searchers, more))
}

// TestRealWeaviate answers the shipped questions with every searcher over a
// shared index, and has it filled by one process at a time.
func TestRealWeaviate(t *testing.T) {
	server := weaviatetest.Start(t)
	t.Run("demo", func(t *testing.T) {
		config := weaviateConfig(t, server, "weaviate", "")
		hopstream(t, "", "demo", "--config", config).Exits(0).Prints("391", "Warsaw; 4 July 1934", "Berlin")
		for _, searchers := range []string{"bm25", "bm25, dense", "bm25, dense, weaviate", "sparse, dense"} {
			config := weaviateConfig(t, server, searchers, "")
			hopstream(t, "", "ask", "--config", config, "--docs", cmdtest.Corpus(t), "Where was Marie Curie born and when did she die?").Exits(0).Prints("Warsaw; 4 July 1934")
		}
		// The demo leaves nothing behind, and never touched what others keep.
		if left := classes(t, server); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	t.Run("links", func(t *testing.T) { realWeaviateLinks(t, server) })
	t.Run("own", func(t *testing.T) { realWeaviateOwn(t, server) })
	t.Run("shared", func(t *testing.T) { realWeaviateShared(t, server) })
}

// realWeaviateLinks: the searcher links asks the shared index alone. The
// answer's passage shares no word with the question.
func realWeaviateLinks(t *testing.T, server string) {
	docs := cmdtest.TempFile(t, "two.jsonl", `{"id":"film","title":"Silver Harbour (film)","text":"Silver Harbour is a drama directed by Orla Venn."}
{"id":"orla","title":"Orla Venn","text":"Orla Venn grew up near Tarsk."}
`)
	for searchers, linked := range map[string]bool{"bm25": false, "links": true} {
		config := weaviateConfig(t, server, searchers, "nats: {prefix: l"+searchers+"}\n")
		data := t.TempDir()
		hopstream(t, "", "index", "--config", config, "--data", data, docs).Exits(0)
		in := `{"id":"q","question":"Who made the drama Silver Harbour?"}` + "\n"
		hopstream(t, in, "stream", "--config", config, "--data", data).Exits(0)
		o := hopstream(t, "", "trace", "--config", config, "--data", data, "--json", "q").Exits(0)
		if o.Prints("directed by Orla Venn"); strings.Contains(o.Out, "grew up near Tarsk") != linked {
			t.Errorf("%s finds:\n%s", searchers, o.Out)
		}
	}
}

// realWeaviateOwn: commands with a data folder of their own find what an
// earlier one had indexed, also while the lease is a dead process's.
func realWeaviateOwn(t *testing.T, server string) {
	config, data := weaviateConfig(t, server, "weaviate", "nats: {prefix: own}\n"), t.TempDir()
	hopstream(t, "", "index", "--config", config, "--data", data, cmdtest.Corpus(t)).Exits(0)
	for range 2 {
		hopstream(t, "", "ask", "--config", config, "--data", data, "Where was Marie Curie born?").Exits(0).Prints("Warsaw")
	}
	for _, searchers := range []string{"weaviate", "bm25", "links"} { // one that is configured, and two that are not
		args := []string{"--config", config, "--data", data, "--searcher", searchers, "where Marie Curie was born"}
		if f := found(t, args...); len(f.Passages) == 0 || f.Passages[0].ID != "marie-curie" || f.Passages[0].Lines[0] != 1 {
			t.Errorf("%s finds %+v", searchers, f.Passages)
		}
	}
	w := up(t, data, "--config", config, "--stages", "router")
	nc, err := nats.Connect(w.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	kv, err := js.KeyValue(t.Context(), "own-v1-leases")
	if err != nil {
		t.Fatal(err)
	}
	died := time.Now()
	if _, err := kv.PutString(t.Context(), "weaviate.HopstreamPassage_own", "a dead one"); err != nil {
		t.Fatal(err)
	}
	nc.Close()
	w.End()
	o := hopstream(t, "", "ask", "--config", config, "--data", data, "--log-level", "info", "Where was Marie Curie born?").Exits(0)
	if o.Prints("Warsaw"); strings.Contains(o.Err, "this process fills") || time.Since(died) > 12*time.Second {
		t.Errorf("after %v:\n%s", time.Since(died), o.Err)
	}
}

// realWeaviateShared: two processes, one server, one index. Whoever of them
// fills it, both find all; when that one ends, the other one fills it.
func realWeaviateShared(t *testing.T, server string) {
	config := weaviateConfig(t, server, "bm25, weaviate", "nats: {prefix: shared}\n")
	main := up(t, t.TempDir(), "--config", config, "--stages", "router,decomposer,filter,aligner,generator,judge")
	var workers []*cmdtest.Worker
	for range 2 {
		workers = append(workers, up(t, t.TempDir(), "--config", config, "--nats", main.URL))
	}
	fills := func() (who []int) {
		for i, w := range workers {
			if n := strings.Count(w.Err.String(), "this process fills the index"); n > 0 {
				who = append(who, i)
			}
		}
		return who
	}
	cmdtest.Eventually(t, "one to fill the index", func() bool { return len(fills()) > 0 })
	hopstream(t, "", "index", "--config", config, "--nats", main.URL, cmdtest.Corpus(t)).Exits(0)
	in, all := cmdtest.SampleLines(t)
	check := func() {
		t.Helper()
		answers := hopstream(t, in, "stream", "--config", config, "--nats", main.URL).Exits(0).Answers()
		for _, q := range all {
			if a := answers[q.ID]; q.Unanswerable() != (a.Status == "unanswered") || (a.Answer == "") != q.Unanswerable() {
				t.Errorf("%q: %+v", q.Question, a)
			}
		}
	}
	check()
	for _, searchers := range []string{"", "links"} {
		if f := found(t, "--config", config, "--nats", main.URL, "--searcher", searchers, "where Marie Curie was born"); len(f.Passages) == 0 || f.Passages[0].ID != "marie-curie" {
			t.Errorf("the workers' %q finds %+v", searchers, f.Passages)
		}
	}
	if who := fills(); len(who) != 1 {
		t.Fatalf("%v fill the index", who)
	}
	for _, w := range workers {
		text := cmdtest.Metrics(t, w.HTTP)
		for _, want := range []string{fmt.Sprintf("hopstream_index_documents %d\n", strings.Count(cmdtest.Read(t, cmdtest.Corpus(t)), "\n")), "hopstream_index_lag 0\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("metrics lack %s", want)
			}
		}
	}
	first := fills()[0]
	if code := workers[first].End(); code != 0 {
		t.Errorf("the filling process exits %d:\n%s", code, workers[first].Err.String())
	}
	doc := cmdtest.TempFile(t, "new.jsonl", `{"id":"quorl","title":"Quorl Vantree","text":"Quorl Vantree was born in Zemmbry on 3 May 1911."}`+"\n")
	hopstream(t, "", "ask", "--config", config, "--nats", main.URL, "--docs", doc, "Where was Quorl Vantree born?").Exits(0).Prints("Zemmbry")
	if who := fills(); len(who) != 2 {
		t.Errorf("nobody takes over: %v", who)
	}
	if text := workers[1-first].Err.String(); strings.Contains(text, "level=WARN") || strings.Contains(text, "level=ERROR") {
		t.Errorf("the one that takes over complains:\n%s", text)
	}
}
