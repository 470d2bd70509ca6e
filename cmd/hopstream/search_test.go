package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"hopstream/cmd/hoplab/sim"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/messages"
)

// TestSearchersSideBySide answers the shipped questions through every searcher
// that needs no server, alone and together.
func TestSearchersSideBySide(t *testing.T) {
	t.Parallel()
	in, all := cmdtest.SampleLines(t)
	for _, list := range []string{"links", "sparse", "dense", "intents", "bm25,links,sparse,dense,intents"} {
		t.Run(list, func(t *testing.T) {
			t.Parallel()
			config := cmdtest.TempFile(t, "c.yaml", "engines: {embedder: builtin}\nretriever: {searchers: ["+list+"]}\n")
			answers := hopstream(t, in, "stream", "--config", config, "--docs", cmdtest.Corpus(t)).Exits(0).Answers()
			right := 0
			for _, q := range all {
				a := answers[q.ID]
				for _, want := range q.Answers {
					if strings.Contains(a.Answer, want) {
						right++
						break
					}
				}
				if strings.Contains(list, ",") && a.Class == messages.Single && a.Status == messages.Answered &&
					(len(a.Hops[0].Found) == 0 || len(a.Hops[0].Found[0].By) == 0) {
					t.Errorf("%s does not tell who found its passages: %+v", q.ID, a.Hops)
				}
			}
			if right < len(all)*2/3 {
				t.Errorf("%d of %d answers are right", right, len(all))
			}
		})
	}
}

// TestWebBesideTheIndex adds a search engine, and takes it away again: the
// answer cites its pages while it is there, and says that it is missing after.
func TestWebBesideTheIndex(t *testing.T) {
	t.Parallel()
	var engine cmdtest.Handler
	engine.Set(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"query":"q","results":[{"url":"https://example.org/lumen","title":"Lumen Bridge","content":"The Lumen Bridge was designed by Orla Venn.","engine":"wiki","score":1}],"unresponsive_engines":[]}`))
	}))
	web := httptest.NewServer(&engine)
	t.Cleanup(web.Close)
	config := cmdtest.TempFile(t, "c.yaml", "retriever: {searchers: [bm25, web]}\nweb: {url: "+web.URL+", per_second: 100}\n")
	ask := func() cmdtest.Outcome {
		return hopstream(t, "", "ask", "--trace", "--config", config, "--docs", cmdtest.Corpus(t), "Who designed the Lumen Bridge?").Exits(0)
	}
	ask().Prints("Orla Venn", "https://example.org/lumen", "web")
	engine.Set(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }))
	hopstream(t, "", "ask", "--trace", "--config", config, "--docs", cmdtest.Corpus(t), "Where was Marie Curie born?").Exits(0).Prints("Warsaw", "! web:")
}

func TestSearchConfigErrors(t *testing.T) {
	t.Parallel()
	for yaml, word := range map[string]string{
		"retriever: {searchers: []}":                      "retriever.searchers",
		"retriever: {searchers: [bm24]}":                  "choose from",
		"retriever: {searchers: [bm25, bm25]}":            "twice",
		"retriever: {searchers: [web]}":                   "web.url",
		"retriever: {top_k: 0}":                           "top_k",
		"retriever: {refinements: 4}":                     "refinements",
		"retriever: {timeout: 1ms}":                       "timeout",
		"retriever: {depth: 4, searchers: [bm25, links]}": "depth",
		"index: {store: elsewhere}":                       "index.store",
		"index: {store: weaviate}":                        "weaviate.url",
	} {
		hopstream(t, "", "config", "--config", cmdtest.TempFile(t, "c.yaml", yaml+"\n")).Complains(cli.ExitUsage, word)
	}
}

func TestSearcherMetrics(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	w := up(t, data, "--config", cmdtest.TempFile(t, "c.yaml", "engines: {embedder: builtin}\nretriever: {searchers: [bm25, dense]}\n"))
	hopstream(t, "", "index", "--nats", w.URL, cmdtest.Corpus(t)).Exits(0)
	hopstream(t, "", "ask", "--nats", w.URL, "Where was Marie Curie born?").Exits(0)
	text := cmdtest.Metrics(t, w.HTTP)
	for _, want := range []string{`hopstream_searcher_requests_total{outcome="ok",searcher="bm25"} 1`, `hopstream_searcher_requests_total{outcome="ok",searcher="dense"} 1`} {
		if !strings.Contains(text, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
}

// TestSearcherOutOfTime asks with a model that never says whether what was found
// suffices: the answer comes in time from what the first search found, is partial,
// and says why.
func TestSearcherOutOfTime(t *testing.T) {
	t.Parallel()
	s, _ := simulate(t, sim.Options{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/chat" {
			_, _ = io.Copy(io.Discard, r.Body) // so that the server sees the client leave
			<-r.Context().Done()
			return
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	t.Run("search", func(t *testing.T) {
		t.Parallel()
		data := t.TempDir()
		config := cmdtest.TempFile(t, "c.yaml", fmt.Sprintf("engines: {verifier: ollama}\nmodels: {default: {url: %q}}\nretriever: {searchers: [sparse], timeout: 1s}\n", web.URL))
		hopstream(t, "", "index", "--config", config, "--data", data, cmdtest.Corpus(t)).Exits(0)
		f := found(t, "--config", config, "--data", data, "Marie Curie's birthplace")
		if len(f.Passages) == 0 || !slices.Equal(f.Degraded, []string{"sparse refinement: " + messages.NoTime}) {
			t.Errorf("%+v", f)
		}
	})
	for searchers, missing := range map[string]string{"sparse": "sparse refinement", "dense": "dense refinement", "sparse, dense": "refinement", "intents": "intents statements"} {
		t.Run(searchers, func(t *testing.T) {
			t.Parallel()
			config := cmdtest.TempFile(t, "c.yaml", fmt.Sprintf("engines: {verifier: ollama, hypothesiser: ollama, embedder: builtin}\nmodels: {default: {url: %q}}\nretriever: {searchers: [%s]}\n", web.URL, searchers))
			o := hopstream(t, "", "ask", "--json", "--timeout", "6s", "--config", config, "--docs", cmdtest.Corpus(t), "Where was Marie Curie born?")
			answers := o.Answers()
			if len(answers) != 1 {
				t.Errorf("%d answers", len(answers))
			}
			for _, a := range answers {
				if a.Status != messages.Partial || a.Answer != "Warsaw" || len(a.Hops) != 1 || !strings.Contains(messages.OutOfTime(a.Hops[0].Degraded), missing) {
					t.Errorf("%+v", a)
				}
			}
		})
	}
}
