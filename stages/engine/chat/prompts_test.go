package chat

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/roles"
)

// shown is something of everything that a prompt may show; only a plan that
// led nowhere has a problem.
func shown(prompt string) *roles.Shown {
	s := &roles.Shown{
		Question: "Where was the designer born?", Class: messages.Complex, Pairs: pairs, Passages: passages, Windows: slices.Clone(windows),
		Findings: answers, Answers: []string{"Orla Venn drew it."}, Keywords: []string{"designer"}, Plan: plan, Prediction: "O. Venn", Golds: []string{"Orla Venn", "Venn"},
	}
	switch prompt {
	case "repair":
		s.Problem = "sub-question 2 found no answer"
	case "answerer":
		for i := range s.Windows {
			s.Windows[i].Scale = 0
		}
	case "relevance_one":
		s.Passages = passages[:1]
	}
	return s
}

// TestEveryPrompt asks every prompt of the table's roles, and holds that the
// engine asks it of that role, that it gives the prompt all that it shows, and
// that the replies which its system text shows are of the schema asked for.
func TestEveryPrompt(t *testing.T) {
	t.Parallel()
	var asked []string
	for _, row := range roles.Table() {
		for _, p := range row.Prompts {
			asked = append(asked, p.Name)
			e, s := scripted(Options{PerPassage: p.Name == "relevance_one"}, `{}`)
			_, err := p.Ask(t.Context(), e, shown(p.Name))
			if err == nil || !strings.HasPrefix(err.Error(), string(row.Role)+": ") || len(s.Asked()) != 2 {
				t.Errorf("%s is asked by %s: %v, %d calls", p.Name, row.Role, err, len(s.Asked()))
				continue
			}
			chat := s.Asked()[0]
			system, user := chat.Messages[0].Text, chat.Messages[1].Text
			if want := prompts.Render(p.Name, prompts.Data{}).System; system != want {
				t.Errorf("%s: asks another prompt:\n%s", p.Name, system)
			}
			for _, nothing := range []string{"There are no", "There is no", "Nothing has been"} {
				if strings.Contains(user, nothing) {
					t.Errorf("%s: is not given what it shows:\n%s", p.Name, user)
				}
			}
			if strings.Contains(user, "<problem>\n\n") || strings.Contains(user, "<prediction>\n\n") {
				t.Errorf("%s: is not given what it shows:\n%s", p.Name, user)
			}
			checkReplies(t, p.Name, system, chat.Schema)
		}
	}
	slices.Sort(asked)
	if names := prompts.Names(); !slices.Equal(asked, names) {
		t.Errorf("the table has the prompts\n%v, the files are\n%v", asked, names)
	}
}

// checkReplies holds every object that a system text shows to the schema: all
// that is required, nothing that the schema does not name, of the same kind.
func checkReplies(t *testing.T, name, system string, raw json.RawMessage) {
	t.Helper()
	var schema struct {
		Properties map[string]struct {
			Type string
			Enum []string
		}
		Required []string
	}
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatalf("%s: %v: %s", name, err, raw)
	}
	kinds := map[string]string{"[": "array", `"`: "string", "t": "boolean", "f": "boolean"}
	for n := 0; ; n++ {
		_, rest, ok := strings.Cut(system, "{")
		if !ok {
			if n < 2 {
				t.Errorf("%s shows %d objects", name, n)
			}
			return
		}
		var o map[string]json.RawMessage
		d := json.NewDecoder(strings.NewReader("{" + rest))
		if err := d.Decode(&o); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		system = rest[d.InputOffset()-1:]
		for _, key := range schema.Required {
			if o[key] == nil {
				t.Errorf("%s: an object without %q", name, key)
			}
		}
		for key, v := range o {
			p, ok := schema.Properties[key]
			if !ok || p.Enum == nil && p.Type != kinds[string(v[:1])] || p.Enum != nil && !slices.Contains(p.Enum, strings.Trim(string(v), `"`)) {
				t.Errorf("%s: %s is %s, and the schema %s", name, key, v, raw)
			}
		}
	}
}

// TestExamplesAreRead holds that every reply which a system text shows can be used
// as it stands.
func TestExamplesAreRead(t *testing.T) {
	t.Parallel()
	for _, row := range roles.Table() {
		for _, p := range row.Prompts {
			read := 0
			for line := range strings.Lines(prompts.Render(p.Name, prompts.Data{}).System) {
				_, reply, ok := strings.Cut(line, " -> ")
				if !ok || !strings.HasPrefix(reply, "{") {
					continue
				}
				read++
				e, s := scripted(Options{PerPassage: p.Name == "relevance_one"}, reply)
				if v, err := p.Ask(t.Context(), e, shown(p.Name)); err != nil || len(s.Asked()) != 1 {
					t.Errorf("%s reads %s as %v, %v, in %d calls", p.Name, reply, v, err, len(s.Asked()))
				} else if f, ok := v.(messages.Finding); ok && strings.Contains(reply, `"fields"`) && (len(f.Claims) < 2 || len(f.Claims[0].Fields) < 2) {
					t.Errorf("%s reads %s as %+v", p.Name, reply, f)
				}
			}
			if read < 3 {
				t.Errorf("%s shows %d examples", p.Name, read)
			}
		}
	}
}
