package document

import (
	"io"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown reads a file as one document: its title is that of the front
// matter, or else the first heading.
func (r *reading) markdown(s source, from io.Reader) error {
	b, err := readFile(from, maxFile)
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
	source := []byte(src)
	var w blockWriter
	titleNode := ast.Node(nil)
	_ = ast.Walk(markdownParser.Parse(gmtext.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && title == "" && entering {
			titleNode = h
			var t blockWriter
			inline(&t, h, source)
			title = t.String()
			return ast.WalkSkipChildren, nil
		}
		if n == titleNode {
			return ast.WalkContinue, nil
		}
		switch n.(type) {
		case *ast.HTMLBlock:
			if entering {
				var raw strings.Builder
				for i := range n.Lines().Len() {
					seg := n.Lines().At(i)
					raw.Write(seg.Value(source))
				}
				_, inner, err := plainHTML(strings.NewReader(raw.String()))
				if err != nil {
					inner = raw.String()
				}
				w.block()
				w.text(inner)
			}
			return ast.WalkSkipChildren, nil
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			if entering {
				w.block()
				for i := range n.Lines().Len() {
					seg := n.Lines().At(i)
					w.raw(string(seg.Value(source)))
				}
				w.block()
			}
			return ast.WalkSkipChildren, nil
		case *ast.Text, *ast.String, *ast.AutoLink, *ast.RawHTML:
			if entering {
				leaf(&w, n, source)
			}
			return ast.WalkContinue, nil
		}
		switch {
		case n.Kind().String() == "TableCell":
			w.space()
		case n.Kind() == ast.KindTextBlock || n.Kind() == ast.KindListItem || n.Kind().String() == "TableRow" || n.Kind().String() == "TableHeader":
			w.line()
		case n.Type() == ast.TypeBlock:
			w.block()
		}
		return ast.WalkContinue, nil
	})
	return title, w.String()
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
