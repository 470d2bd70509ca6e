package markup

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"hopstream/index/document/draft"
)

func (m *markdown) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		m.block(c)
	}
}

// block writes a block and what is in it.
func (m *markdown) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		in := m.inline(n)
		if len(in) > 0 {
			m.w.Heading(n.Level, withoutAttributes(joined(in)), in[0].number)
		}
	case *ast.Paragraph:
		m.w.Block()
		m.lines(n)
		m.w.Block()
	case *ast.TextBlock:
		m.lines(n)
	case *ast.List:
		m.list(n)
	case *ast.CodeBlock:
		m.code(n, "")
	case *ast.FencedCodeBlock:
		m.code(n, string(n.Language(m.source)))
	case *ast.HTMLBlock:
		m.html(n)
	case *east.Table:
		m.w.Block()
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			m.row(c)
		}
		m.w.Block()
	case *ast.Blockquote:
		m.w.Block()
		m.children(n)
		m.w.Block()
	default:
		m.w.Block()
		m.children(n)
	}
}

// withoutAttributes cuts {#name .class} off a heading.
func withoutAttributes(s string) string {
	if at := strings.LastIndex(s, " {"); at >= 0 && strings.HasSuffix(s, "}") && strings.ContainsAny(s[at+2:at+3], "#.:") {
		return s[:at]
	}
	return s
}

func (m *markdown) list(l *ast.List) {
	if l.Parent() == nil || l.Parent().Kind() != ast.KindListItem {
		m.w.Block()
	}
	n := l.Start
	for c := l.FirstChild(); c != nil; c = c.NextSibling() {
		mark := "-"
		if l.IsOrdered() {
			mark = draft.Number(n)
			n++
		}
		m.w.BeginItem(mark)
		m.children(c)
		m.w.EndItem()
	}
}

func (m *markdown) code(n ast.Node, language string) {
	ticks := 3
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		body := strings.TrimSpace(string(seg.Value(m.source)))
		if strings.Trim(body, "`") == "" {
			ticks = max(ticks, len(body)+1)
		}
	}
	m.w.Code(language, ticks)
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		m.w.CodeLine(strings.TrimRight(string(seg.Value(m.source)), "\n"), m.number(seg.Start))
	}
	m.w.EndCode()
}

// html writes the text of a block of HTML.
func (m *markdown) html(n *ast.HTMLBlock) {
	if n.Lines().Len() == 0 {
		return
	}
	var raw strings.Builder
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		raw.Write(seg.Value(m.source))
	}
	if n.HasClosure() {
		raw.Write(n.ClosureLine.Value(m.source))
	}
	fragment(m.w, raw.String(), m.number(n.Lines().At(0).Start))
}

func (m *markdown) row(n ast.Node) {
	var cells []string
	at := 0
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		in := m.inline(c)
		if at == 0 && len(in) > 0 {
			at = in[0].number
		}
		cells = append(cells, joined(in))
	}
	m.w.Row(cells, at)
}

// lines writes the text of a paragraph, line by line.
func (m *markdown) lines(n ast.Node) {
	for _, l := range m.inline(n) {
		m.w.Line(l.text, l.number)
	}
}

// textLine is a line of text without marks.
type textLine struct {
	text   string
	number int
}

func joined(lines []textLine) string {
	if len(lines) == 1 {
		return lines[0].text
	}
	var all []string
	for _, l := range lines {
		all = append(all, l.text)
	}
	return strings.Join(all, " ")
}

// inline returns the text within a block, without marks and addresses.
func (m *markdown) inline(n ast.Node) []textLine {
	var out []textLine
	var b []byte
	at := 0
	end := func() {
		if s := strings.TrimSpace(string(b)); s != "" {
			out = append(out, textLine{s, at})
		}
		b, at = b[:0], 0
	}
	add := func(text []byte, start int) {
		if at == 0 && start >= 0 {
			at = m.number(start)
		}
		b = append(b, text...)
	}
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			text := n.Segment.Value(m.source)
			if !n.IsRaw() {
				text = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(text)))
			}
			body := strings.TrimRight(string(text), "\n")
			add([]byte(body), n.Segment.Start)
			if n.SoftLineBreak() || n.HardLineBreak() || len(body) < len(text) {
				end()
			}
		case *ast.String:
			add(n.Value, -1)
		case *ast.AutoLink:
			add(n.Label(m.source), -1)
		case *ast.RawHTML:
			seg := n.Segments.At(0)
			if tag := strings.ToLower(string(seg.Value(m.source))); strings.HasPrefix(tag, "<br") {
				end()
			}
		}
		return ast.WalkContinue, nil
	})
	end()
	return out
}
