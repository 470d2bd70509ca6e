package chat

import (
	"fmt"
	"slices"
	"strings"

	"hopstream/messages"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

// The longest name and value of a record's field, in bytes.
const (
	maxFieldName  = 80
	maxFieldValue = 600
)

// fields is the definition of a record's fields: what a question asks of each of
// several things (MuISQA's structured answers).
func fields() string {
	return fmt.Sprintf(`{"type":"array","items":%s,"maxItems":%d}`, schema("name", aText, "value", aText), messages.MaxFields)
}

// readFields reads an item's fields: a list of names and values or, as models write
// it too, an object with a value for each name. A field without a usable name is
// left out; a value that is too long, or says that there is none, is empty.
func readFields(item model.Object) []messages.Field {
	var out []messages.Field
	for _, o := range item.Objects("fields", messages.MaxFields) {
		names := o.Keys()
		if slices.Equal(names, []string{"name", "value"}) || slices.Equal(names, []string{"name"}) {
			name, err := o.Text("name", maxFieldName)
			if err == nil {
				out = addFields(out, field(o, name, "value"))
			}
			continue
		}
		for _, name := range names {
			out = addFields(out, field(o, name, name))
		}
	}
	return out
}

// field is a field of that name, whose value o has under key. A semicolon separates
// items, so a value has none.
func field(o model.Object, name, key string) messages.Field {
	value, _ := o.Text(key, maxFieldValue) // a value may be missing
	value = strings.ReplaceAll(unlessNone(prompts.Plain(value)), ";", ",")
	return messages.Field{Name: strings.TrimSpace(prompts.Plain(name)), Value: value}
}

// addFields adds fields by their names: a value where there is none yet, and a
// field that is missing.
func addFields(all []messages.Field, more ...messages.Field) []messages.Field {
	for _, f := range more {
		at := slices.IndexFunc(all, func(o messages.Field) bool { return fold(o.Name) == fold(f.Name) })
		switch {
		case fold(f.Name) == "" || len(f.Name) > maxFieldName:
		case at >= 0 && all[at].Value == "":
			all[at].Value = f.Value
		case at < 0 && len(all) < messages.MaxFields:
			all = append(all, f)
		}
	}
	return all
}

// recordBegins stands between a record's name and its fields in a text.
const recordBegins = " ("

// inWords is a claim as a text: a record's name with the fields that are known in
// brackets, such as "Tarn (length: 12 km, source: Holm)".
func inWords(c *messages.Claim) string {
	var known []string
	for _, f := range c.Fields {
		if f.Value != "" {
			known = append(known, f.Name+": "+f.Value)
		}
	}
	if known == nil {
		return c.Text
	}
	return c.Text + recordBegins + strings.Join(known, ", ") + ")"
}
