package web

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const maxURL = 2048 // bytes

// plain returns the text of s, which may be HTML, in one line of at most limit
// bytes, without its marks.
func plain(s string, limit int) string {
	if most := 16 * limit; len(s) > most { // markup and all
		s = s[:most]
	}
	if strings.ContainsAny(s, "<&") {
		s = withoutTags(strings.ToValidUTF8(s, ""))
	}
	return line(s, limit)
}

// line returns s in one line of at most limit bytes, without control
// characters and those that turn the direction of what follows.
func line(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case turns(r) || r == '\uFEFF' || r == utf8.RuneError:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= limit {
		return s
	}
	cut := limit - len(" …")
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	if space := strings.LastIndexByte(s[:cut], ' '); space > cut/2 {
		cut = space
	}
	return strings.TrimRight(s[:cut], " ") + " …"
}

// turns tells the characters that change the direction of others: they can
// make an address or a name read as another.
func turns(r rune) bool {
	return r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069' || r == '\u200E' || r == '\u200F' || r == '\u061C'
}

// withoutTags takes the tags off a piece of HTML and resolves its entities.
// What only looks like a tag ("a <b2 and …") stays.
func withoutTags(s string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	read, hidden := 0, false
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			if !hidden && read < len(s) { // a "<" that nothing closes
				b.WriteString(html.UnescapeString(s[read:]))
			}
			return b.String()
		}
		raw := string(z.Raw())
		read += len(raw)
		switch kind {
		case html.TextToken:
			if !hidden {
				b.Write(z.Text())
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			switch tag := atom.Lookup(name); tag {
			case 0:
				if !hidden {
					b.WriteString(raw)
				}
			case atom.Script, atom.Style:
				hidden = kind == html.StartTagToken
			case atom.A, atom.B, atom.Em, atom.I, atom.Mark, atom.Span, atom.Strong, atom.Sub, atom.Sup, atom.U, atom.Font, atom.Small, atom.Wbr:
			default:
				b.WriteByte(' ')
			}
		}
	}
}

// clean returns the form of a page's address by which it is known, or false
// for what is no http or https address: scheme and host in small letters,
// without user, default port, fragment and what advertisers add.
func clean(address string) (string, bool) {
	address = strings.TrimSpace(address)
	if address == "" || len(address) > maxURL || !utf8.ValidString(address) {
		return "", false
	}
	if strings.ContainsFunc(address, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || turns(r) || r == utf8.RuneError
	}) {
		return "", false
	}
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" || u.Hostname() == "" {
		return "", false
	}
	port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme] // small already
	if port == "" {
		return "", false
	}
	u.User = nil
	u.Host = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(u.Host), port), ":")
	if u.Path == "" {
		u.Path = "/"
	}
	if !strings.HasPrefix(u.Fragment, "!") && !strings.HasPrefix(u.Fragment, "/") { // which name pages
		u.Fragment, u.RawFragment = "", ""
	}
	u.RawQuery, u.ForceQuery = withoutTracking(u.RawQuery), false
	s := u.String()
	return s, len(s) <= maxURL
}

// withoutTracking leaves out the parameters that tell where a reader came from.
func withoutTracking(query string) string {
	if query == "" {
		return ""
	}
	var out []string
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if pair != "" && !strings.HasPrefix(name, "utm_") && name != "gclid" && name != "fbclid" && name != "msclkid" {
			out = append(out, pair)
		}
	}
	return strings.Join(out, "&")
}
