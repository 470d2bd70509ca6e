package web

import (
	"math"
	"net/url"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPlain(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                   "",
		"no marks":                           "no marks",
		"<b>War</b>saw":                      "Warsaw",
		"one<br>two</p><p>three":             "one two three",
		"a < b and c > d":                    "a < b and c > d",
		"if x<y then":                        "if x<y then",
		"x <b2 y> z":                         "x <b2 y> z",
		"AT&amp;T &#39;s &nbsp; R&D":         "AT&T 's R&D",
		"a<script>alert('<b>')</script>b":    "ab",
		"a<script>never ends":                "a",
		"<!-- hidden -->seen":                "seen",
		"\x1b[2Jcls\x07\u009b":               "[2Jcls",
		"\u202egpj.exe\u2066\u200f":          "gpj.exe",
		"bad \xff byte":                      "bad byte",
		"  many \n\t blanks\u00a0\u2003here": "many blanks here",
	} {
		if got := plain(in, 100); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	for _, long := range []string{strings.Repeat("wörter ", 1000), strings.Repeat("ö", 1000), strings.Repeat("<b>", 1<<20)} {
		if got := plain(long, 50); len(got) > 50 || !utf8.ValidString(got) {
			t.Errorf("%d bytes: %q", len(got), got)
		}
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://Example.org":                              "https://example.org/",
		"HTTP://example.org:80/A?b=C#d":                    "http://example.org/A?b=C",
		"https://example.org:8443/":                        "https://example.org:8443/",
		"https://example.org:/x?":                          "https://example.org/x",
		"https://[2001:DB8::1]:443/x":                      "https://[2001:db8::1]/x",
		"https://trusted.org@evil.org/":                    "https://evil.org/",
		"https://example.org/?utm_medium=m&q=1&fbclid=f&b": "https://example.org/?q=1&b",
		"https://example.org/a%20b#/route":                 "https://example.org/a%20b#/route",
		" https://de.wikipedia.org/wiki/Köln ":             "https://de.wikipedia.org/wiki/K%C3%B6ln",
	} {
		if got, ok := clean(in); !ok || got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	for _, bad := range []string{"", "example.org", "ftp://example.org/", "data:text/html,x", "https://", "https:///x", "http://:80/",
		"https://example.org/\x00", "https://example.org/\u202e", "https://exa mple.org", "https://" + strings.Repeat("x", 3000)} {
		if got, ok := clean(bad); ok {
			t.Errorf("%q is %q", bad, got)
		}
	}
}

// FuzzDecode holds that whatever a server sends, its passages are bounded,
// clean, each of one page of the web, and can be written as JSON.
func FuzzDecode(f *testing.F) {
	for _, name := range []string{"results", "nobody", "nothing", "hostile"} {
		b, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"results":[{"url":"https://a.org/\ud800","content":"<a <!--x"}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		p, err := decode(body)
		if err != nil {
			if len(err.Error()) > 3*maxExcerpt {
				t.Fatalf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		if len(p.unresponsive) > maxUnresponsive {
			t.Fatalf("%d engines", len(p.unresponsive))
		}
		seen := map[string]bool{}
		found := p.passages(5)
		if len(found) > 5 {
			t.Fatalf("%d passages", len(found))
		}
		for i, x := range found {
			if x.Rank != i+1 || seen[x.ID] || x.ID != x.URL || x.Text == "" || x.Title == "" {
				t.Fatalf("passage %d: %+v", i, x)
			}
			seen[x.ID] = true
			if len(x.Text) > maxText || len(x.Title) > max(maxTitle, maxURL) || math.IsNaN(x.Score) || math.IsInf(x.Score, 0) {
				t.Fatalf("not bounded: %+v", x)
			}
			for _, s := range []string{x.ID, x.Title, x.Text} {
				if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || turns(r) }) {
					t.Fatalf("not clean: %q", s)
				}
			}
			u, err := url.Parse(x.URL)
			if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
				t.Fatalf("%q is no page's address: %v", x.URL, err)
			}
			if again, ok := clean(x.URL); !ok || again != x.URL {
				t.Fatalf("%q, cleaned again, is %q", x.URL, again)
			}
		}
	})
}
