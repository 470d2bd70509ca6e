package records

import (
	"strings"

	"hopstream/index/document/draft"
)

// Fields says in which fields of a record what a document consists of is found:
// "id", "title", "text" and "date", each by names or paths (author.name,
// lines.0). Of several the first that a record has counts; a text is made of all.
// What is not said is guessed.
type Fields map[string][]string

// guesses are the names that people give these fields, the likeliest first.
var guesses = map[string][]string{
	"id":    {"id", "_id", "key", "slug", "url"},
	"title": {"title", "name", "headline", "question"},
	"text":  {"text", "body", "content", "description", "answer"},
	"date":  {"date", "published", "created", "created_at", "updated", "timestamp"},
}

// Record is what a value says as a document.
type Record struct {
	ID, Title, Text, Date string // ID is empty if it has none
}

// RecordOf reads a record. A value without text has all its fields as text, each
// in a line with its path.
func RecordOf(v Value, fields Fields) Record {
	var r Record
	id, _ := find(v, fields, "id", true)
	title, _ := find(v, fields, "title", true)
	date, _ := find(v, fields, "date", true)
	r.ID, r.Title, r.Date = id, title, draft.Date(date)
	if paths := fields["text"]; len(paths) > 0 {
		var all []string
		for _, path := range paths {
			if f, ok := v.Field(path); ok && strings.TrimSpace(f.String()) != "" {
				all = append(all, f.String())
			}
		}
		r.Text = strings.Join(all, "\n\n")
		return r
	}
	var ok bool
	if r.Text, ok = find(v, fields, "text", false); !ok {
		r.Text = v.String()
	}
	return r
}

// find returns the value of a field that is mapped, or else guessed. A scalar is
// a string or a number.
func find(v Value, fields Fields, what string, scalar bool) (string, bool) {
	names := guesses[what]
	if paths := fields[what]; len(paths) > 0 {
		names = paths
	}
	for _, name := range names {
		f, ok := v.Field(name)
		if !ok || scalar && f.kind != '"' && f.kind != 'n' {
			continue
		}
		if text := f.String(); strings.TrimSpace(text) != "" {
			return text, true
		}
	}
	return "", false
}

// isRecord reports whether a value looks like a document among others: it has a
// text, and an ID or a title.
func isRecord(v Value, fields Fields) bool {
	if v.kind != '{' {
		return false
	}
	_, text := find(v, fields, "text", false)
	text = text || len(fields["text"]) > 0
	_, id := find(v, fields, "id", true)
	_, title := find(v, fields, "title", true)
	return text && (id || title)
}
