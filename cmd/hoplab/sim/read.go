package sim

import (
	"strings"

	"hopstream/prompts"
)

// Read is the inverse of prompts.Render: it returns the name of a prompt, and
// the data as it was given. Text that was not valid UTF-8 or held control
// characters comes back cleaned. ok is false for every prompt that would not
// be rendered the same.
func Read(p prompts.Prompt) (name string, d prompts.Data, ok bool) {
	name, ok = bySystem[p.System]
	if !ok {
		return "", prompts.Data{}, false
	}
	d = data(p.User)
	if prompts.Render(name, d).User != p.User {
		return "", prompts.Data{}, false
	}
	return name, d, true
}

// bySystem are the prompts' names by their system texts; it never changes.
var bySystem = func() map[string]string {
	out := map[string]string{}
	for _, name := range prompts.Names() {
		out[prompts.Render(name, prompts.Data{}).System] = name
	}
	return out
}()

// data is what a user text shows. No data holds a mark, so that each mark ends
// at the first of its kind.
func data(user string) (d prompts.Data) {
	for _, item := range items(user, "passages", "passage") {
		var p prompts.Passage
		if rest, ok := strings.CutPrefix(item, ` title="`); ok {
			p.Title, item, _ = strings.Cut(rest, `"`)
		}
		if rest, ok := strings.CutPrefix(item, ` heading="`); ok {
			p.Heading, item, _ = strings.Cut(rest, `"`)
		}
		p.Text = strings.TrimSuffix(strings.TrimPrefix(item, ">\n"), "\n")
		d.Passages = append(d.Passages, prompts.Passage{Title: prompts.Plain(p.Title), Heading: prompts.Plain(p.Heading), Text: prompts.Plain(p.Text)})
	}
	for _, item := range items(user, "findings", "finding") {
		d.Pairs = append(d.Pairs, prompts.Pair{Question: between(item, "<asked>", "</asked>"), Answer: between(item, "<found>", "</found>")})
	}
	for _, item := range items(user, "answers", "answer") {
		if strings.HasPrefix(item, "><notfound>") {
			item = ""
		}
		d.Answers = append(d.Answers, plain(item))
	}
	for _, item := range items(user, "keywords", "keyword") {
		d.Keywords = append(d.Keywords, plain(item))
	}
	for _, item := range items(user, "plan", "planned") {
		d.Plan = append(d.Plan, plain(item))
	}
	d.Problem = between(user, "<problem>\n", "\n</problem>\n")
	d.Prediction = between(user, "<prediction>\n", "\n</prediction>\n")
	d.Question = between(user, "<question>\n", "\n</question>")
	return d
}

// items are what follows the numbers of the marks of a section, up to their
// ends.
func items(user, section, mark string) (out []string) {
	_, rest, _ := strings.Cut(user, "<"+section+">\n")
	rest, _, _ = strings.Cut(rest, "</"+section+">")
	for {
		_, item, ok := strings.Cut(rest, "<"+mark+` number="`)
		if !ok {
			return out
		}
		item, rest, _ = strings.Cut(item, "</"+mark+">\n")
		_, item, _ = strings.Cut(item, `"`)
		out = append(out, item)
	}
}

func between(text, begin, end string) string {
	_, rest, _ := strings.Cut(text, begin)
	text, _, _ = strings.Cut(rest, end)
	return prompts.Plain(text)
}

func plain(item string) string { return prompts.Plain(strings.TrimPrefix(item, ">")) }
