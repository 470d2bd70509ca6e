package main

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"hopstream/cmd/hoplab/sim"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/model/ollama"
)

var simURL = regexp.MustCompile(`simulated Ollama on (http://\S+)`)

// startSim runs `hopstream sim-ollama` on a free port; stop ends it as a signal
// does, and returns what it left.
func startSim(t *testing.T, args ...string) (url string, stop func() outcome) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	args = append([]string{"sim-ollama", "--addr", "127.0.0.1:0"}, args...)
	var out, errs buffer
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, func() {}, args, stdio{strings.NewReader(""), &out, &errs}) }()
	stop = func() outcome {
		cancel()
		return outcome{t, args, <-ended, out.String(), errs.String()}
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
	if code, body := get(t, url+"/sim/stats"); code != http.StatusOK || json.Unmarshal([]byte(body), &st) != nil || st.Endpoints["/api/chat"]["truncated"] != 1 {
		t.Error(code, body)
	}
	c.Close()
	o := stop().exits(0)
	if err := json.Unmarshal([]byte(o.out), &st); err != nil || strings.Count(o.out, "\n") != 1 || st.Prompts["direct"] != 1 || st.Busy != time.Millisecond {
		t.Errorf("%s%v", o.out, err)
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
		hopstream(t, "", append([]string{"sim-ollama"}, strings.Fields(flags)...)...).complains(2, says)
	}
	hopstream(t, "", "sim-ollama", "--addr", "127.0.0.1:99999").complains(1, "--addr")
}
