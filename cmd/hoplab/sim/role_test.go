package sim

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"hopstream/cmd/hoplab/equivalent"
	"hopstream/prompts"
	"hopstream/stages/engine/builtin"
)

// none is a latency that tests need not wait for.
var none = Latency{Mean: -1}

// start serves o on a free port, with the builtin engine.
func start(t *testing.T, o Options) (*Server, *api.Client, string) {
	t.Helper()
	engine := builtin.New(builtin.Options{})
	engine.EquivalentFunc = equivalent.Judge{}.Equivalent
	o.Engine = engine
	s := New(o)
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	base, err := url.Parse(h.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	return s, api.NewClient(base, &http.Client{Transport: transport, Timeout: 30 * time.Second}), h.URL
}

var (
	passages = []prompts.Passage{
		{Title: "Warsaw", Text: "Warsaw is the capital of Poland."},
		{Title: "Marie Curie", Text: "Marie Curie was a physicist. Marie Curie was born in Warsaw on 7 November 1867."},
		{Title: "Bread", Text: "Bread is made of flour and water."},
	}
	pairsShown = []prompts.Pair{{Question: "Who discovered radium?", Answer: "Marie Curie"}, {Question: "Where was Marie Curie born?", Answer: "Warsaw"}}
)

func chatOf(p prompts.Prompt) *api.ChatRequest {
	no := false
	return &api.ChatRequest{Model: "any", Stream: &no, Format: json.RawMessage(`{"type":"object"}`),
		Messages: []api.Message{{Role: "system", Content: p.System}, {Role: "user", Content: p.User}}}
}

// TestRoles asks every prompt there is, and wants the reply its text asks for.
func TestRoles(t *testing.T) {
	t.Parallel()
	_, c, _ := start(t, Options{Latency: none})
	const q = "Where was Marie Curie born?"
	asked := map[string]bool{}
	for _, row := range []struct {
		prompt prompts.Prompt
		want   string
	}{
		{prompts.Render("router", prompts.Data{Question: q}), `{"class":"single"}`},
		{prompts.Render("decomposer", prompts.Data{Question: "Who wrote Dracula, and when did Bram Stoker die?"}), `{"questions":["Who wrote Dracula?","When did Bram Stoker die?"]}`},
		{prompts.Render("refiner", prompts.Data{Question: "Where was the discoverer of radium born?"}), `{"question":"Who is the discoverer of radium?"}`},
		{prompts.Render("planner", prompts.Data{Question: "Where was the discoverer of radium born?"}), `{"questions":["Who is the discoverer of radium?","Where was $1 born?"]}`},
		{prompts.Render("reviser", prompts.Data{Question: "Where was the discoverer of radium born?", Plan: []string{"Who discovered radium?", "Where was $1 born?"}}), `{"questions":[]}`},
		{prompts.Render("repair", prompts.Data{Question: "Where was the discoverer of radium born?", Plan: []string{"Who?", "Where was $1 born?"}, Problem: "sub-question 1 found no answer"}), `{"questions":["Who is the discoverer of radium?","Where was $1 born?"]}`},
		{prompts.Render("atomiser", prompts.Data{Question: "Where was the discoverer of radium born?"}), `{"queries":["Who is the discoverer of radium?"]}`},
		{prompts.Render("supplementer", prompts.Data{Question: "Where was the discoverer of radium born?", Pairs: []prompts.Pair{{Question: "Who is the discoverer of radium?", Answer: "Marie Curie"}}}), `{"queries":["Where was Marie Curie born?"]}`},
		{prompts.Render("supplementer", prompts.Data{Question: "Where was the discoverer of radium born?", Pairs: []prompts.Pair{{Question: "Who is the discoverer of radium?", Answer: "Marie Curie"}, pairsShown[1]}}), `{"queries":[]}`},
		{prompts.Render("summariser", prompts.Data{Question: q, Passages: passages}), `{"quotes":[{"passage":2,"quote":"Marie Curie was a physicist. Marie Curie was born in Warsaw on 7 November 1867."}],"summary":"Warsaw","passages":[2,1]}`},
		{prompts.Render("summariser", prompts.Data{Question: q}), `{"quotes":[],"summary":"","passages":[]}`},
		{prompts.Render("equivalence", prompts.Data{Question: q, Answers: []string{"Warsaw"}, Prediction: "in Warsaw"}), `{"same":true}`},
		{prompts.Render("equivalence", prompts.Data{Question: q, Answers: []string{"Warsaw"}, Prediction: "Berlin"}), `{"same":false}`},
		{prompts.Render("keywords", prompts.Data{Question: q}), `{"keywords":["Marie Curie","born"]}`},
		{prompts.Render("keywords", prompts.Data{Question: "Who is he?"}), `{"keywords":["Who is he?"]}`},
		{prompts.Render("extend", prompts.Data{Question: q, Keywords: []string{"Marie Curie", "born"}, Passages: passages}), `{"word":"Marie Curie"}`},
		{prompts.Render("emphasise", prompts.Data{Question: q, Keywords: []string{"born"}, Passages: passages}), `{"word":"born"}`},
		{prompts.Render("exclude", prompts.Data{Question: q, Keywords: []string{"born"}, Passages: passages}), `{"word":""}`},
		{prompts.Render("verify", prompts.Data{Question: q, Passages: passages}), `{"sufficient":true}`},
		{prompts.Render("verify", prompts.Data{Question: q, Passages: passages[2:]}), `{"sufficient":false}`},
		{prompts.Render("pseudo_document", prompts.Data{Question: q, Passages: passages[2:]}), `{"text":"Marie Curie was born."}`},
		{prompts.Render("hypothesise", prompts.Data{Question: q}), `{"answers":["Marie Curie was born."]}`},
		{prompts.Render("statements", prompts.Data{Question: q, Answers: []string{"Marie Curie was born in Warsaw.", "Marie Curie was born in Lodz."}}), `{"statements":["Marie Curie was born in Warsaw.","Marie Curie was born in Lodz."]}`},
		{prompts.Render("relevance_one", prompts.Data{Question: q, Passages: passages[1:2]}), `{"relevant":true}`},
		{prompts.Render("relevance_one", prompts.Data{Question: q, Passages: passages[2:3]}), `{"relevant":false}`},
		{prompts.Render("relevance_all", prompts.Data{Question: q, Passages: passages}), `{"relevant":[2]}`},
		{prompts.Render("relevance_all", prompts.Data{Question: q}), `{"relevant":[]}`},
		{prompts.Render("answerer", prompts.Data{Question: q, Passages: passages}), `{"quotes":[{"passage":2,"quote":"Marie Curie was a physicist. Marie Curie was born in Warsaw on 7 November 1867."}],"answer":"Warsaw","passages":[2,1]}`},
		{prompts.Render("answerer", prompts.Data{Question: q}), `{"quotes":[],"answer":"","passages":[]}`},
		{prompts.Render("answerer", prompts.Data{Question: "Which river does the Lumen Bridge cross?", Passages: []prompts.Passage{{Title: "Lumen Bridge", Text: "# Lumen Bridge\nThe Lumen Bridge crosses the river Aune near Tarnby."}}}),
			`{"quotes":[{"passage":1,"quote":"The Lumen Bridge crosses the river Aune near Tarnby."}],"answer":"Aune","passages":[1]}`},
		{prompts.Render("scale_answerer", prompts.Data{Question: q, Passages: passages}), `{"quotes":[{"passage":2,"quote":"Marie Curie was a physicist. Marie Curie was born in Warsaw on 7 November 1867."}],"answer":"Warsaw","passages":[2,1]}`},
		{prompts.Render("fusion", prompts.Data{Question: q, Answers: []string{"in Warsaw", "Warsaw", "", "Warsaw"}}), `{"readers":[2,1,4],"answer":"Warsaw"}`},
		{prompts.Render("synthesis", prompts.Data{Question: "Where was the discoverer of radium born?", Pairs: pairsShown}), `{"findings":[2,1],"answer":"Warsaw"}`},
		{prompts.Render("synthesis", prompts.Data{Question: "Who discovered radium, and where was Marie Curie born?", Pairs: pairsShown}), `{"findings":[1,2],"answer":"Marie Curie; Warsaw"}`},
		{prompts.Render("direct", prompts.Data{Question: "What is 12 times 12?"}), `{"answer":"144"}`},
		{prompts.Render("completeness", prompts.Data{Question: "Where was the discoverer of radium born?", Pairs: pairsShown}), `{"complete":true}`},
		{prompts.Render("completeness", prompts.Data{Question: "Where was the discoverer of radium born?", Pairs: pairsShown[:1]}), `{"complete":false}`},
		{prompts.Render("judge", prompts.Data{Question: "Where was the discoverer of radium born?"}), `{"enough":false}`},
		{prompts.Render("judge", prompts.Data{Question: "Where was the discoverer of radium born?", Pairs: pairsShown}), `{"enough":true}`},
		{prompts.Render("judge", prompts.Data{Question: "Where was the discoverer of radium born?", Pairs: pairsShown[:1]}), `{"enough":false}`},
	} {
		name, _, _ := Read(row.prompt)
		asked[name] = true
		if err := c.Chat(t.Context(), chatOf(row.prompt), func(r api.ChatResponse) error {
			if r.Message.Content != row.want || !r.Done || r.DoneReason != "stop" {
				t.Errorf("%s: %s %s, want %s", name, r.Message.Content, r.DoneReason, row.want)
			}
			return nil
		}); err != nil {
			t.Error(name, err)
		}
	}
	if len(asked) != len(prompts.Names()) {
		t.Errorf("asked %v of %v", asked, prompts.Names())
	}
}

// TestOther asks what is no prompt of ours, with and without a form.
func TestOther(t *testing.T) {
	t.Parallel()
	s, c, _ := start(t, Options{Latency: none})
	for format, want := range map[string]string{"": "144", `"json"`: `{"answer":"144"}`, `{"type":"object"}`: `{"answer":"144"}`} {
		req := &api.ChatRequest{Model: "any", Format: json.RawMessage(format), Messages: []api.Message{
			{Role: "user", Content: "Hello!"}, {Role: "assistant", Content: "Hello."}, {Role: "user", Content: "What is 12 times 12?"}}}
		if format == "" {
			req.Format = nil
		}
		var got strings.Builder
		if err := c.Chat(t.Context(), req, func(r api.ChatResponse) error {
			got.WriteString(r.Message.Content)
			return nil
		}); err != nil || got.String() != want {
			t.Errorf("format %s: %s, %v, want %s", format, got.String(), err, want)
		}
	}
	if n := s.Stats().Prompts["other"]; n != 3 {
		t.Errorf("%d prompts of other kinds", n)
	}
}
