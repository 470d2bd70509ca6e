package config

import (
	"fmt"
	"strings"

	parser "github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/structs"
	"github.com/knadh/koanf/v2"
	"go.yaml.in/yaml/v3"
)

// YAML returns c as a configuration file, without passwords and keys. Above each
// key stands what it means, and its default where it has another value.
func (c Config) YAML() ([]byte, error) {
	k, err := loaded(c.Redacted())
	if err != nil {
		return nil, err
	}
	text, err := k.Marshal(parser.Parser())
	if err != nil {
		return nil, err
	}
	d := Default()
	d.FillIn()
	defaults, err := loaded(d.Redacted())
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	n := notes{about: map[string]string{}, is: k, def: defaults}
	for _, s := range settings() {
		n.about[s.key] = s.about
	}
	n.add(doc.Content[0], "")
	return yaml.Marshal(&doc)
}

func loaded(c Config) (*koanf.Koanf, error) {
	k := koanf.New(".")
	return k, k.Load(structs.Provider(c, "koanf"), nil)
}

// notes are the comments of a configuration file.
type notes struct {
	about   map[string]string // by key; each is written once
	is, def *koanf.Koanf
}

// add writes comments above the keys of a mapping, and of those in it.
func (n *notes) add(m *yaml.Node, prefix string) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		name, value := m.Content[i], m.Content[i+1]
		key := prefix + name.Value
		comment := n.about[general(key)]
		delete(n.about, general(key))
		if value.Kind == yaml.MappingNode && len(value.Content) > 0 {
			n.add(value, key+".")
		} else if d := n.def.Get(key); n.def.Exists(key) && fmt.Sprint(d) != fmt.Sprint(n.is.Get(key)) {
			comment = strings.TrimSpace(fmt.Sprintf("%s Default: %v", comment, printed(d)))
		}
		name.HeadComment = wrapped(comment)
	}
}

// printed is a value as a comment names it.
func printed(v any) any {
	if v == "" {
		return "empty"
	}
	return v
}

// noteWidth is how long a comment's lines are, in bytes.
const noteWidth = 90

// wrapped returns a text in lines.
func wrapped(text string) string {
	var out strings.Builder
	width := 0
	for _, word := range strings.Fields(text) {
		switch {
		case width == 0:
		case width+1+len(word) > noteWidth:
			out.WriteByte('\n')
			width = 0
		default:
			out.WriteByte(' ')
			width++
		}
		out.WriteString(word)
		width += len(word)
	}
	return out.String()
}
