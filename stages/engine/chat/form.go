package chat

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

// form is the form of a reply: an object with the field key, its JSON schema, how
// many tokens it may have, and how an answer is read from it.
type form[T any] struct {
	key    string
	schema json.RawMessage
	tokens int
	read   func(o model.Object, shown int) (T, error)
}

// The lengths of replies, in tokens at most. An answer of 150 words with code in
// it takes about 400, its quotes as many; thirty statements of fifteen words take
// about 700.
const (
	verdictTokens  = 64
	listTokens     = 512
	longListTokens = 1024
	answerTokens   = 1024
)

// maxText bounds an answer, in bytes.
const maxText = 4000

const (
	aText = `{"type":"string"}`
	aBool = `{"type":"boolean"}`
)

// verdict is true or false.
func verdict(key string) form[bool] {
	return form[bool]{key, schema(key, aBool), verdictTokens, func(o model.Object, _ int) (bool, error) { return o.Bool(key) }}
}

// text is a text of so many bytes and tokens at most, which may be empty.
func text(key string, most, tokens int) form[string] {
	return form[string]{key, schema(key, aText), tokens, func(o model.Object, _ int) (string, error) {
		s, err := o.Text(key, most)
		return prompts.Plain(s), err
	}}
}

// texts is a list of one to count texts, each of so many bytes at most, of so many
// tokens together.
func texts(key string, count, most, tokens int) form[[]string] {
	return form[[]string]{key, textList(key, 1, count), tokens, func(o model.Object, _ int) ([]string, error) {
		all, err := o.Texts(key, count, most)
		if err == nil && len(all) == 0 {
			err = errors.New(`"` + key + `" is empty`)
		}
		for i := range all {
			all[i] = prompts.Plain(all[i])
		}
		return all, err
	}}
}

// finding is an answer alone, which may be empty.
func finding() form[messages.Finding] {
	return form[messages.Finding]{"answer", schema("answer", aText), answerTokens, func(o model.Object, _ int) (messages.Finding, error) {
		s, err := o.Lines("answer", maxText)
		return messages.Finding{Text: unlessNone(prompts.Plain(s))}, err
	}}
}

// composition is an answer made of others.
type composition struct {
	text  string
	from  []int            // the numbers of those it is made of, from 1
	items []messages.Claim // where it is a list of records
}

// composing is the form of an answer made of n others, whose numbers the field
// from lists.
func composing(from string, n int) form[composition] {
	return form[composition]{"answer", schema(from, numbers(n), "answer", aText), answerTokens, func(o model.Object, _ int) (composition, error) {
		text, err := o.Lines("answer", maxText)
		c := composition{text: unlessNone(prompts.Plain(text))}
		c.from, _ = o.Numbers(from, n) // the numbers may be missing
		return c, err
	}}
}

// schema returns the JSON schema of an object with one property each for the
// pairs of name and definition, in that order, all required but those whose
// name ends with a question mark.
func schema(nameAndDefinition ...string) json.RawMessage {
	properties, required := "", ""
	for i := 0; i < len(nameAndDefinition); i += 2 {
		name, optional := strings.CutSuffix(nameAndDefinition[i], "?")
		if i > 0 {
			properties += ","
		}
		properties += fmt.Sprintf("%q:%s", name, nameAndDefinition[i+1])
		if optional {
			continue
		}
		if required != "" {
			required += ","
		}
		required += fmt.Sprintf("%q", name)
	}
	return json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":[` + required + `]}`)
}

// textList is the schema of an object that holds a list of least to most texts.
func textList(name string, least, most int) json.RawMessage {
	return schema(name, fmt.Sprintf(`{"type":"array","items":{"type":"string"},"minItems":%d,"maxItems":%d}`, least, most))
}

// numbers is the definition of a list of numbers from 1 to n.
func numbers(n int) string {
	return fmt.Sprintf(`{"type":"array","items":%s,"maxItems":%d}`, number(n), n)
}

// number is the definition of a number from 1 to n.
func number(n int) string {
	all := ""
	for i := 1; i <= n; i++ {
		if i > 1 {
			all += ","
		}
		all += fmt.Sprint(i)
	}
	return `{"enum":[` + all + `]}`
}

// unlessNone returns an empty text for an answer such as "not found": small models
// write it where they were asked for an empty text.
func unlessNone(answer string) string {
	s := strings.ToLower(strings.Trim(answer, " .!\"'()[]"))
	switch s {
	case "", "none", "null", "n/a", "na", "unknown", "not found", "no answer", "not given", "not mentioned", "not specified",
		"not available", "not stated", "not provided", "i don't know", "i do not know", "cannot be determined", "insufficient information":
		return ""
	}
	return answer
}
