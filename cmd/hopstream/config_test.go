package main

import (
	"strings"
	"testing"

	"hopstream/cmd/internal/cmdtest"
)

func TestConfigLoadsAgain(t *testing.T) {
	t.Parallel()
	one := hopstream(t, "", "config", "--data", "d").Exits(0)
	two := hopstream(t, "", "config", "--config", cmdtest.TempFile(t, "c.yaml", one.Out), "--data", "d").Exits(0)
	if one.Out != two.Out {
		t.Errorf("printed\n%s\nand then\n%s", one.Out, two.Out)
	}
	one.Prints("max_open: 10000", "retention: 1h0m0s", "router:", "max_store: 0")
}

// Later sources win: the defaults, the file, the environment, flags.
func TestConfigPrecedence(t *testing.T) {
	path := cmdtest.TempFile(t, "c.yaml", "data: from-file\npipeline: {max_open: 7, deadline: 9s}\nnats: {prefix: p}\nstages: {router: {concurrency: 3}}\n")
	config := func(args ...string) cmdtest.Outcome {
		return hopstream(t, "", append([]string{"config", "--config", path}, args...)...).Exits(0)
	}
	config("--data", "from-flag").Prints("data: from-flag", "max_open: 7", "deadline: 9s", "prefix: p", "concurrency: 3", "retention: 1h0m0s")
	t.Setenv("HOPSTREAM_PIPELINE__MAX_OPEN", "8")
	t.Setenv("HOPSTREAM_NATS__URL", "nats://env:4222")
	t.Setenv("HOPSTREAM_ALIGNER__SCALES", "100,200")
	t.Setenv("HOPSTREAM_FILTER__OFF", "true")
	config("--data", "d").Prints("max_open: 8", "url: nats://env:4222", "deadline: 9s", "- 100\n", "- 200\n", `"off": true`)
	config("--data", "d", "--nats", "nats://flag:4222").Prints("url: nats://flag:4222")
}

func TestConfigHidesSecrets(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"nats://me:secret@h:4222", "nats://secret@h:4222", "me:secret@h:4222", "nats://a:1,nats://me:secret@h:2"} {
		if o := hopstream(t, "", "config", "--nats", url).Exits(0); strings.Contains(o.Out+o.Err, "secret") || !strings.Contains(o.Out, "redacted@h") {
			t.Errorf("%s: %s%s", url, o.Out, o.Err)
		}
	}
	o := hopstream(t, "", "ask", "--nats", "nats://me:secret@127.0.0.1:1", "x?").Exits(1)
	if strings.Contains(o.Err, "secret") {
		t.Error(o.Err)
	}
}

func TestBadConfigFile(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"pipelin: {}":                                 "there is no pipelin, named in ",
		"pipeline: {max_opne: 1}":                     "c.yaml: did you mean pipeline.max_open?",
		"pipeline: {max_open: many}":                  "'pipeline.max_open' cannot parse value",
		"pipeline: {deadline: soon}":                  "pipeline.deadline",
		"pipeline: {retention: 1ms}":                  "at least a second",
		"data: [":                                     "yaml",
		"stages: {rooter: {attempts: 1}}":             "stages.rooter: there is no such stage",
		"stages: {router: {attempts: -1}}":            "stages.router: concurrency and attempts are at least 1",
		"router: {force: guess}":                      `router.force "guess": choose from`,
		"aligner: {scales: [1]}":                      "aligner.scales: 1 is not between",
		"nats: {prefix: a b}":                         "nats.prefix",
		"nats: {max_store: -1}":                       "nats.max_store is at least 0",
		"nats: {replicas: -1}":                        "so is nats.replicas",
		"max_open: 3":                                 "there is no max_open, named in ",
		"models: {router: {nmae: x}}":                 "did you mean models.router.name?",
		"stages: {router: {atempts: 2}}":              "did you mean stages.router.attempts?",
		"pipeline: {deadline: 5}":                     "'pipeline.deadline' 5 has no unit: write 5s for seconds",
		"pipeline: {deadline: -5s}":                   "pipeline.deadline -5s: at least a millisecond",
		"pipeline: {deadline: 0}":                     "pipeline.deadline 0s: at least a millisecond",
		"pipeline: {grace: 0}":                        "pipeline.grace 0s: more than 0",
		"pipeline: {max_open: 0}":                     "pipeline.max_open 0: at least 1",
		"pipeline: {max_open: -1}":                    "pipeline.max_open -1: at least 1",
		"pipeline: {max_lag: -1}":                     "-1 is negative",
		"pipeline: {max_lag: 0}":                      "pipeline.max_lag 0: at least 1",
		"pipeline: {budget: {rounds: 0}}":             "pipeline.budget.rounds 0: at least 1",
		"index: {chunk_size: 200}":                    "index.chunk_size 200 is not more than index.chunk_overlap 200",
		"index: {chunk_overlap: -1}":                  "index.chunk_overlap -1: at least 0",
		"index: {b: 2}":                               "index.b between 0 and 1",
		"filter: {keep: 0}":                           "filter.keep 0: at least 1",
		"web: {per_second: 0}":                        "web.per_second 0: more than 0",
		"pipeline: {retention: 1m}":                   "pipeline.deadline 5m0s: at most 50s, which is five sixths of pipeline.retention",
		"storage: {answers: 30m}":                     "storage.answers 30m0s: 0 (for good), or at least 1h1m0s",
		"storage: {dead: 1m}":                         "storage.dead 1m0s: 0 (for good), or at least 1h1m0s",
		"storage: {trace_bytes: -1}":                  "-1 is negative",
		"archive: {every: 0}":                         "archive.every 0s: at least a second",
		"archive: {dir: a, traces: true, every: 40m}": "archive.every 40m0s: at most half of pipeline.retention",
	} {
		hopstream(t, "", "config", "--config", cmdtest.TempFile(t, "c.yaml", text)).Complains(2, "configuration", says)
	}
}

func TestBadEnvironment(t *testing.T) {
	t.Setenv("HOPSTREAM_PORT_9464_TCP", "tcp://10.0.0.1:9464") // as Kubernetes sets for a service
	t.Setenv("HOPSTREAM_SERVICE_HOST", "10.0.0.1")
	hopstream(t, "", "config").Exits(0)
	t.Setenv("HOPSTREAM_INDEX__CHUNK_SIZE", "big")
	hopstream(t, "", "config").Complains(2, "index.chunk_size", "cannot parse value")
	t.Setenv("HOPSTREAM_INDEX__CHUNK_SIZE", "100")
	t.Setenv("HOPSTREAM_SPEED", "fast")
	hopstream(t, "", "config").Complains(2, "there is no speed", "environment", "HOPSTREAM_SPEED", "see: hopstream config")
	t.Setenv("HOPSTREAM_SPEED", "")
	t.Setenv("HOPSTREAM_PIPELINE__MAX_OPNE", "5")
	hopstream(t, "", "config").Complains(2, "HOPSTREAM_PIPELINE__MAX_OPNE: did you mean pipeline.max_open?")
}
