package sim

import (
	"unicode/utf8"

	"github.com/ollama/ollama/api"

	"hopstream/prompts"
)

// ask is a request for a reply, in whatever protocol it came.
type ask struct {
	model    string
	turns    []api.Message
	schema   bool // JSON is wanted
	numCtx   int  // asked for; 0 for the default
	limit    int  // of the reply, in tokens; 0 or below for none
	whole    bool // do not cut the prompt
	logprobs bool
	top      int // likely tokens to be shown besides

	stream bool
}

// prompt is what a request says to the model.
type prompt struct {
	role   string // one of prompts.Names, or "other"
	data   prompts.Data
	plain  string // the last user text
	repair bool   // the model is shown its first reply
	schema bool
}

// other is the role of a prompt that is none of ours.
const other = "other"

// read finds out what the turns ask.
func (a *ask) read() *prompt {
	p := &prompt{role: other, schema: a.schema}
	system, user, users := "", "", 0
	for i, t := range a.turns {
		switch t.Role {
		case "system":
			if users == 0 {
				system = t.Content
			}
		case "user":
			if users++; users == 1 {
				user = t.Content
				p.repair = i < len(a.turns)-1
			}
			p.plain = t.Content
		}
	}
	if name, data, ok := Read(prompts.Prompt{System: system, User: user}); ok {
		p.role, p.data = name, data
	}
	return p
}

// forget empties the passages and findings that a prompt too long by so many
// tokens loses: its beginning. The numbers of the others stay.
func (p *prompt) forget(tokens int) {
	for i := range p.data.Passages {
		if tokens <= 0 {
			return
		}
		tokens -= countTokens(p.data.Passages[i].Text)
		p.data.Passages[i] = prompts.Passage{}
	}
	for i := range p.data.Pairs {
		if tokens <= 0 {
			return
		}
		tokens -= countTokens(p.data.Pairs[i].Question) + countTokens(p.data.Pairs[i].Answer)
		p.data.Pairs[i].Answer = ""
	}
}

// tokens is the length of the whole prompt.
func (a *ask) tokens() int {
	n := 0
	for _, t := range a.turns {
		n += utf8.RuneCountInString(t.Content)
	}
	return (n + runesPerToken - 1) / runesPerToken
}

const runesPerToken = 4

func countTokens(text string) int {
	return (utf8.RuneCountInString(text) + runesPerToken - 1) / runesPerToken
}

// pieces cuts a text into its tokens.
func pieces(text string) []string {
	var out []string
	for text != "" {
		end := 0
		for n := 0; n < runesPerToken && end < len(text); n++ {
			_, size := utf8.DecodeRuneInString(text[end:])
			end += size
		}
		out = append(out, text[:end])
		text = text[end:]
	}
	return out
}
