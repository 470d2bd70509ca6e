package sim

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"
)

// always is a server on which every request has the fault.
func always(t *testing.T, fault string) (*Server, *api.Client, string) {
	t.Helper()
	o := Options{Latency: Latency{Mean: time.Millisecond}, Seed: 3}
	for _, s := range o.Faults.Shares() {
		if s.Name == fault {
			*s.Value = 1
		}
	}
	return start(t, o)
}

// TestFaults sees each fault as a client does, streamed and whole.
func TestFaults(t *testing.T) {
	t.Parallel()
	status := func(code int) func(*testing.T, []api.ChatResponse, string, error) {
		return func(t *testing.T, _ []api.ChatResponse, _ string, err error) {
			if e, ok := errors.AsType[api.StatusError](err); !ok || e.StatusCode != code || e.ErrorMessage == "" {
				t.Error(err)
			}
		}
	}
	done := func(reason string, fits func(api.Message) bool) func(*testing.T, []api.ChatResponse, string, error) {
		return func(t *testing.T, all []api.ChatResponse, _ string, err error) {
			if err != nil || len(all) == 0 {
				t.Fatal(err)
			}
			var m api.Message
			for _, r := range all {
				m.Content += r.Message.Content
				m.Thinking += r.Message.Thinking
			}
			if last := all[len(all)-1]; !last.Done || last.DoneReason != reason || !fits(m) {
				t.Errorf("%+v after %+v", last, m)
			}
		}
	}
	for fault, see := range map[string]func(t *testing.T, all []api.ChatResponse, text string, err error){
		"busy":  status(http.StatusServiceUnavailable),
		"error": status(http.StatusInternalServerError),
		"cut": func(t *testing.T, all []api.ChatResponse, text string, err error) {
			if len(all) > 0 && (all[len(all)-1].Done || !strings.HasPrefix(directReply, text) || err != nil) || len(all) == 0 && err == nil {
				t.Error(all, err)
			}
		},
		"drop": func(t *testing.T, all []api.ChatResponse, _ string, err error) {
			if len(all) > 0 || !errors.Is(err, io.EOF) {
				t.Error(all, err)
			}
		},
		"slow-first-byte": done("stop", func(m api.Message) bool { return m.Content == directReply }),
		"malformed":       done("stop", func(m api.Message) bool { return strings.Contains(m.Content, "144") && !json.Valid([]byte(m.Content)) }),
		"chatter": done("stop", func(m api.Message) bool {
			return strings.Contains(m.Content, directReply) && m.Content != directReply
		}),
		"thinking": done("length", func(m api.Message) bool { return m.Content == "" && m.Thinking != "" }),
		"wrong-schema": done("stop", func(m api.Message) bool {
			return json.Valid([]byte(m.Content)) && !strings.Contains(m.Content, "answer")
		}),
		"truncated": done("length", func(m api.Message) bool { return m.Content == directReply[:len(directReply)/2] }),
		"noise":     done("stop", func(m api.Message) bool { return !strings.ContainsAny(m.Content, "{}144") && m.Content != "" }),
	} {
		for _, stream := range []bool{true, false} {
			t.Run(fault, func(t *testing.T) {
				t.Parallel()
				s, c, _ := always(t, fault)
				all, text, err := chat(t.Context(), c, direct(stream))
				see(t, all, text, err)
				name, held := fault, time.Millisecond
				switch fault {
				case "busy":
					name, held = "fault-busy", 0
				case "slow-first-byte":
					held *= 10
				}
				if st := s.Stats(); st.Endpoints["/api/chat"][name] != 1 || st.Busy != held {
					t.Errorf("%+v", st)
				}
			})
		}
	}
	if n := reflect.TypeFor[Faults]().NumField(); n != len((&Faults{}).Shares()) {
		t.Errorf("%d faults, %d shares", n, len((&Faults{}).Shares()))
	}
}

// TestRepair holds that a model that is shown its reply mends it.
func TestRepair(t *testing.T) {
	t.Parallel()
	_, c, _ := always(t, "noise")
	req := direct(true)
	req.Messages = append(req.Messages, api.Message{Role: "assistant", Content: "river"}, api.Message{Role: "user", Content: "That is not JSON."})
	if _, text, err := chat(t.Context(), c, req); err != nil || text != directReply {
		t.Error(text, err)
	}
}

// TestEmbedFaults holds that faults of a text leave vectors alone.
func TestEmbedFaults(t *testing.T) {
	t.Parallel()
	for fault, fails := range map[string]bool{"busy": true, "error": true, "cut": true, "drop": true, "noise": false, "truncated": false} {
		_, c, _ := always(t, fault)
		v, err := c.Embed(t.Context(), &api.EmbedRequest{Model: "any", Input: "x"})
		if (err != nil) != fails {
			t.Errorf("%s: %v, %v", fault, v, err)
		}
	}
}

// TestShares holds that the drawn faults are those asked for, and the same for
// the same seed.
func TestShares(t *testing.T) {
	t.Parallel()
	o := Options{Seed: 11, Latency: Latency{Mean: time.Second, Sigma: 0.5},
		Faults: Faults{Busy: 0.05, Cut: 0.1, Malformed: 0.2, Noise: 0.01}}
	const n = 20_000
	got := map[string]int{}
	below := 0
	a, b := newDice(&o), newDice(&o)
	for i := range n {
		x, y := a.throw(), b.throw()
		if x.fault != y.fault || x.latency != y.latency || x.rng.Uint64() != y.rng.Uint64() {
			t.Fatalf("throw %d is not the same again", i)
		}
		got[x.fault]++
		if x.latency < time.Second {
			below++
		}
	}
	for fault, share := range map[string]float64{"busy": 0.05, "cut": 0.1, "malformed": 0.2, "noise": 0.01, "": 0.64, "drop": 0} {
		if have := float64(got[fault]) / n; have < share-0.01 || have > share+0.01 {
			t.Errorf("%q: %.4f of the requests, want %.4f", fault, have, share)
		}
	}
	if half := float64(below) / n; half < 0.49 || half > 0.51 {
		t.Errorf("%.3f of the latencies are below the median", half)
	}
}

// TestSharesServed counts what clients of a whole server get.
func TestSharesServed(t *testing.T) {
	t.Parallel()
	s, c, _ := start(t, Options{Latency: none, Seed: 5, Faults: Faults{Busy: 0.2, Chatter: 0.3}})
	const n = 400
	for range n {
		_, _, _ = chat(t.Context(), c, direct(false)) // counted below
	}
	got := s.Stats().Endpoints["/api/chat"]
	if got["fault-busy"] < 60 || got["fault-busy"] > 100 || got["chatter"] < 95 || got["chatter"] > 145 || got["fault-busy"]+got["chatter"]+got["ok"] != n {
		t.Error(got)
	}
}

func TestFaultsValidate(t *testing.T) {
	t.Parallel()
	for _, f := range []Faults{{Busy: -0.1}, {Cut: 1.1}, {Busy: 0.6, Drop: 0.6}} {
		if f.Validate() == nil {
			t.Errorf("%+v are shares", f)
		}
	}
	if err := (Faults{Busy: 0.5, Noise: 0.5}).Validate(); err != nil {
		t.Error(err)
	}
}
