//go:build faults

package grafana

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// startModels starts a system of one worker that asks a simulated model, which is
// asked anew each time.
func startModels(t *testing.T, bin string) *system {
	s := newSystem(t, bin, nil)
	return startWithModel(t, s, map[string]any{"name": "m", "cache": 0, "timeout": "5s", "concurrency": 8})
}

func startWithModel(t *testing.T, s *system, model map[string]any) *system {
	t.Helper()
	model["url"] = "http://" + s.modelAddr
	pipe := map[string]any{"keep_replies": 0, "share_work": "off"}
	if s.settings["pipeline"] != nil {
		for k, v := range s.settings["pipeline"].(map[string]any) {
			pipe[k] = v
		}
	}
	s.configure(t, map[string]any{"engine": "ollama", "models": map[string]any{"default": model}, "pipeline": pipe})
	s.startModel(t, swift)
	s.startNATS(t)
	s.up(t, "all")
	s.run(t, "hopstream index ../index/sample/corpus.jsonl")
	return s
}

// swift has the simulated model answer at once.
const swift = "--latency=5ms"

// curie are questions of a class that are each asked anew, with so much time.
func curie(deadline, class string) func(*testing.T) []question {
	return func(*testing.T) []question {
		var out []question
		for i := range 500 {
			out = append(out, question{Question: fmt.Sprintf("Where was Marie Curie, number %d, born?", i), Class: class, Deadline: deadline})
		}
		return out
	}
}

// other starts the model's server as it should be.
func other(says ...string) func(*testing.T, *system, runbook) {
	return func(t *testing.T, s *system, b runbook) {
		for _, line := range says {
			b.says(t, line)
		}
		s.startModel(t, swift)
	}
}

// with starts a server in the model's place that does as the flags say.
func with(flags ...string) func(*testing.T, *system) {
	return func(t *testing.T, s *system) { s.startModel(t, flags...) }
}

// replies puts an HTTP server before the model's, which changes its replies, until
// the fault is mended.
func replies(change func(reply map[string]any)) func(*testing.T, *system) {
	return func(t *testing.T, s *system) {
		s.model.stop(t)
		behind := freeAddr(t)
		s.model = launch(t, s.owner, filepath.Join(s.bin, "hoplab"), "sim-ollama", "--addr", behind, swift)
		within(t, "the model server listens", func() bool { return listens(behind) })
		proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: behind})
		proxy.ErrorLog = log.New(io.Discard, "", 0) // of requests that hopstream gave up
		proxy.ModifyResponse = func(r *http.Response) error {
			if r.Request.URL.Path != "/api/chat" || r.StatusCode != http.StatusOK {
				return nil
			}
			text, err := changed(r.Body, change)
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
			r.Header.Set("Content-Length", strconv.Itoa(len(text)))
			return err
		}
		ln, err := net.Listen("tcp", s.modelAddr)
		if err != nil {
			t.Fatal(err)
		}
		front := &http.Server{Handler: proxy, ReadHeaderTimeout: time.Minute}
		served := make(chan struct{})
		go func() {
			_ = front.Serve(ln)
			close(served)
		}()
		s.front = func() {
			_ = front.Close()
			<-served
		}
		s.owner.Cleanup(s.endFront)
	}
}

// changed returns a reply in lines of JSON, each changed.
func changed(body io.ReadCloser, change func(map[string]any)) ([]byte, error) {
	defer body.Close()
	var out bytes.Buffer
	for d, e := json.NewDecoder(body), json.NewEncoder(&out); ; {
		var line map[string]any
		if err := d.Decode(&line); err == io.EOF {
			return out.Bytes(), nil
		} else if err != nil {
			return nil, err
		}
		change(line)
		if err := e.Encode(line); err != nil {
			return nil, err
		}
	}
}

func modelFaults() []fault {
	return []fault{
		{
			name: "the model's server is away", ask: curie("5m", "single"), every: few,
			harm:  func(t *testing.T, s *system) { s.model.stop(t) },
			fires: []string{"HopstreamModelUnavailable", "HopstreamStageBehind", "HopstreamStageRetrying", "HopstreamStageStalled"},
			mend:  other("hopstream config --check"),
		},
		// Two calls a question at two seconds each: the stages that share the model may
		// take turns at it, and none is at rest for the five seconds that are a stall.
		{
			name: "the model is slow", ask: curie("5m", "single"), every: 200 * time.Millisecond,
			harm:  with("--latency=2s"),
			fires: []string{"HopstreamLatencyFastBurn", "HopstreamLatencySlowBurn", "HopstreamStageBehind"},
			mend:  other("hopstream status"),
		},
		{
			name: "the model is slower than the questions' time", ask: curie("3s", "complex"), every: 500 * time.Millisecond,
			harm:  with("--latency=900ms"),
			fires: []string{"HopstreamOutOfTime"},
			mend:  other("pipeline.deadline"),
		},
	}
}

// replyFaults are what is wrong with the replies of a server that is there.
func replyFaults() []fault {
	return []fault{
		{
			name: "the model answers rubbish", ask: curie("5m", "single"), every: 200 * time.Millisecond,
			harm: replies(func(reply map[string]any) {
				if m, ok := reply["message"].(map[string]any); ok {
					m["content"] = "lorem "
				}
			}),
			fires: []string{"HopstreamModelUnusable"},
			mend:  other("hopstream config --check"),
		},
		{
			name: "a storm of retries", ask: curie("5m", "single"), every: few,
			harm:  with(swift, "--fault-error=1"),
			fires: []string{"HopstreamStageBehind", "HopstreamStageRetrying", "HopstreamStageStalled"},
			mend:  other("hopstream config --check"),
		},
		// The questions go on when it is mended: what a good server reads of prompts is
		// not held for cut because others were refused as too long.
		{
			name: "questions fail", fresh: true, ask: curie("5m", "single"), every: 400 * time.Millisecond,
			harm:  with(swift, "--num-ctx=300"), // no prompt fits
			fires: []string{"HopstreamAvailabilityFastBurn", "HopstreamAvailabilitySlowBurn", "HopstreamDeadLetters"},
			mend: func(t *testing.T, s *system, b runbook) {
				other("hopstream dead purge --all")(t, s, b)
				s.run(t, "hopstream dead purge --all")
			},
		},
		{
			name: "the model's server cuts prompts", fresh: true, ask: curie("5m", "single"), every: 200 * time.Millisecond,
			harm: replies(func(reply map[string]any) {
				if reply["prompt_eval_count"] != nil {
					reply["prompt_eval_count"] = 60
				}
			}),
			fires: []string{"HopstreamPromptsTruncated"},
			mend:  other("num_ctx"),
		},
	}
}
