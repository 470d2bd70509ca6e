package chat

import (
	"context"
	"encoding/json"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// Classify tells which of HANRAG's four classes a question is.
func (e *engine) Classify(ctx context.Context, question string) (messages.Class, error) {
	return value(ask(ctx, e, roles.Router, "router", prompts.Data{Question: question}, classOf()))
}

func classOf() form[messages.Class] {
	var allowed []string
	for _, c := range messages.Classes() {
		allowed = append(allowed, string(c))
	}
	enum, _ := json.Marshal(allowed) // texts
	return form[messages.Class]{"class", schema("class", `{"enum":`+string(enum)+`}`), verdictTokens, func(o model.Object, _ int) (messages.Class, error) {
		class, err := o.Choice("class", allowed...)
		return messages.Class(class), err
	}}
}
