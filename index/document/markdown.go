package document

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown reads a file as one document: its title is that of the front
// matter, or else the first heading.
func (r *reading) markdown(s source, in *input) error {
	b, err := readFile(in, maxFile)
	if err != nil {
		return err
	}
	title, text := plainMarkdown(b)
	return r.emitFile(s, title, text)
}

var markdownParser = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Parser()

// plainMarkdown returns title and text without markup, a blank line between
// blocks.
func plainMarkdown(src string) (title, text string) {
	title, src = frontMatter(src)
	p := plainText{source: []byte(src), title: title}
	_ = ast.Walk(markdownParser.Parse(gmtext.NewReader(p.source)), p.visit)
	return p.title, p.w.String()
}

// plainText is what of a Markdown document is left without markup.
type plainText struct {
	source []byte
	w      blockWriter

	title   string
	heading ast.Node // that is the title, and no part of the text
}

// visit writes a node; it is called before the node's children, and behind them.
func (p *plainText) visit(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if h, ok := n.(*ast.Heading); ok && p.title == "" && entering {
		p.heading = h
		var t blockWriter
		inline(&t, h, p.source)
		p.title = t.String()
		return ast.WalkSkipChildren, nil
	}
	if n == p.heading {
		return ast.WalkContinue, nil
	}
	switch n.(type) {
	case *ast.HTMLBlock:
		if entering {
			p.html(n)
		}
		return ast.WalkSkipChildren, nil
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		if entering {
			p.code(n)
		}
		return ast.WalkSkipChildren, nil
	case *ast.Text, *ast.String, *ast.AutoLink, *ast.RawHTML:
		if entering {
			leaf(&p.w, n, p.source)
		}
		return ast.WalkContinue, nil
	}
	p.separate(n)
	return ast.WalkContinue, nil
}

// html writes the text of a block of HTML; one that cannot be read stays as it
// is.
func (p *plainText) html(n ast.Node) {
	var raw strings.Builder
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		raw.Write(seg.Value(p.source))
	}
	_, inner, err := plainHTML(strings.NewReader(raw.String()))
	if err != nil {
		inner = raw.String()
	}
	p.w.block()
	p.w.text(inner)
}

// code writes the lines of a block of code as they are.
func (p *plainText) code(n ast.Node) {
	p.w.block()
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		p.w.raw(string(seg.Value(p.source)))
	}
	p.w.block()
}

// separate keeps what is within n from what is around it.
func (p *plainText) separate(n ast.Node) {
	switch {
	case n.Kind().String() == "TableCell":
		p.w.space()
	case n.Kind() == ast.KindTextBlock || n.Kind() == ast.KindListItem || n.Kind().String() == "TableRow" || n.Kind().String() == "TableHeader":
		p.w.line()
	case n.Type() == ast.TypeBlock:
		p.w.block()
	}
}

// inline writes the text below n.
func inline(w *blockWriter, n ast.Node, source []byte) {
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			leaf(w, n, source)
		}
		return ast.WalkContinue, nil
	})
}

func leaf(w *blockWriter, n ast.Node, source []byte) {
	switch n := n.(type) {
	case *ast.Text:
		b := n.Segment.Value(source)
		if !n.IsRaw() {
			b = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(b)))
		}
		w.text(string(b))
		if n.SoftLineBreak() || n.HardLineBreak() {
			w.space()
		}
	case *ast.String:
		w.text(string(n.Value))
	case *ast.AutoLink:
		w.text(string(n.Label(source)))
	}
}

// frontMatter cuts a leading block between --- lines off, and returns the
// title it gives.
func frontMatter(src string) (title, rest string) {
	body, ok := strings.CutPrefix(strings.ReplaceAll(src, "\r\n", "\n"), "---\n")
	if !ok {
		return "", src
	}
	head, rest, ok := strings.Cut(body, "\n---\n")
	if !ok {
		return "", src
	}
	for line := range strings.Lines(head) {
		if v, ok := strings.CutPrefix(line, "title:"); ok {
			title = strings.Trim(strings.TrimSpace(v), `"'`)
		}
	}
	return title, rest
}
