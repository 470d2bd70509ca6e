package sim

import (
	"math/rand/v2"
	"strings"
)

// text is a reply as it goes out.
type text struct {
	content  string
	thinking string
	length   bool // it ends because of its length
}

// spoil does to a reply's text what the fault says.
func spoil(fault, content string, rng *rand.Rand) text {
	switch fault {
	case "malformed":
		return text{content: pick(rng,
			strings.TrimSuffix(strings.NewReplacer(`"`, `'`, `:`, ` `).Replace(content), "}"),
			strings.Replace(content, `":`, `" = <`, 1),
			strings.Replace(content, `{"`, `{{{"`, 1))}
	case "chatter":
		return text{content: pick(rng,
			"```json\n"+content+"\n```",
			"Sure! Here is the JSON object that you asked for:\n\n"+content,
			content+"\n\nLet me know if there is anything else.",
			"Here you are:\n```\n"+content+"\n```\nI took this from what you gave me.")}
	case "thinking":
		return text{thinking: words(rng, 60), length: true}
	case "wrong-schema":
		return text{content: pick(rng,
			`{"result":{"items":[{"value":1}],"status":"ok"}}`,
			`["one","two"]`,
			`{"type":"object","properties":{},"required":[]}`,
			`42`)}
	case "truncated":
		r := []rune(content)
		return text{content: string(r[:len(r)/2]), length: true}
	case "noise":
		return text{content: words(rng, 5+rng.IntN(30))}
	}
	return text{content: content}
}

func pick(rng *rand.Rand, of ...string) string { return of[rng.IntN(len(of))] }

var vocabulary = strings.Fields(`the of river stone under because seven window paper and slowly green
	engine to north perhaps carries silence in table every cloud a before yellow it is number walks
	memory or kettle during bright with so salt moreover`)

func words(rng *rand.Rand, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = vocabulary[rng.IntN(len(vocabulary))]
	}
	return strings.Join(out, " ")
}
