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

	"hopstream/prompts"
	"hopstream/stages/engine/builtin"
)

// none is a latency that tests need not wait for.
var none = Latency{Mean: -1}

// start serves o on a free port, with the builtin engine.
func start(t *testing.T, o Options) (*Server, *api.Client, string) {
	t.Helper()
	o.Engine = builtin.New(builtin.Options{})
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
		{prompts.RouterInput{Question: q}.Prompt(), `{"class":"single"}`},
		{prompts.DecomposerInput{Question: "Who wrote Dracula, and when did Bram Stoker die?"}.Prompt(), `{"questions":["Who wrote Dracula?","When did Bram Stoker die?"]}`},
		{prompts.RefinerInput{Question: "Where was the discoverer of radium born?"}.Prompt(), `{"question":"Who is the discoverer of radium?"}`},
		{prompts.PlannerInput{Question: "Where was the discoverer of radium born?"}.Prompt(), `{"questions":["Who is the discoverer of radium?","Where was $1 born?"]}`},
		{prompts.ReviserInput{Question: "Where was the discoverer of radium born?", Plan: []string{"Who discovered radium?", "Where was $1 born?"}}.Prompt(), `{"questions":[]}`},
		{prompts.RepairInput{Question: "Where was the discoverer of radium born?", Plan: []string{"Who?", "Where was $1 born?"}, Problem: "sub-question 1 found no answer"}.Prompt(), `{"questions":["Who is the discoverer of radium?","Where was $1 born?"]}`},
		{prompts.SupplementerInput{Question: "Where was the discoverer of radium born?"}.Prompt(), `{"queries":["Who is the discoverer of radium?"]}`},
		{prompts.SupplementerInput{Question: "Where was the discoverer of radium born?", Pairs: []prompts.Pair{{Question: "Who is the discoverer of radium?", Answer: "Marie Curie"}}}.Prompt(), `{"queries":["Where was Marie Curie born?"]}`},
		{prompts.SupplementerInput{Question: "Where was the discoverer of radium born?", Pairs: []prompts.Pair{{Question: "Who is the discoverer of radium?", Answer: "Marie Curie"}, pairsShown[1]}}.Prompt(), `{"queries":[]}`},
		{prompts.SummariserInput{Question: q, Passages: passages}.Prompt(), `{"passages":[2,1],"summary":"Warsaw"}`},
		{prompts.SummariserInput{Question: q}.Prompt(), `{"passages":[],"summary":""}`},
		{prompts.EquivalenceInput{Question: q, Golds: []string{"Warsaw"}, Prediction: "in Warsaw"}.Prompt(), `{"same":true}`},
		{prompts.EquivalenceInput{Question: q, Golds: []string{"Warsaw"}, Prediction: "Berlin"}.Prompt(), `{"same":false}`},
		{prompts.KeywordsInput{Question: q}.Prompt(), `{"keywords":["Marie Curie","born"]}`},
		{prompts.KeywordsInput{Question: "Who is he?"}.Prompt(), `{"keywords":["Who is he?"]}`},
		{prompts.ExtendInput{Question: q, Keywords: []string{"Marie Curie", "born"}, Passages: passages}.Prompt(), `{"word":"Marie Curie"}`},
		{prompts.EmphasiseInput{Question: q, Keywords: []string{"born"}, Passages: passages}.Prompt(), `{"word":"born"}`},
		{prompts.ExcludeInput{Question: q, Keywords: []string{"born"}, Passages: passages}.Prompt(), `{"word":""}`},
		{prompts.VerifyInput{Question: q, Passages: passages}.Prompt(), `{"sufficient":true}`},
		{prompts.VerifyInput{Question: q, Passages: passages[2:]}.Prompt(), `{"sufficient":false}`},
		{prompts.PseudoDocumentInput{Question: q, Passages: passages[2:]}.Prompt(), `{"text":"Marie Curie was born."}`},
		{prompts.HypothesiseInput{Question: q}.Prompt(), `{"statements":["Marie Curie was born."]}`},
		{prompts.RelevanceOneInput{Question: q, Passage: passages[1]}.Prompt(), `{"relevant":true}`},
		{prompts.RelevanceOneInput{Question: q, Passage: passages[2]}.Prompt(), `{"relevant":false}`},
		{prompts.RelevanceAllInput{Question: q, Passages: passages}.Prompt(), `{"relevant":[2]}`},
		{prompts.RelevanceAllInput{Question: q}.Prompt(), `{"relevant":[]}`},
		{prompts.AnswererInput{Question: q, Passages: passages}.Prompt(), `{"passages":[2,1],"answer":"Warsaw"}`},
		{prompts.AnswererInput{Question: q}.Prompt(), `{"passages":[],"answer":""}`},
		{prompts.ScaleAnswererInput{Question: q, Excerpts: passages}.Prompt(), `{"passages":[2,1],"answer":"Warsaw"}`},
		{prompts.FusionInput{Question: q, Answers: []string{"in Warsaw", "Warsaw", "", "Warsaw"}}.Prompt(), `{"answer":"Warsaw"}`},
		{prompts.SynthesisInput{Question: "Where was the discoverer of radium born?", Pairs: pairsShown}.Prompt(), `{"answer":"Warsaw"}`},
		{prompts.SynthesisInput{Question: "Who discovered radium, and where was Marie Curie born?", Pairs: pairsShown}.Prompt(), `{"answer":"Marie Curie; Warsaw"}`},
		{prompts.DirectInput{Question: "What is 12 times 12?"}.Prompt(), `{"answer":"144"}`},
		{prompts.JudgeInput{Question: "Where was the discoverer of radium born?", Pairs: pairsShown}.Prompt(), `{"enough":true}`},
		{prompts.JudgeInput{Question: "Where was the discoverer of radium born?", Pairs: pairsShown[:1]}.Prompt(), `{"enough":false}`},
	} {
		name, _ := prompts.Identify(row.prompt.System)
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
