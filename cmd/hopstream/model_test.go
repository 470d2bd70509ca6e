package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/cmd/hoplab/sim"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/config"
	"hopstream/messages"
	"hopstream/stages/engine/builtin"
)

// simulate serves Ollama's protocol; replies are the builtin engine's and come at
// once unless o says otherwise.
func simulate(t *testing.T, o sim.Options) (*sim.Server, string) {
	t.Helper()
	if o.Engine == nil {
		o.Engine = builtin.New(builtin.Options{})
	}
	if o.Latency == (sim.Latency{}) {
		o.Latency.Mean = -1
	}
	s := sim.New(o)
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	return s, web.URL
}

func TestDemoWithModel(t *testing.T) {
	t.Parallel()
	s, url := simulate(t, sim.Options{Models: []string{"little"}})
	o := hopstream(t, "", "demo", "--engine", "ollama", "--ollama-url", url, "--model", "little").Exits(0)
	o.Prints("the models are little at "+url, "391", "Warsaw; 4 July 1934", "Berlin", "model calls")
	if strings.Contains(o.Out, "failed") || s.Stats().Endpoints["/api/chat"]["ok"] < 15 {
		t.Errorf("%+v\n%s", s.Stats(), o.Out)
	}
}

func TestUnknownModel(t *testing.T) {
	t.Parallel()
	_, url := simulate(t, sim.Options{Models: []string{"little"}})
	args := []string{"--engine", "ollama", "--ollama-url", url, "--model", "large"}
	hopstream(t, "", append([]string{"ask", "--docs", cmdtest.Corpus(t), "Who?"}, args...)...).Complains(cli.ExitFail, "ollama pull large")
	hopstream(t, "", append([]string{"up", "--http", "", "--listen", "127.0.0.1:0"}, args...)...).Exits(cli.ExitFail).Says("ollama pull large")
	hopstream(t, "", append([]string{"config", "--check"}, args...)...).Exits(cli.ExitFail).Says("ollama pull large").Prints("not ready")
}

func TestServerAway(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	l.Close()
	hopstream(t, "", "ask", "--engine", "ollama", "--ollama-url", url, "--docs", cmdtest.Corpus(t), "Who?").Complains(cli.ExitFail, url, "ollama serve")
}

// TestServerComesBack starts workers while the model's server is away: they
// warn, questions wait, and are answered once it is there, without a loss.
func TestServerComesBack(t *testing.T) {
	t.Parallel()
	var web cmdtest.Handler
	web.Set(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // what a proxy says of a server that is away
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, `{"error":"no upstream"}`)
	}))
	server := httptest.NewServer(&web)
	t.Cleanup(server.Close)
	data := t.TempDir()
	w := up(t, data, "--engine", "ollama", "--ollama-url", server.URL)
	if !strings.Contains(w.Err.String(), "questions wait") {
		t.Errorf("up does not say that the server is away:\n%s", w.Err.String())
	}
	hopstream(t, "", "index", "--nats", w.URL, cmdtest.Corpus(t)).Exits(0)
	done := make(chan cmdtest.Outcome, 1)
	go func() {
		done <- hopstream(t, "", "ask", "--json", "--nats", w.URL, "Where was Marie Curie born?")
	}()
	cmdtest.Eventually(t, "the question to be tried in vain", func() bool {
		return strings.Contains(cmdtest.Metrics(t, w.HTTP), `hopstream_model_calls_total{model="llama3.1:8b",outcome="unavailable",role="router"}`) &&
			!strings.Contains(cmdtest.Metrics(t, w.HTTP), `outcome="unavailable",role="router"} 0`)
	})
	s, _ := simulate(t, sim.Options{})
	web.Set(s)
	for id, a := range (<-done).Exits(0).Answers() {
		if a.Answer != "Warsaw" || a.Usage.ModelCalls == 0 {
			t.Errorf("%s: %+v", id, a)
		}
	}
	hopstream(t, "", "dead", "ls", "--nats", w.URL).Exits(0)
	text := cmdtest.Metrics(t, w.HTTP)
	for _, want := range []string{`hopstream_model_calls_total{model="llama3.1:8b",outcome="ok",role="router"} 1`, `hopstream_dead_letters_total{stage="router"} 0`, `hopstream_model_concurrency{model="llama3.1:8b"} 8`} {
		if !strings.Contains(text, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
}

// TestFaultyModel asks, by every preset, a server at which most goes wrong in some
// way: every question ends exactly once, whether or not the builtin engine stands
// in.
func TestFaultyModel(t *testing.T) {
	t.Parallel()
	_, vectors := simulate(t, sim.Options{Seed: 4, Faults: sim.Faults{Busy: .03, Error: .03, Drop: .03}})
	for i, preset := range append(config.Presets(), config.DefaultPreset) {
		t.Run(fmt.Sprintf("%s fallback=%v", preset, i%2 == 0), func(t *testing.T) {
			t.Parallel()
			_, url := simulate(t, sim.Options{Seed: 3, Faults: sim.Faults{Busy: .03, Error: .03, Cut: .05, Drop: .03, Malformed: .1, Chatter: .1, Thinking: .05, WrongSchema: .1, Truncated: .1, Noise: .1}})
			file := cmdtest.TempFile(t, "c.yaml", fmt.Sprintf("engine: ollama\nmodels: {default: {url: %q, no_fallback: %v}, embedder: {name: vectors, url: %q}}\n", url, i%2 == 1, vectors))
			_, all := cmdtest.SampleLines(t)
			var in strings.Builder
			const n = 60
			for i := range n {
				fmt.Fprintf(&in, "{\"id\":\"f%d\",\"question\":%q}\n", i, fmt.Sprintf("%s (%d)", all[i%len(all)].Question, i))
			}
			answers := hopstream(t, in.String(), "stream", "--preset", preset, "--config", file, "--docs", cmdtest.Corpus(t), "--log-level", "error").Exits(0).Answers()
			statuses := map[messages.Status]int{}
			for _, a := range answers {
				statuses[a.Status]++
				if a.Status != messages.Answered && a.Error == "" {
					t.Errorf("%s ends as %s without a reason", a.ID, a.Status)
				}
			}
			if len(answers) != n || statuses[messages.Answered]+statuses[messages.Partial] < n/3 || statuses[messages.Expired] > 0 {
				t.Errorf("%d answers: %v", len(answers), statuses)
			}
			t.Log(statuses)
		})
	}
}

// TestQuestionsShareModels asks a model the same question twice at once: one asks
// the model for its sub-query, and replies are kept, unless told otherwise.
func TestQuestionsShareModels(t *testing.T) {
	t.Parallel()
	for share, want := range map[string]int{"auto": 1, "off": 0} {
		keep := 1_000_000 * want
		t.Run(share, func(t *testing.T) {
			t.Parallel()
			_, url := simulate(t, sim.Options{})
			config := cmdtest.TempFile(t, "c.yaml", fmt.Sprintf("pipeline: {share_work: %s, keep_replies: %d}\nmodels: {default: {url: %q}}\n", share, keep, url))
			w := up(t, t.TempDir(), "--engine", "ollama", "--config", config)
			hopstream(t, "", "index", "--nats", w.URL, cmdtest.Corpus(t)).Exits(0)
			in := `{"id":"a","question":"Where was Marie Curie born?","class":"single"}` + "\n" + `{"id":"b","question":"Where was Marie Curie born?","class":"single"}` + "\n"
			shared := 0
			for id, a := range hopstream(t, in, "stream", "--nats", w.URL).Exits(0).Answers() {
				if a.Answer != "Warsaw" || len(a.Hops) != 1 {
					t.Fatalf("%s: %+v", id, a)
				}
				if a.Hops[0].Shared != "" {
					shared++
					if a.Usage.ModelCalls != 0 {
						t.Errorf("a shared sub-query uses %+v", a.Usage)
					}
				}
			}
			if text := cmdtest.Metrics(t, w.HTTP); shared != want || !strings.Contains(text, fmt.Sprintf(`hopstream_subqueries_total{how="shared"} %d`, want)) {
				t.Errorf("%d hops are shared", shared)
			}
			nc, err := nats.Connect(w.URL)
			if err != nil {
				t.Fatal(err)
			}
			defer nc.Close()
			js, err := jetstream.New(nc)
			if err != nil {
				t.Fatal(err)
			}
			kept, err := js.Stream(t.Context(), "KV_"+messages.DefaultNames().RepliesBucket())
			switch {
			case keep == 0 && !errors.Is(err, jetstream.ErrStreamNotFound):
				t.Errorf("replies are kept: %v", err)
			case keep > 0 && (err != nil || kept.CachedInfo().State.Msgs == 0 || kept.CachedInfo().Config.MaxBytes != int64(keep)):
				t.Errorf("replies are kept in %+v, %v", kept, err)
			}
		})
	}
}

func TestMixedEngines(t *testing.T) {
	t.Parallel()
	cheap, cheapURL := simulate(t, sim.Options{Models: []string{"small"}})
	hard, hardURL := simulate(t, sim.Options{Models: []string{"big", "embed"}})
	config := cmdtest.TempFile(t, "c.yaml", fmt.Sprintf(`
engine: ollama
engines: {router: builtin, judge: builtin}
strategy: {align: several}
models:
  default: {name: small, url: %q}
  synthesis: {name: big, url: %q}
  embedder: {name: embed, url: %[2]q}
`, cheapURL, hardURL))
	o := hopstream(t, "", "config", "--check", "--config", config).Exits(0)
	for _, want := range []string{"router builtin", "judge builtin", "relevance ollama small", "synthesis ollama big", "embedder ollama embed"} {
		if !strings.Contains(strings.Join(strings.Fields(o.Out), " "), want) {
			t.Errorf("config --check does not say %q:\n%s", want, o.Out)
		}
	}
	for _, a := range hopstream(t, "", "ask", "--json", "--config", config, "--docs", cmdtest.Corpus(t), "Where was Marie Curie born and when did she die?").Exits(0).Answers() {
		used := map[string]int{}
		for _, r := range a.Usage.Roles {
			used[r.Role] = r.Calls
		}
		if a.Answer != "Warsaw; 4 July 1934" || used["router"] != 0 || used["decomposer"] != 1 || used["synthesis"] != 1 || used["embedder"] != 2 {
			t.Errorf("%+v", a)
		}
	}
	if c, h := cheap.Stats(), hard.Stats(); c.Prompts["synthesis"] != 0 || h.Prompts["synthesis"] != 1 || h.Endpoints["/api/embed"]["ok"] != 2 {
		t.Errorf("cheap %+v, hard %+v", c, h)
	}
}

func TestOpenAICompatibleServer(t *testing.T) {
	t.Parallel()
	s, url := simulate(t, sim.Options{})
	config := cmdtest.TempFile(t, "c.yaml", fmt.Sprintf("engine: ollama\nmodels: {default: {api: openai, name: any, url: %q, api_key: sesame}, embedder: {}}\n", url))
	hopstream(t, "", "ask", "--config", config, "--docs", cmdtest.Corpus(t), "Where was Marie Curie born?").Exits(0).Prints("Warsaw")
	if n := s.Stats().Endpoints["/v1/chat/completions"]["ok"]; n < 3 {
		t.Errorf("%+v", s.Stats())
	}
	if o := hopstream(t, "", "config", "--config", config).Exits(0); strings.Contains(o.Out, "sesame") || !strings.Contains(o.Out, "api: openai") {
		t.Errorf("config prints\n%s", o.Out)
	}
}

// TestModelCallsPerQuestion holds the number of calls that a question takes,
// with one scale and one relevance call for all passages.
func TestModelCallsPerQuestion(t *testing.T) {
	t.Parallel()
	_, url := simulate(t, sim.Options{})
	config := cmdtest.TempFile(t, "c.yaml", fmt.Sprintf("engine: ollama\nmodels: {default: {url: %q}, embedder: {}}\naligner: {windows: true, scales: [350]}\n", url))
	in, all := cmdtest.SampleLines(t)
	answers := hopstream(t, in, "stream", "--config", config, "--docs", cmdtest.Corpus(t)).Exits(0).Answers()
	seen := map[messages.Class]bool{}
	for _, q := range all {
		a := answers[q.ID]
		n, calls := len(a.Hops), a.Usage.ModelCalls
		seen[a.Class] = true
		switch most := map[messages.Class]int{messages.Straightforward: 2, messages.Single: 4, messages.Compound: 2 + 3*n, messages.Complex: 2 + 4*n}[a.Class]; {
		case calls == 0 || calls > most:
			t.Errorf("%s (%s, %d sub-queries) takes %d calls, more than %d", q.ID, a.Class, n, calls, most)
		}
	}
	if len(seen) != 4 {
		t.Errorf("classes %v", seen)
	}
}

// TestModelCallsOfStrategies holds the number of calls that a complex question
// takes where it is pursued by a plan or by supplementing.
func TestModelCallsOfStrategies(t *testing.T) {
	t.Parallel()
	_, url := simulate(t, sim.Options{})
	for strategy, roles := range map[messages.Strategy][]string{
		messages.Planned:    {"router", "planner", "reviser", "relevance", "scale_answerer", "synthesis"},
		messages.Supplement: {"router", "atomiser", "relevance", "summariser", "completeness", "synthesis"},
	} {
		t.Run(string(strategy), func(t *testing.T) {
			t.Parallel()
			config := cmdtest.TempFile(t, "c.yaml", fmt.Sprintf("engine: ollama\nstrategy: {complex: %s}\nmodels: {default: {url: %q}, embedder: {}}\naligner: {windows: true, scales: [350]}\n", strategy, url))
			in, _ := cmdtest.SampleLines(t)
			seen := 0
			for id, a := range hopstream(t, in, "stream", "--config", config, "--docs", cmdtest.Corpus(t)).Exits(0).Answers() {
				if a.Class != messages.Complex || a.Strategy != strategy || a.Rerouted != "" || a.Repaired {
					continue
				}
				seen++
				used := map[string]int{}
				for _, r := range a.Usage.Roles {
					used[r.Role] = r.Calls
				}
				for _, r := range roles {
					if used[r] == 0 {
						t.Errorf("%s asks no %s: %v", id, r, used)
					}
				}
				n, rounds := len(a.Hops), a.Steps
				most := map[messages.Strategy]int{messages.Planned: 4 + 2*n, messages.Supplement: 2 + 2*rounds + 2*n}[strategy]
				if calls := a.Usage.ModelCalls; calls > most {
					t.Errorf("%s (%d sub-queries in %d rounds) takes %d calls, more than %d: %v", id, n, rounds, calls, most, used)
				}
			}
			if seen == 0 {
				t.Error("no complex question")
			}
		})
	}
}

// TestRecordsReachTheAnswer holds that what a model says of each of several things
// comes with the answer, as JSON and for people.
func TestRecordsReachTheAnswer(t *testing.T) {
	t.Parallel()
	engine := builtin.New(builtin.Options{})
	engine.AnswerFunc = func(_ context.Context, _ string, windows []messages.Window) (messages.Finding, error) {
		source := []messages.Source{{ID: windows[0].Passage}}
		return messages.Finding{Text: "Tarvil; Selvan", Claims: []messages.Claim{
			{Text: "Tarvil", Citations: source, Fields: []messages.Field{{Name: "molecule", Value: "tarvin"}, {Name: "side effects"}}}, {Text: "Selvan", Citations: source}}}, nil
	}
	_, url := simulate(t, sim.Options{Engine: engine})
	docs := cmdtest.TempFile(t, "drugs.md", "# Drugs against gout\n\nTarvil treats gout; its molecule is tarvin. Selvan treats gout, too.\n")
	ask := []string{"ask", "--engine", "ollama", "--ollama-url", url, "--docs", docs, "Which drugs treat gout, with their molecule and side effects?"}
	o := hopstream(t, "", ask...).Exits(0)
	o.Prints("Tarvil (molecule: tarvin); Selvan\n", "  - Tarvil  [1]\n    molecule: tarvin\n    side effects: not known\n  - Selvan  [1]\n")
	o = hopstream(t, "", append(ask, "--json")...).Exits(0)
	o.Prints(`{"text":"Tarvil","fields":[{"name":"molecule","value":"tarvin"},{"name":"side effects"}],`)
}

// TestOwnStrategyIsTheModelsToo holds that a question with a strategy of its
// own asks the model that is there, and none that is not.
func TestOwnStrategyIsTheModelsToo(t *testing.T) {
	t.Parallel()
	server, url := simulate(t, sim.Options{Models: []string{"little"}})
	config := cmdtest.TempFile(t, "c.yaml", fmt.Sprintf("engine: ollama\nmodels: {default: {name: little, url: %q}, summariser: {name: absent}}\nstrategy: {complex: refine}\n", url))
	in := `{"id":"a","question":"Which film came out first, the one directed by Ann or the one directed by Bo?","class":"complex","strategy":"supplement"}` + "\n"
	a := hopstream(t, in, "stream", "--config", config, "--docs", cmdtest.Corpus(t)).Answers()["a"]
	if p := server.Stats().Prompts; p["atomiser"] == 0 || p["summariser"] != 0 || p["refiner"] != 0 || a.Class == "" {
		t.Errorf("%v: %+v", p, a)
	}
}

// TestUnusedRolesNeedNoModel holds that a model has to be there only if the
// strategy asks its role.
func TestUnusedRolesNeedNoModel(t *testing.T) {
	t.Parallel()
	_, url := simulate(t, sim.Options{Models: []string{"little"}})
	docs := cmdtest.Corpus(t)
	for role, settings := range map[string]string{
		"planner":      "strategy: {complex: plan}",
		"reviser":      "strategy: {complex: plan}",
		"supplementer": "strategy: {complex: supplement}",
		"summariser":   "strategy: {complex: supplement}",
	} {
		models := fmt.Sprintf("engine: ollama\nmodels: {default: {name: little, url: %q}, %s: {name: absent}}\n", url, role)
		ask := func(yaml string) cmdtest.Outcome {
			return hopstream(t, "", "ask", "--config", cmdtest.TempFile(t, "c.yaml", yaml), "--docs", docs, "Where was Marie Curie born?")
		}
		ask(models + "strategy: {complex: refine}\n").Exits(0).Prints("Warsaw")
		ask(models+settings+"\n").Complains(cli.ExitFail, "ollama pull absent")
	}
	unrevised := "engine: ollama\nengines: {judge: builtin}\nstrategy: {complex: plan}\ndecomposer: {no_reviser: true}\n"
	hopstream(t, "", "ask", "--config", cmdtest.TempFile(t, "c.yaml", unrevised+fmt.Sprintf("models: {default: {name: little, url: %q}, reviser: {name: absent}, judge: {name: absent}}\n", url)), "--docs", docs, "Where was Marie Curie born?").Exits(0)
}

func TestModelConfigErrors(t *testing.T) {
	t.Parallel()
	for yaml, word := range map[string]string{
		"engine: gpt":                                          "choose builtin or ollama",
		"engines: {rooter: builtin}":                           "engines.rooter",
		"engines: {router: gpt}":                               "engines.router",
		"engine: ollama\nengines: {answerer: builtin}":         "one engine for both",
		"models: {rooter: {name: x}}":                          "models.rooter",
		"engine: ollama\nmodels: {router: {num_ctx: 4096}}":    "same num_ctx",
		"engine: ollama\nmodels: {default: {num_ctx: 100}}":    "num_ctx is at least 512",
		"engine: ollama\nmodels: {default: {url: localhost}}":  "want http://host:port",
		"engine: ollama\nmodels: {default: {api: grpc}}":       "choose ollama or openai",
		"engine: ollama\nmodels: {default: {think: perhaps}}":  "think",
		"engine: ollama\nmodels: {default: {concurrency: -1}}": "concurrency",
		"engine: ollama\nmodels: {default: {api: openai}}":     "url",
		"models: {default: {nam: x}}":                          "nam",
	} {
		hopstream(t, "", "config", "--config", cmdtest.TempFile(t, "c.yaml", yaml+"\n")).Complains(cli.ExitUsage, word)
	}
}
