package main

import (
	"net"
	"strings"
	"testing"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
)

func TestWeaviateConfigErrors(t *testing.T) {
	t.Parallel()
	const on = "index: {store: weaviate}\n"
	for yaml, word := range map[string]string{
		"index: {store: lucene}":                "choose bleve or weaviate",
		on:                                      "set weaviate.url",
		on + "weaviate: {url: localhost}":       "want http://host:port",
		on + "weaviate: {url: 'http://h:1/v1'}": "want http://host:port",
		on + "weaviate: {url: 'http://me:sesame@h:1'}":                        "set weaviate.api_key",
		on + "weaviate: {url: 'http://h:1', mode: words}":                     "choose from [hybrid bm25 vector]",
		on + "weaviate: {url: 'http://h:1', alpha: 2}":                        "weaviate.alpha",
		on + "weaviate: {url: 'http://h:1', class: small}":                    "capital letter",
		on + "weaviate: {url: 'http://h:1', timeout: 1ms}":                    "weaviate.timeout",
		on + "weaviate: {url: 'http://h:1', api_key: \"a\\nb\"}":              "white space",
		"retriever: {searchers: [weaviate]}":                                  "set index.store to weaviate",
		"retriever: {searchers: [elastic]}":                                   "choose from [bm25",
		on + "weaviate: {url: 'http://h:1'}\nretriever: {searchers: [web]}\n": "set web.url",
	} {
		o := hopstream(t, "", "config", "--config", cmdtest.TempFile(t, "c.yaml", yaml+"\n"))
		if o.Complains(cli.ExitUsage, word); strings.Contains(o.Err, "sesame") {
			t.Error(o.Err)
		}
	}
}

func TestWeaviateConfigHidesKey(t *testing.T) {
	t.Parallel()
	config := cmdtest.TempFile(t, "c.yaml", "index: {store: weaviate}\nweaviate: {url: 'http://h:1', api_key: sesame, alpha: 0, class: Mine}\n")
	o := hopstream(t, "", "config", "--config", config).Exits(0)
	o.Prints("url: http://h:1", "store: weaviate", "mode: hybrid", "alpha: 0\n", "class: Mine")
	if strings.Contains(o.Out, "sesame") {
		t.Error(o.Out)
	}
}

// TestWeaviateAway: whoever needs the server says which one is away, and ends.
func TestWeaviateAway(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	l.Close()
	for _, name := range []string{"bm25", "dense", "weaviate", "links"} {
		config := cmdtest.TempFile(t, "c.yaml", "engines: {embedder: builtin}\nindex: {store: weaviate}\nweaviate: {url: '"+url+"'}\nretriever: {searchers: ["+name+"]}\n")
		hopstream(t, "", "ask", "--config", config, "--docs", cmdtest.Corpus(t), "Who?").Complains(cli.ExitFail, "Weaviate at "+url)
	}
	config := cmdtest.TempFile(t, "c.yaml", "index: {store: weaviate}\nweaviate: {url: '"+url+"'}\n")
	hopstream(t, "", "up", "--config", config, "--http", "", "--listen", "127.0.0.1:0").Exits(cli.ExitFail).Says("Weaviate at " + url)
	bad := cmdtest.TempFile(t, "c.yaml", "index: {store: weaviate}\nweaviate: {url: '"+url+"', ca_file: /nowhere/ca.pem}\n")
	hopstream(t, "", "ask", "--config", bad, "--docs", cmdtest.Corpus(t), "Who?").Complains(cli.ExitFail, "weaviate.ca_file", "/nowhere/ca.pem")
}
