package markup

import (
	"io"
	"strings"
	"testing"

	"hopstream/index/document/draft"
)

// read returns the only part of a document.
func read(t testing.TB, format func(*draft.Writer, io.ReadSeeker) error, text string) draft.Part {
	t.Helper()
	var parts []draft.Part
	w := draft.New(0, func(p draft.Part) error { parts = append(parts, p); return nil })
	if err := format(w, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	title := w.Known()
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if len(parts) == 0 {
		return draft.Part{Title: title}
	}
	return parts[0]
}

// places is a text with the number of its source's line before each line.
func places(p draft.Part) string {
	var b strings.Builder
	for i, line := range strings.Split(p.Text, "\n") {
		if line == "" {
			b.WriteByte('\n')
			continue
		}
		at := i + 1
		if len(p.Lines) > 0 {
			at = p.Lines.At(i)
		}
		b.WriteString(strings.TrimSpace(itoa(at)+" "+line) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func itoa(n int) string { return strings.TrimSuffix(draft.Number(n), ".") }

// want is what a test expects of a document.
type want struct{ name, in, title, date, text string }

func check(t *testing.T, format func(*draft.Writer, io.ReadSeeker) error, tests []want) {
	t.Helper()
	for _, test := range tests {
		p := read(t, format, test.in)
		if got := places(p); got != test.text || p.Title != test.title || p.Date != test.date {
			t.Errorf("%s: title %q, date %q\n%s\nwant %q, %q\n%s", test.name, p.Title, p.Date, got, test.title, test.date, test.text)
		}
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	check(t, Markdown, []want{
		{"all", "---\ntitle: \"Front\"\ndate: 2024-03-01T10:00:00Z\n---\n# Head *one*\n\nSome **bold** [link](http://x) and `code`\nnext line &amp; more.\n\n" +
			"- item 1\n- item 2\n  wrapped\n    1. sub\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n````go\nx :=  1\n```\n\n````\n<div>in <b>html</b></div>\n\n### Sub {#sub}\n![alt](x.png) <https://e.org>\n> quoted\n> more\n\n{% hint %}\nText\\.\n{% endhint %}\n",
			"Front", "2024-03-01", `5 # Head one

7 Some bold link and code
8 next line & more.

10 - item 1
11 - item 2
12   wrapped
13   1. sub

15 | a | b |
17 | 1 | 2 |

19 ` + "````go\n20 x :=  1\n21 ```\n22 ````" + `

24 in html

26 ## Sub

27 alt https://e.org

28 quoted
29 more

32 Text.`},
		{"setext", "Intro.\n\nThe *Title*\n=========\n\nBody.", "The Title", "", "1 Intro.\n\n6 Body."},
		{"no title", "## A\n\na\n\n## B\nb", "", "", "1 # A\n\n3 a\n\n5 # B\n\n6 b"},
		{"list", "1. One:\n\n   ```sh\n   run\n   ```\n2. Two\n\n   More.\n\n- x\n- - y", "", "", "1 1. One:\n\n3    ```sh\n4    run\n5    ```\n6 2. Two\n\n8    More.\n\n10 - x\n11   - y"},
		{"readme", "<h1 align=\"center\">\n  Project\n</h1>\n\n<p align=\"center\"><a href=\"x\"><img src=\"y\"></a></p>\n\nText.<br>More <!-- no -->here.", "Project", "", "7 Text.\n7 More here."},
		{"toml", "+++\ntitle = 'It''s'\ndate = 2020-01-02\n+++\nx", "It's", "2020-01-02", "5 x"},
		{"rules", "---\n\nJust text.\n\n---\n\nMore.", "", "", "3 Just text.\n\n7 More."},
		{"summary", "---\ntitle: T\ndescription: >\n  In two\n  lines.\n---\n", "T", "", "1 In two\n2 lines."},
	})
	err := Markdown(draft.New(0, nil), strings.NewReader("---\ntitle: T\n---\n\n"))
	if _, over := err.(draft.PassedOver); !over {
		t.Errorf("front matter only: %v", err)
	}
}

func TestHTML(t *testing.T) {
	t.Parallel()
	check(t, HTML, []want{
		{"page", `<html><head><title> A
			page </title><style>p{}</style><script>var x</script></head><body><nav>Home | About</nav>
			<h1>Head</h1><p>One <b>two</b>,<br>three&nbsp;&lt;4</p><ul><li>a<li>b</ul>
			<table><tr><th>1</th><td>2</td></tr></table><script>no()</script><footer>Imprint</footer></body></html>`,
			"A page", "", "3 # Head\n\n3 One two,\n3 three <4\n\n3 - a\n3 - b\n\n4 | 1 | 2 |"},
		{"main", `<body><div>Menu</div><main><p>Text.</p></main><div>Ads</div>`, "", "", "1 Text."},
		{"role", `<body><div>Menu</div><div role="main"><div><p>Text.</p></div>More</div><div>Ads</div>`, "", "", "1 Text.\n\n1 More"},
		{"article", `<div>Menu</div><article><h1>T</h1>Text.</article>`, "T", "", "1 Text."},
		{"two articles", `<article>One.</article><article>Two.</article>`, "", "", "1 One.\n\n1 Two."},
		{"empty main", `<main></main><p>Text.</p>`, "", "", "1 Text."},
		{"pre", "<pre>\na\n  b</pre>c<pre><code class=\"language-go\">x\n</code></pre>", "", "", "1 ```\n2 a\n3   b\n4 ```\n\n3 c\n\n3 ```go\n3 x\n4 ```"},
		{"fragment", "just text &amp; more", "", "", "1 just text & more"},
		{"svg title", `<svg><title>no</title></svg><p>x</p>`, "", "", "1 x"},
		{"unclosed nav", `<nav><p>x</p>`, "", "", "1 x"},
		{"date", `<title>Page - Site</title><meta property="article:published_time" content="2020-01-02T00:00"><h1>Page<a class="headerlink" href="#x">¶</a></h1>x`, "Page - Site", "2020-01-02", "1 x"},
		{"lists", "<ol start=3><li><p>a</p>\n<p>b</p><ul><li>c</ul><li>d</ol>e<dl><dt>t<dd>m</dl>", "", "", "1 3. a\n\n2    b\n2    - c\n2 4. d\n\n2 e\n\n2 - t\n2   m"},
		{"layout", "<table><tr><td><h2>A</h2><ul><li>x</ul></td><td>y<table><tr><td>1<td>2</table></td></tr></table>z", "", "", "1 A\n\n1 - x\n\n1 y\n\n1 | 1 | 2 |\n\n1 z"},
	})
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
		if p := read(t, HTML, page); p.Title != "Łódź" || p.Text != "straße" {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	check(t, Text, []want{
		{"plain", "\uFEFFHello\nthere\n\n\n  indented", "", "", "1 Hello\n2 there\n\n5   indented"},
		{"title", "\nA short title\n\nText of it.", "A short title", "", "4 Text of it."},
		{"sentence", "One sentence.\n\nAnother.", "", "", "1 One sentence.\n\n3 Another."},
		{"underlines", "Title\n=====\n\nText\nmore\n\nPart\n----\nx\n\n====\nOver\n====\ny", "Title", "", "4 Text\n5 more\n\n7 # Part\n\n9 x\n\n12 # Over\n\n14 y"},
		{"hyphens", "A long hy\u2010\n   phenated word and non\u00AD\nsense\n\nx", "", "", "1 A long hyphenated\n2    word and nonsense\n\n5 x"},
		{"comment", "x\n# no heading\ny\n\n## heading\n\nz", "", "", "1 x\n2     # no heading\n3 y\n\n5 # heading\n\n7 z"},
		{"man", "LS(1)      User Commands      LS(1)\n\nNAME\n       ls - list files\n\nN\bNO\bO\n   Sub\n       \x1b[1mx\x1b[0m y\n\nGNU 9.1     2022     LS(1)", "LS(1)", "", "3 # NAME\n\n4        ls - list files\n\n6 # NO\n\n7    Sub\n8        x y"},
	})
}
