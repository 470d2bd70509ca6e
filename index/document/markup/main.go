package markup

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"hopstream/index/document/draft"
)

// root says which elements hold the main text.
type root uint8

const (
	whole   root = iota // the page
	main                // <main>
	roled               // an element with role="main"
	article             // the only <article>
)

// begins reports whether an element of the name in question holds main text.
func (r root) begins(a atom.Atom, t attributes) bool {
	switch r {
	case main:
		return a == atom.Main
	case roled:
		return t.main
	case article:
		return a == atom.Article
	}
	return false
}

// shape is what must be known of a page before it is read.
type shape struct {
	root root
	name atom.Atom          // of the elements of root
	open map[atom.Atom]bool // elements to pass over that are never closed, so that all that follows would be
}

func (s shape) balanced(a atom.Atom) bool { return !s.open[a] }

// survey looks for the main text: <main>, or what has its role, or the only
// <article>, provided that there is text in it.
//
//revive:disable-next-line:cyclomatic,cognitive-complexity one loop over tokens, a case per kind
func survey(from io.Reader) shape {
	z := html.NewTokenizer(from)
	z.SetMaxBuf(maxToken)
	count := map[atom.Atom]int{}
	depth := map[root]int{}
	full := map[root]bool{}
	name := map[root]atom.Atom{main: atom.Main, article: atom.Article}
	articles, skip := 0, 0
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			s := shape{open: map[atom.Atom]bool{}}
			for a, n := range count {
				s.open[a] = n > 0
			}
			for _, r := range []root{main, roled, article} {
				if full[r] && (r != article || articles == 1) {
					s.root, s.name = r, name[r]
					break
				}
			}
			return s
		case html.TextToken:
			for r := range depth {
				if depth[r] > 0 && skip == 0 && !full[r] && strings.TrimSpace(string(z.Raw())) != "" {
					full[r] = true
				}
			}
		case html.StartTagToken, html.EndTagToken:
			b, more := z.TagName()
			a := atom.Lookup(b)
			step := 1
			if kind == html.EndTagToken {
				step = -1
			}
			if roles[a] == skipped {
				count[a] += step
				skip = max(skip+step, 0)
			}
			if a == atom.Article && step > 0 {
				articles++
			}
			if more && name[roled] == 0 && step > 0 {
				var t attributes
				if t.read(z); t.main {
					name[roled] = a
				}
			}
			for r, n := range name {
				if n == a {
					depth[r] = max(depth[r]+step, 0)
				}
			}
		}
	}
}

// void are the elements without content.
var void = map[atom.Atom]bool{
	atom.Area: true, atom.Base: true, atom.Br: true, atom.Col: true, atom.Embed: true, atom.Hr: true, atom.Img: true,
	atom.Input: true, atom.Link: true, atom.Meta: true, atom.Source: true, atom.Track: true, atom.Wbr: true,
}

// attributes are those of an element that say something about the text.
type attributes struct {
	main, hidden, date bool
	language           string
	first              int // number of a list's first item
	name, content      string
}

// read takes the attributes of the tag that was read last.
func (t *attributes) read(z *html.Tokenizer) {
	for {
		k, v, more := z.TagAttr()
		switch string(k) {
		case "role":
			t.main = t.main || string(v) == "main"
			t.hidden = t.hidden || string(v) == "navigation"
		case "aria-hidden":
			t.hidden = t.hidden || string(v) == "true"
		case "class":
			t.class(strings.Fields(string(v)))
		case "start":
			t.first, _ = strconv.Atoi(string(v))
		case "name", "property", "itemprop":
			t.name = strings.ToLower(string(v))
			t.date = t.date || slices.Contains(dates, t.name)
		case "content":
			t.content = string(v)
		}
		if !more {
			return
		}
	}
}

// dates are the names that pages give the date they were written on.
var dates = []string{"article:published_time", "datepublished", "date", "dc.date", "dcterms.created", "dcterms.date", "pubdate", "publish-date"}

// class reads what classes say: that of a link which only marks a heading, of
// the numbers of lines, and the language of code.
func (t *attributes) class(names []string) {
	for _, c := range names {
		switch c {
		case "headerlink", "permalink", "header-anchor", "linenos", "lineno", "line-numbers":
			t.hidden = true
		}
		for _, prefix := range []string{"language-", "lang-", "highlight-source-", "brush:"} {
			if lang, ok := strings.CutPrefix(c, prefix); ok && t.language == "" {
				t.language = lang
			}
		}
	}
}

// decoder returns a function that reads the text from its start, as UTF-8. A
// page may say itself how it is encoded, and old ones are rarely UTF-8.
func decoder(from io.ReadSeeker) (func() (io.Reader, error), error) {
	again := func() (io.Reader, error) {
		_, err := from.Seek(0, io.SeekStart)
		return from, err
	}
	head, valid, err := draft.Valid(from)
	if err != nil {
		return nil, err
	}
	if valid {
		return func() (io.Reader, error) {
			r, err := again()
			if strings.HasPrefix(string(head), "\uFEFF") && err == nil {
				_, err = io.CopyN(io.Discard, r, 3)
			}
			return r, err
		}, nil
	}
	encoding, name, _ := charset.DetermineEncoding(head, "text/html")
	return func() (io.Reader, error) {
		r, err := again()
		if err != nil {
			return nil, err
		}
		if utf8.Valid(head) && name == "utf-8" {
			return r, nil // what is not valid is further down, and becomes U+FFFD
		}
		return encoding.NewDecoder().Reader(r), nil
	}, nil
}
