package render

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"hopstream/index/document"
	"hopstream/messages"
)

// link is text that a terminal shows as a link to target (OSC 8), or the text
// alone where there is no target.
func link(target, text string) string {
	if target == "" {
		return text
	}
	return "\x1b]8;;" + target + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// target is the URL of what a quote was taken from: of its page, or of the
// document's file, if there is one of its name below one of v.Folders. It is
// empty where neither is known.
func (v View) target(e *messages.Evidence) string {
	if e.URL != "" {
		u, err := url.Parse(e.URL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" {
			return ""
		}
		return u.String()
	}
	id := document.Whole(document.DocID(e.ID))
	name := filepath.FromSlash(id)
	if id == "" || !filepath.IsLocal(name) {
		return ""
	}
	for _, f := range v.Folders {
		path := filepath.Join(f, name)
		if filepath.Base(f) == id { // the file itself was given
			path = f
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		abs, err := filepath.Abs(path)
		if err != nil {
			continue
		}
		abs = filepath.ToSlash(abs)
		if !strings.HasPrefix(abs, "/") {
			abs = "/" + abs // a drive's letter
		}
		return (&url.URL{Scheme: "file", Path: abs}).String()
	}
	return ""
}
