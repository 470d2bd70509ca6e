package markup

import (
	"regexp"
	"slices"
	"strings"
)

var (
	rstDirective = regexp.MustCompile(`^\.\.\s+([\w:+.-]+?)::(?:\s+(.*))?$`)
	rstNote      = regexp.MustCompile(`^\.\.\s+\[([^\]]+)\]\s+(.*)$`)
	rstOption    = regexp.MustCompile(`^\s*:[\w-]+:`)
)

// codeDirectives hold code.
var codeDirectives = []string{"code", "code-block", "sourcecode", "parsed-literal", "literal", "prompt", "doctest", "testcode", "productionlist"}

// skippedDirectives hold nothing that is text of the document.
var skippedDirectives = []string{
	"toctree", "contents", "include", "literalinclude", "index", "raw", "meta", "image", "highlight", "currentmodule", "module",
	"automodule", "autoclass", "autofunction", "default-role", "role", "sectnum", "tabularcolumns", "graphviz", "plantuml", "mermaid",
	"testsetup", "testcleanup", "header", "footer", "class", "title", "autosummary",
}

// explicit reads what begins with two points: a directive, a note, a comment.
func (r *rst) explicit(body string, indent int) {
	if m := rstNote.FindStringSubmatch(body); m != nil {
		r.prose.add("["+strings.Trim(m[1], "#")+"] "+m[2], r.s.Number())
		return
	}
	m := rstDirective.FindStringSubmatch(body)
	switch {
	case m == nil || slices.Contains(skippedDirectives, m[1]):
		skipBlock(r.s, indent)
	case slices.Contains(codeDirectives, m[1]):
		r.options(indent)
		codeBlock(r.w, r.s, m[2], indent)
	default:
		// What is in it is text, indented, and the main loop reads it.
		number := r.s.Number()
		if m[2] != "" && m[1] != "figure" {
			r.prose.add(m[2], number)
		}
		r.options(indent)
	}
}

// options passes over the options of a directive.
func (r *rst) options(indent int) {
	for rstOption.MatchString(r.s.Peek(1)) && indentOf(r.s.Peek(1)) > indent {
		r.s.Skip(1)
	}
}
