package document

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestPlainMarkdown(t *testing.T) {
	t.Parallel()
	title, text := plainMarkdown("---\ntitle: \"Front\"\ndate: x\n---\n# Head *one*\n\nSome **bold** [link](http://x) and `code`\nnext line &amp; more.\n\n" +
		"- item 1\n- item 2\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```go\nx :=  1\n```\n<div>in <b>html</b></div>\n\n## Sub\n![alt](x.png) <https://e.org>\n")
	if title != "Front" {
		t.Errorf("title %q", title)
	}
	want := "Head one\n\nSome bold link and code next line & more.\n\nitem 1\nitem 2\n\na b\n1 2\n\nx :=  1\n\n\nin html\n\nSub\n\nalt https://e.org"
	if text != want {
		t.Errorf("text\n%q, want\n%q", text, want)
	}
	title, text = plainMarkdown("Intro.\n\nThe *Title*\n=========\n\nBody.")
	if title != "The Title" || text != "Intro.\n\nBody." {
		t.Errorf("%q, %q", title, text)
	}
}

func TestPlainHTML(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, page, title, text string }{
		{"page", `<html><head><title> A
			page </title><style>p{}</style><script>var x</script></head><body><nav>Home | About</nav>
			<h1>Head</h1><p>One <b>two</b>,<br>three&nbsp;&lt;4</p><ul><li>a<li>b</ul>
			<table><tr><td>1</td><td>2</td></tr></table><script>no()</script><footer>Imprint</footer></body></html>`,
			"A page", "Head\n\nOne two,\nthree <4\n\na\nb\n\n1 2"},
		{"main", `<body><div>Menu</div><main><p>Text.</p></main><div>Ads</div>`, "", "Text."},
		{"article", `<h1>T</h1><div>Menu</div><article>Text.</article>`, "T", "Text."},
		{"two articles", `<article>One.</article><article>Two.</article>`, "", "One.\n\nTwo."},
		{"empty main", `<main></main><p>Text.</p>`, "", "Text."},
		{"pre", "<pre>a\n  b</pre>c", "", "a\n  b\n\nc"},
		{"fragment", "just text &amp; more", "", "just text & more"},
		{"svg title", `<svg><title>no</title></svg><p>x</p>`, "", "x"},
	} {
		title, text, err := plainHTML(strings.NewReader(test.page))
		if err != nil || title != test.title || text != test.text {
			t.Errorf("%s: %q, %q; want %q, %q", test.name, title, text, test.title, test.text)
		}
	}
	if _, _, err := plainHTML(strings.NewReader(strings.Repeat("<div>", 100_000) + "deep")); err == nil {
		t.Error("100,000 elements within each other are read")
	}
}

func TestHTMLEncodings(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"utf-8":       "<title>Łódź</title><p>straße",
		"bom":         "\uFEFF<title>Łódź</title><p>straße",
		"wrong label": `<meta charset="iso-8859-1"><title>Łódź</title><p>straße`,
		"latin-2":     "<meta charset=iso-8859-2><title>\xa3\xf3d\xbc</title><p>stra\xdfe",
		"utf-16":      "\xff\xfe<\x00t\x00i\x00t\x00l\x00e\x00>\x00A\x01\xf3\x00d\x00z\x01<\x00/\x00t\x00i\x00t\x00l\x00e\x00>\x00s\x00t\x00r\x00a\x00\xdf\x00e\x00",
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "p.html"), page)
		var w walked
		if err := w.walk(&Walker{}, dir); err != nil || len(w.docs) != 1 || !same(w.docs[0], doc("p.html", "Łódź", "straße")) {
			t.Errorf("%s: %+v %q %v", name, w.docs, w.errors, err)
		}
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("<main><p>a</p>")
	f.Add("# a\n\n| a |\n|--|\n| b |\n- x\n  - y\n")
	f.Fuzz(func(t *testing.T, s string) {
		_, _, _ = plainHTML(strings.NewReader(s))
		plainMarkdown(s)
	})
}
