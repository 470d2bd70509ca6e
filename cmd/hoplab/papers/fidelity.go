package papers

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"hopstream/cmd/internal/config"
)

// Check says which settings of the paper's rules do not have the value in c that
// the rules ask for; nil if all have.
func (p *Paper) Check(c *config.Config) error {
	var wrong []error
	for _, r := range p.Rules {
		for _, s := range r.Settings {
			is, err := c.Value(s.Key)
			switch {
			case err != nil:
				wrong = append(wrong, fmt.Errorf("%s: %q: %w", p.Name, r.What, err))
			case fmt.Sprint(is) != fmt.Sprint(s.Want) || kind(is) != kind(s.Want):
				wrong = append(wrong, fmt.Errorf("%s: %q asks for %s %v, and it is %v", p.Name, r.What, s.Key, s.Want, is))
			}
		}
	}
	return errors.Join(wrong...)
}

// kind tells lists from single values.
func kind(v any) bool {
	k := reflect.TypeOf(v).Kind()
	return k == reflect.Slice || k == reflect.Array
}

// settings are a rule's, as they are written in a configuration.
func (r *Rule) settings() string {
	out := make([]string, len(r.Settings))
	for i, s := range r.Settings {
		out[i] = fmt.Sprintf("%s: %s", s.Key, written(s.Want))
	}
	return strings.Join(out, ", ")
}

// written is a value as YAML has it.
func written(v any) string {
	if s, ok := v.(string); ok && s == "" {
		return `""`
	}
	text := fmt.Sprint(v)
	if kind(v) {
		return "[" + strings.Join(strings.Fields(strings.Trim(text, "[]")), ", ") + "]"
	}
	return text
}

// fidelityHead names the columns of the table of rules.
var fidelityHead = [...]string{"paper's rule", "where", "ours", "setting", "why it differs", "tests"}

func (r *Rule) cells() []string {
	return []string{r.What, r.Where, r.Ours, r.settings(), r.Choice, strings.Join(r.Tests, ", ")}
}

// WriteFidelity writes the tables of rules: as Markdown, or rule by rule for a
// terminal.
func WriteFidelity(w io.Writer, all []Paper, markdown bool) error {
	var b strings.Builder
	for i, p := range all {
		if i > 0 {
			b.WriteByte('\n')
		}
		if markdown {
			fmt.Fprintf(&b, "## %s\n\n%s (%s). `--preset %s`.\n\n| %s |\n|%s\n", p.Name, p.Title, p.Source, p.Name,
				strings.Join(fidelityHead[:], " | "), strings.Repeat("---|", len(fidelityHead)))
			for _, r := range p.Rules {
				fmt.Fprintf(&b, "| %s |\n", strings.Join(r.cells(), " | "))
			}
			fmt.Fprintf(&b, "\n%s\n", p.Lacks)
			continue
		}
		fmt.Fprintf(&b, "%s: %s (%s)\n", p.Name, p.Title, p.Source)
		for _, r := range p.Rules {
			cells := r.cells()
			fmt.Fprintf(&b, "\n%s (%s)\n", cells[0], cells[1])
			for j := 2; j < len(cells); j++ {
				if cells[j] != "" {
					fmt.Fprintf(&b, "  %-16s%s\n", fidelityHead[j], cells[j])
				}
			}
		}
		fmt.Fprintf(&b, "\nNot measured: %s\n", p.Lacks)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
