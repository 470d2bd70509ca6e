package markup

import (
	"strings"

	"hopstream/index/document/draft"
)

// maxFront is the most lines of front matter.
const maxFront = 500

// front is what the front matter of a document says about it.
type front struct {
	there                bool
	title, date, summary string
}

// frontMatter reads a leading block of YAML between lines of ---, or of TOML
// between lines of +++. Without one, nothing is read.
func frontMatter(s *draft.Scanner) front {
	var f front
	mark := s.Peek(1)
	if mark != "---" && mark != "+++" {
		return f
	}
	end := 0
	for i := 2; i <= maxFront; i++ {
		if line := s.Peek(i); line == mark || line == "..." && mark == "---" {
			end = i
			break
		}
	}
	// Two rules with text between them are no front matter.
	sep := map[string]string{"---": ":", "+++": "="}[mark]
	if end == 0 || end > 2 && !keyed(s, end, sep) {
		return f
	}
	f.there = true
	s.Skip(1)
	key, value := "", ""
	for range end - 2 {
		s.Scan()
		line := s.Text()
		if k, v, ok := strings.Cut(line, sep); ok && line[0] != ' ' && line[0] != '\t' && line[0] != '-' && line[0] != '#' {
			f.set(key, value)
			key, value = strings.ToLower(strings.TrimSpace(k)), strings.TrimSpace(v)
			continue
		}
		value += "\n" + strings.TrimSpace(line)
	}
	f.set(key, value)
	s.Skip(1)
	return f
}

// keyed reports whether the lines before line end begin with a key.
func keyed(s *draft.Scanner, end int, sep string) bool {
	for i := 2; i < end; i++ {
		line := strings.TrimSpace(s.Peek(i))
		if line == "" || line[0] == '#' {
			continue
		}
		key, _, ok := strings.Cut(line, sep)
		return (ok || line[0] == '[') && !strings.Contains(strings.TrimSpace(key), "  ") && len(key) < 60
	}
	return true
}

// set takes the value of a key.
func (f *front) set(key, value string) {
	first, rest, _ := strings.Cut(value, "\n")
	switch strings.TrimRight(first, "-+") {
	case ">", "|":
		value = rest
	}
	value = strings.TrimSpace(value)
	if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		quote := value[:1]
		value = strings.Trim(value, quote)
		value = strings.ReplaceAll(strings.ReplaceAll(value, `\"`, `"`), "''", "'")
	}
	if strings.HasPrefix(value, "[") || strings.HasPrefix(value, "{") || strings.HasPrefix(value, "- ") {
		return // a list
	}
	switch key {
	case "title":
		f.title = value
	case "date", "published", "pubdate", "created":
		if f.date == "" {
			f.date = value
		}
	case "description", "summary", "excerpt", "abstract":
		if f.summary == "" {
			f.summary = value
		}
	}
}
