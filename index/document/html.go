package document

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
)

// html reads a page as one document: its title, and its main text.
func (r *reading) html(s source, in *input) error {
	b, err := readBytes(in, maxFile)
	if err != nil {
		return err
	}
	// A page may say itself how it is encoded, and old ones are rarely UTF-8.
	if !utf8.Valid(b) {
		encoding, name, _ := charset.DetermineEncoding(b, "text/html")
		if b, err = encoding.NewDecoder().Bytes(b); err != nil {
			return fmt.Errorf("cannot be decoded as %s: %w: convert the file to UTF-8", name, err)
		}
	}
	title, text, err := plainHTML(bytes.NewReader(bytes.TrimPrefix(b, []byte("\uFEFF"))))
	if err != nil {
		return err
	}
	return r.emitFile(s, title, text)
}

// plainHTML returns the title and the main text of a page: what is in <main>
// or the only <article> if there is one, else in the body, without scripts,
// styles, navigation and forms.
// It fails on elements nested beyond all measure.
func plainHTML(from io.Reader) (title, text string, err error) {
	doc, err := html.Parse(from)
	if err != nil {
		return "", "", fmt.Errorf("not readable as HTML: %w", err)
	}
	root := doc
	var articles []*html.Node
	var h1 *html.Node
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.DataAtom {
		case atom.Title:
			if title == "" && n.Namespace == "" {
				title = textOf(n)
			}
		case atom.Main:
			if root == doc {
				root = n
			}
		case atom.Article:
			articles = append(articles, n)
		case atom.H1:
			if h1 == nil {
				h1 = n
			}
		}
	}
	if root == doc && len(articles) == 1 {
		root = articles[0]
	}
	if title == "" && h1 != nil {
		title = textOf(h1)
	}
	var w blockWriter
	writeHTML(&w, root)
	text = w.String()
	if text == "" && root != doc { // an empty <main>, filled by a script
		w = blockWriter{}
		writeHTML(&w, doc)
		text = w.String()
	}
	return title, text, nil
}

func textOf(n *html.Node) string {
	var w blockWriter
	for c := range n.ChildNodes() {
		writeHTML(&w, c)
	}
	return strings.Join(strings.Fields(w.String()), " ")
}

func writeHTML(w *blockWriter, n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.text(n.Data)
		return
	case html.ElementNode, html.DocumentNode:
	default:
		return
	}
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Nav, atom.Head, atom.Form, atom.Button,
		atom.Select, atom.Iframe, atom.Svg, atom.Math, atom.Object, atom.Canvas, atom.Audio, atom.Video, atom.Footer, atom.Aside:
		return
	case atom.Br:
		w.line()
		return
	case atom.Pre:
		w.block()
		for c := range n.Descendants() {
			if c.Type == html.TextNode {
				w.raw(c.Data)
			}
		}
		w.block()
		return
	}
	around := func() {}
	switch n.DataAtom {
	case atom.P, atom.Div, atom.Section, atom.Article, atom.Main, atom.Header, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
		atom.Ul, atom.Ol, atom.Dl, atom.Table, atom.Blockquote, atom.Figure, atom.Hr, atom.Address, atom.Details:
		around = w.block
	case atom.Li, atom.Dt, atom.Dd, atom.Tr, atom.Caption, atom.Figcaption, atom.Summary, atom.Option:
		around = w.line
	case atom.Td, atom.Th:
		around = w.space
	}
	around()
	for c := range n.ChildNodes() {
		writeHTML(w, c)
	}
	around()
}
