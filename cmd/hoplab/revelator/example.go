package revelator

import (
	"bytes"
	"encoding/json"
	"strings"

	"hopstream/messages"
	"hopstream/prompts"
)

// Role is what a training set teaches.
type Role string

// The roles. RelevanceAll teaches the relevance filter to judge all passages
// of a search in one call, as the engine asks unless filter.per_passage is set;
// Relevance one at a time, as HANRAG has it.
const (
	Router       Role = "router"
	Decomposer   Role = "decomposer"
	Refiner      Role = "refiner"
	Relevance    Role = "relevance"
	RelevanceAll Role = "relevance_all"
	Ending       Role = "ending"
)

// Roles returns all, in the order of the pipeline.
func Roles() []Role { return []Role{Router, Decomposer, Refiner, Relevance, RelevanceAll, Ending} }

// Example is a prompt as the engine asks it, and the reply wanted.
type Example struct {
	Prompt prompts.Prompt
	Reply  string // a JSON object
	// Label is the value by which the manifest counts examples: the class, true or
	// false, or the number of items.
	Label string
}

func routerExample(question string, class messages.Class) Example {
	return Example{prompts.Render("router", prompts.Data{Question: question}), reply("class", class), string(class)}
}

func decomposerExample(question string, parts []string) Example {
	label := "parts"
	if len(parts) == 1 {
		label = "itself"
	}
	return Example{prompts.Render("decomposer", prompts.Data{Question: question}), reply("questions", quoted(parts)), label}
}

func refinerExample(question string, found []prompts.Pair, next string) Example {
	label := "next"
	switch next {
	case "":
		label = "done"
	case question:
		label = "itself"
	}
	return Example{prompts.Render("refiner", prompts.Data{Question: question, Pairs: found}), reply("question", quote(next)), label}
}

func relevanceExample(question string, p messages.Passage, relevant bool) Example {
	in := prompts.Data{Question: question, Passages: []prompts.Passage{{Title: p.Title, Text: p.Text}}}
	return Example{prompts.Render("relevance_one", in), reply("relevant", relevant), verdict(relevant)}
}

func relevanceAllExample(question string, shown []messages.Passage, relevant []int) Example {
	in := prompts.Data{Question: question}
	for _, p := range shown {
		in.Passages = append(in.Passages, prompts.Passage{Title: p.Title, Text: p.Text})
	}
	label := "some"
	if len(relevant) == 0 {
		label, relevant = "none", []int{}
	}
	return Example{prompts.Render("relevance_all", in), reply("relevant", relevant), label}
}

func endingExample(question string, found []prompts.Pair, enough bool) Example {
	label := verdict(enough)
	if len(found) == 0 {
		label = "nothing found yet: " + label
	}
	return Example{prompts.Render("judge", prompts.Data{Question: question, Pairs: found}), reply("enough", enough), label}
}

func verdict(yes bool) string {
	if yes {
		return "true"
	}
	return "false"
}

// quote writes a text on one line and escaped as in the prompts, because a model
// copies text from there in that form; the engine removes the escapes.
func quote(text string) string { return prompts.Quote(strings.Join(strings.Fields(text), " ")) }

func quoted(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = quote(t)
	}
	return out
}

// reply is an object of one field, in the form that the prompts show.
func reply(key string, value any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic(err) // texts, booleans and numbers
	}
	return `{"` + key + `":` + strings.TrimSuffix(b.String(), "\n") + "}"
}
