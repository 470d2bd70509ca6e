package main

import (
	"strings"
	"testing"
)

func TestConfigLoadsAgain(t *testing.T) {
	t.Parallel()
	one := hopstream(t, "", "config", "--data", "d").exits(0)
	two := hopstream(t, "", "config", "--config", tempFile(t, "c.yaml", one.out), "--data", "d").exits(0)
	if one.out != two.out {
		t.Errorf("printed\n%s\nand then\n%s", one.out, two.out)
	}
	one.prints("max_open: 10000", "retention: 1h0m0s", "router:", "max_store: 0")
}

// Later sources win: the defaults, the file, the environment, flags.
func TestConfigPrecedence(t *testing.T) {
	path := tempFile(t, "c.yaml", "data: from-file\npipeline: {max_open: 7, deadline: 9s}\nnats: {prefix: p}\nstages: {router: {concurrency: 3}}\n")
	config := func(args ...string) outcome {
		return hopstream(t, "", append([]string{"config", "--config", path}, args...)...).exits(0)
	}
	config("--data", "from-flag").prints("data: from-flag", "max_open: 7", "deadline: 9s", "prefix: p", "concurrency: 3", "retention: 1h0m0s")
	t.Setenv("HOPSTREAM_PIPELINE__MAX_OPEN", "8")
	t.Setenv("HOPSTREAM_NATS__URL", "nats://env:4222")
	t.Setenv("HOPSTREAM_ALIGNER__SCALES", "100,200")
	t.Setenv("HOPSTREAM_FILTER__OFF", "true")
	config("--data", "d").prints("max_open: 8", "url: nats://env:4222", "deadline: 9s", "- 100\n", "- 200\n", `"off": true`)
	config("--data", "d", "--nats", "nats://flag:4222").prints("url: nats://flag:4222")
}

func TestConfigHidesSecrets(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"nats://me:secret@h:4222", "nats://secret@h:4222", "me:secret@h:4222", "nats://a:1,nats://me:secret@h:2"} {
		if o := hopstream(t, "", "config", "--nats", url).exits(0); strings.Contains(o.out+o.err, "secret") || !strings.Contains(o.out, "redacted@h") {
			t.Errorf("%s: %s%s", url, o.out, o.err)
		}
	}
	o := hopstream(t, "", "ask", "--nats", "nats://me:secret@127.0.0.1:1", "x?").exits(1)
	if strings.Contains(o.err, "secret") {
		t.Error(o.err)
	}
}

func TestBadConfigFile(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"pipelin: {}":                      "there is no pipelin, named in ",
		"pipeline: {max_opne: 1}":          "there is no pipeline.max_opne",
		"pipeline: {max_open: many}":       "'pipeline.max_open' cannot parse value",
		"pipeline: {deadline: soon}":       "pipeline.deadline",
		"pipeline: {retention: 1ms}":       "at least a second",
		"data: [":                          "yaml",
		"stages: {rooter: {attempts: 1}}":  "stages.rooter: there is no such stage",
		"stages: {router: {attempts: -1}}": "stages.router: concurrency and attempts are at least 1",
		"router: {force: guess}":           `router.force "guess": choose from`,
		"aligner: {scales: [1]}":           "aligner.scales: 1 is not between",
		"nats: {prefix: a b}":              "nats.prefix",
		"nats: {max_store: -1}":            "nats.max_store is at least 0",
	} {
		hopstream(t, "", "config", "--config", tempFile(t, "c.yaml", text)).complains(2, "configuration", says)
	}
}

func TestBadEnvironment(t *testing.T) {
	t.Setenv("HOPSTREAM_PORT_9464_TCP", "tcp://10.0.0.1:9464") // as Kubernetes sets for a service
	t.Setenv("HOPSTREAM_SERVICE_HOST", "10.0.0.1")
	hopstream(t, "", "config").exits(0)
	t.Setenv("HOPSTREAM_INDEX__CHUNK_SIZE", "big")
	hopstream(t, "", "config").complains(2, "index.chunk_size", "cannot parse value")
	t.Setenv("HOPSTREAM_INDEX__CHUNK_SIZE", "100")
	t.Setenv("HOPSTREAM_SPEED", "fast")
	hopstream(t, "", "config").complains(2, "there is no speed", "environment")
}
