package chat

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/model/ollama"
	"hopstream/stages/engine/model/openai"
	"hopstream/stages/engine/roles"
)

// saying is a server of both protocols whose replies are set by the question,
// and which keeps the last request as it came.
type saying struct {
	mu      sync.Mutex
	reply   string
	request string
}

func (s *saying) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.request = string(body)
	text, _ := json.Marshal(s.reply)
	if r.URL.Path == "/api/chat" {
		fmt.Fprintf(w, `{"model":"m","message":{"role":"assistant","content":%s},"done":true,"done_reason":"stop"}`+"\n", text)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%s},"finish_reason":"stop"}]}`, text)
}

// overHTTP are engines whose model is on a server, by protocol.
func overHTTP(t *testing.T) (*saying, map[string]*roles.Set) {
	t.Helper()
	s := &saying{}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	a, err := ollama.NewClient(ollama.Spec{Model: "m", URL: h.URL, NumCtx: 8192})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	b, err := openai.NewClient(openai.Spec{Model: "m", URL: h.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	engines := map[string]*roles.Set{}
	for name, c := range map[string]model.Client{"ollama": a, "openai": b} {
		engines[name] = New(&roles.Set{}, allBy(model.New(c, model.Options{Name: "m"})), Options{NoFallback: true})
	}
	return s, engines
}

// bridge are whole passages about one thing, the third with code in it.
var bridge = []messages.Window{
	{Passage: "a#1", Title: "Lumen Bridge", Heading: "History", Text: "Its plans were drawn by\nOrla Venn in 1929."},
	{Passage: "b", Title: "Orla Venn", Text: "She was born in Tarn."},
	{Passage: "a#2", Title: "Lumen Bridge", Heading: "Use › Ships", Text: "1. Ring the bell.\n2. Run:\n\n```sh\nbridge  open <question> --now\n```"},
}

// TestWhatAModelCites holds what becomes of the quotes and numbers of an
// answer, right and wrong: what is given is kept as it is, what is not there is
// not made up.
func TestWhatAModelCites(t *testing.T) {
	t.Parallel()
	const first = `"sources":[{"id":"a#1","title":"Lumen Bridge"}]`
	for name, c := range map[string]struct{ reply, want string }{
		"right": {`{"quotes":[{"passage":1,"quote":"drawn by\nOrla Venn"}],"answer":"Orla Venn","passages":[1]}`,
			`{"text":"Orla Venn",` + first + `,"evidence":[{"id":"a#1","quote":"drawn by\nOrla Venn"}]}`},
		"no quotes":                          {`{"quotes":[],"answer":"Orla Venn","passages":[1]}`, `{"text":"Orla Venn",` + first + `}`},
		"nothing":                            {`{"quotes":[],"answer":"Orla Venn","passages":[]}`, `{"text":"Orla Venn"}`},
		"old shape":                          {`{"passages":[1],"answer":"Orla Venn"}`, `{"text":"Orla Venn",` + first + `}`},
		"old shape without numbers":          {`{"answer":"Orla Venn"}`, `{"text":"Orla Venn"}`},
		"a word alone is no answer's source": {`"Orla Venn"`, `{"text":"Orla Venn"}`},
		"numbers out of range": {`{"quotes":[{"passage":4,"quote":"drawn by Orla Venn"},{"passage":0,"quote":"in 1929"}],"answer":"Orla Venn","passages":[9,-1,0]}`,
			`{"text":"Orla Venn","evidence":[{"id":"","quote":"drawn by Orla Venn"},{"id":"","quote":"in 1929"}]}`},
		"one number is right": {`{"quotes":[],"answer":"Orla Venn","passages":[7,1]}`, `{"text":"Orla Venn",` + first + `}`},
		"numbers of the quotes alone": {`{"quotes":[{"passage":"1","quote":"drawn by Orla Venn"}],"answer":"Orla Venn"}`,
			`{"text":"Orla Venn",` + first + `,"evidence":[{"id":"a#1","quote":"drawn by Orla Venn"}]}`},
		"the question": {`{"quotes":[{"passage":2,"quote":"Who drew the plans?"}],"answer":"Orla Venn","passages":[1]}`,
			`{"text":"Orla Venn","sources":[{"id":"a#1","title":"Lumen Bridge"},{"id":"b","title":"Orla Venn"}],"evidence":[{"id":"b","quote":"Who drew the plans?"}]}`},
		"other case and white space": {`{"quotes":[{"passage":1,"quote":" ITS  plans\twere DRAWN by "}],"answer":"Orla Venn","passages":[1]}`,
			`{"text":"Orla Venn",` + first + `,"evidence":[{"id":"a#1","quote":"ITS plans were DRAWN by"}]}`},
		"half true": {`{"quotes":[{"passage":1,"quote":"drawn by Orla Venn, who was paid well"}],"answer":"Orla Venn","passages":[1]}`,
			`{"text":"Orla Venn",` + first + `,"evidence":[{"id":"a#1","quote":"drawn by Orla Venn, who was paid well"}]}`},
		"quotes but no answer": {`{"quotes":[{"passage":1,"quote":"drawn by"}],"answer":"","passages":[1]}`, `{}`},
		"quotes without numbers": {`{"quotes":["drawn by Orla Venn",""],"answer":"Orla Venn"}`,
			`{"text":"Orla Venn","evidence":[{"id":"","quote":"drawn by Orla Venn"}]}`},
		"one quote, no list": {`{"quotes":{"passage":1,"quote":"in 1929"},"answer":1929,"passages":1}`,
			`{"text":"1929",` + first + `,"evidence":[{"id":"a#1","quote":"in 1929"}]}`},
		"twice, empty and none": {`{"quotes":[{"passage":1,"quote":"in 1929"},{"passage":1,"quote":"in 1929"},{"passage":2,"quote":" "}],"answer":"1929","passages":[]}`,
			`{"text":"1929",` + first + `,"evidence":[{"id":"a#1","quote":"in 1929"}]}`},
		"too many": {`{"quotes":[{"quote":"a"},{"quote":"b"},{"quote":"c"},{"quote":"d"}],"answer":"x"}`,
			`{"text":"x","evidence":[{"id":"","quote":"a"},{"id":"","quote":"b"},{"id":"","quote":"c"}]}`},
		"too long": {`{"quotes":[{"passage":1,"quote":"` + strings.Repeat("x", maxQuote+1) + `"}],"answer":"x"}`, `{"text":"x"}`},
		"steps and code": {`{"quotes":[{"passage":3,"quote":"bridge  open &lt;question> --now\n"}],"answer":"1. Ring the bell. \r\n2. Run:\n\n` + "```sh" + `\nbridge  open &lt;question> --now\n` + "```" + `","passages":[3]}`,
			`{"text":"1. Ring the bell.\n2. Run:\n\n` + "```sh" + `\nbridge  open <question> --now\n` + "```" + `","sources":[{"id":"a#2","title":"Lumen Bridge"}],"evidence":[{"id":"a#2","quote":"bridge  open <question> --now"}]}`},
		"items": {`{"quotes":[{"passage":2,"quote":"in Tarn"}],"answer":"","passages":[],"items":[{"passages":[],"answer":"Tarn"},{"passages":[8,1],"answer":"Holm"}]}`,
			`{"text":"Tarn; Holm","sources":[{"id":"a#1","title":"Lumen Bridge"},{"id":"b","title":"Orla Venn"}],"claims":[{"text":"Tarn"},{"text":"Holm","citations":[{"id":"a#1","title":"Lumen Bridge"}]}],"evidence":[{"id":"b","quote":"in Tarn"}]}`},
	} {
		s, engines := overHTTP(t)
		for protocol, e := range engines {
			s.reply = c.reply
			if got, err := e.Answer(t.Context(), "Who drew the plans?", bridge); err != nil || asJSON(got) != c.want {
				t.Errorf("%s, %s, answer:\n%s, %v, want\n%s", name, protocol, asJSON(got), err, c.want)
			}
			if strings.Contains(c.reply, `"items"`) { // a summary has none
				continue
			}
			s.reply = strings.Replace(c.reply, `"answer"`, `"summary"`, 1)
			if got, err := e.Summarise(t.Context(), "Who drew the plans?", bridge); err != nil || asJSON(got) != c.want {
				t.Errorf("%s, %s, summary:\n%s, %v, want\n%s", name, protocol, asJSON(got), err, c.want)
			}
		}
	}
}

// asJSON is a finding without its confidence and the positions that nobody has
// looked up yet.
func asJSON(f messages.Finding) string {
	f.Confidence = 0
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(f)
	return strings.TrimSpace(strings.ReplaceAll(b.String(), `,"start":0,"end":0`, ""))
}

// TestQuotesComeFirst holds that the schema reaches a server with its fields in
// order: what supports an answer before the answer.
func TestQuotesComeFirst(t *testing.T) {
	t.Parallel()
	s, engines := overHTTP(t)
	for protocol, e := range engines {
		for name, order := range map[string][]string{
			"answerer": {"quotes", "passage", "quote", "answer", "passages", "items"}, "scale_answerer": {"quotes", "passage", "quote", "answer", "passages", "items"},
			"summariser": {"quotes", "passage", "quote", "summary", "passages"}, "fusion": {"readers", "answer"}, "synthesis": {"findings", "answer"},
		} {
			s.reply = `{"answer":"x","summary":"x"}`
			if err := askPrompt(t, e, name); err != nil {
				t.Fatal(err)
			}
			_, rest, ok := strings.Cut(s.request, `"properties":{`)
			if !ok {
				t.Fatalf("%s, %s: no schema in %s", protocol, name, s.request)
			}
			for _, field := range order {
				if _, rest, ok = strings.Cut(rest, `"`+field+`":{`); !ok {
					t.Errorf("%s, %s: %q is missing or too early in %s", protocol, name, field, s.request)
				}
			}
		}
	}
}

// TestAHowToFits holds that an answer of 150 words with code, and three quotes of
// a sentence or two, fit a reply, and ten passages of the usual size its prompt.
func TestAHowToFits(t *testing.T) {
	t.Parallel()
	steps := strings.Repeat("1. Ring the bell twice and wait for the keeper's reply.\\n", 13) + "```sh\\nbridge --open --now --id=4711 && bridge --status\\n```"
	quote := `{"passage":1,"quote":"` + strings.Repeat("It is opened for every ship that asks for it. ", 4) + `"}`
	reply := `{"quotes":[` + quote + "," + quote + "," + quote + `],"answer":"` + steps + `","passages":[1,2,3]}`
	if words := len(strings.Fields(steps)); words < 130 {
		t.Fatalf("%d words", words)
	}
	if n := model.Estimate([]model.Message{{Text: reply}}); n > answerTokens {
		t.Errorf("the reply has about %d tokens, the limit is %d", n, answerTokens)
	}
	s := &model.Scripted{Replies: []string{reply}}
	e := New(&roles.Set{}, allBy(model.New(s, model.Options{Name: "m"})), Options{NoFallback: true})
	var ten []messages.Window
	for i := range 10 {
		ten = append(ten, messages.Window{Passage: fmt.Sprint(i), Text: strings.Repeat("The bridge is opened for ships. ", 50)})
	}
	f, err := e.Answer(t.Context(), "How is it opened?", ten)
	if err != nil || len(f.Evidence) != 1 || len(f.Sources) != 3 || len(f.Text) < 500 || len(f.Text) > maxText {
		t.Errorf("%+v, %v", f, err)
	}
	if user := s.Asked()[0].Messages[1].Text; !strings.Contains(user, `number="10"`) || s.Asked()[0].MaxTokens != answerTokens {
		t.Errorf("a reply of %d tokens, to:\n%s", s.Asked()[0].MaxTokens, user)
	}
}

// askPrompt asks the question of a prompt by its name.
func askPrompt(t *testing.T, e *roles.Set, name string) error {
	t.Helper()
	for _, row := range roles.Table() {
		for _, p := range row.Prompts {
			if p.Name == name {
				_, err := p.Ask(t.Context(), e, shown(name))
				return err
			}
		}
	}
	return fmt.Errorf("no prompt %s", name)
}

// TestPassagesAreShownWhole holds that a model is shown title, heading and text
// of a passage, its lists and code as they are.
func TestPassagesAreShownWhole(t *testing.T) {
	t.Parallel()
	e, s := scripted(Options{}, `{"answer":"x","relevant":[]}`)
	if _, err := e.Answer(t.Context(), "How?", bridge); err != nil {
		t.Fatal(err)
	}
	p := messages.Passage{ID: "a#2", Title: "Lumen Bridge", Text: bridge[2].Text, Place: messages.Place{Heading: "Use › Ships"}}
	if _, err := e.Relevant(t.Context(), "How?", []messages.Passage{p, p}); err != nil {
		t.Fatal(err)
	}
	want := `title="Lumen Bridge" heading="Use › Ships">` + "\n" + prompts.Quote(bridge[2].Text) + "\n</passage>"
	for _, r := range s.Asked() {
		if user := r.Messages[1].Text; !strings.Contains(user, want) {
			t.Errorf("shown:\n%s", user)
		}
	}
}
