package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"hopstream/cmd/hoplab/sim"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/prompts"
	"hopstream/stages/engine/builtin"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/model/ollama"
)

var simURL = regexp.MustCompile(`simulated Ollama on (http://\S+)`)

// startSim runs `hoplab sim-ollama` on a free port; stop ends it as a signal
// does, and returns what it left.
func startSim(t *testing.T, args ...string) (url string, stop func() cmdtest.Outcome) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	args = append([]string{"sim-ollama", "--addr", "127.0.0.1:0"}, args...)
	var out, errs cmdtest.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- program.Run(ctx, func() {}, args, cli.Stdio{In: strings.NewReader(""), Out: &out, Err: &errs})
	}()
	stop = func() cmdtest.Outcome {
		cancel()
		return cmdtest.NewOutcome(t, &program, args, <-ended, out.String(), errs.String())
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(20 * time.Second); ; {
		select {
		case code := <-ended:
			t.Fatalf("%q exits %d: %s", args, code, errs.String())
		case <-deadline:
			t.Fatalf("%q names no URL: %s", args, errs.String())
		case <-tick.C:
			if m := simURL.FindStringSubmatch(errs.String()); m != nil {
				return m[1], stop
			}
		}
	}
}

func TestSimOllama(t *testing.T) {
	t.Parallel()
	url, stop := startSim(t, "--latency", "1ms", "--models", "small,wide", "--fault-truncated", "1")
	c, err := ollama.NewClient(ollama.Spec{Model: "small", URL: url, NumCtx: 4096})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Check(t.Context()); err != nil {
		t.Error(err)
	}
	p := prompts.Render("direct", prompts.Data{Question: "What is 12 times 12?"})
	r, err := c.Chat(t.Context(), &model.Chat{Messages: []model.Message{{Role: "system", Text: p.System}, {Role: "user", Text: p.User}}})
	if err != nil || !r.Cut || r.Text != `{"answer` {
		t.Error(r, err)
	}
	var st sim.Stats
	if code, body := cmdtest.Get(t, url+"/sim/stats"); code != http.StatusOK || json.Unmarshal([]byte(body), &st) != nil || st.Endpoints["/api/chat"]["truncated"] != 1 {
		t.Error(code, body)
	}
	c.Close()
	o := stop().Exits(0)
	if err := json.Unmarshal([]byte(o.Out), &st); err != nil || strings.Count(o.Out, "\n") != 1 || st.Prompts["direct"] != 1 || st.Busy != time.Millisecond {
		t.Errorf("%s%v", o.Out, err)
	}
}

func TestSimOllamaWrongUse(t *testing.T) {
	t.Parallel()
	for flags, says := range map[string]string{
		"--fault-busy=1.5":                  "the share of busy is 1.5: it must be from 0 to 1",
		"--fault-cut=-1":                    "the share of cut",
		"--fault-noise=NaN":                 "the share of noise",
		"--fault-busy=0.6 --fault-drop=0.6": "1.2 together",
		"--latency=-1s":                     "must not be below 0",
		"--sigma=-1":                        "--sigma is -1",
		"--parallel=0":                      "--parallel is 0",
		"--queue=-1":                        "must not be below 0",
		"extra":                             "no arguments",
	} {
		hoplab(t, "", append([]string{"sim-ollama"}, strings.Fields(flags)...)...).Complains(2, says)
	}
	hoplab(t, "", "sim-ollama", "--addr", "127.0.0.1:99999").Complains(1, "--addr")
}

// simulate serves Ollama's protocol; replies come at once unless o says
// otherwise.
func simulate(t *testing.T, o sim.Options) (*sim.Server, string) {
	t.Helper()
	o.Engine = builtin.New(builtin.Options{})
	if o.Latency == (sim.Latency{}) {
		o.Latency.Mean = -1
	}
	s := sim.New(o)
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	return s, web.URL
}
