package document

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"hopstream/index/document/draft"
	"hopstream/messages"
)

// FuzzFormats holds for every format that whatever a file holds becomes valid
// documents, whose places are in order, or an error.
func FuzzFormats(f *testing.F) {
	names, err := filepath.Glob("testdata/pump*")
	if err != nil {
		f.Fatal(err)
	}
	all := formats()
	for i := range all {
		f.Add(uint8(i), []byte("# a\n\n- b\n| c |\n```\nd"))
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for i := range all {
			if formatOf(name) != nil && all[i].name == formatOf(name).name {
				f.Add(uint8(i), b)
			}
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, b []byte) {
		format := all[int(kind)%len(all)]
		r := (&Walker{}).reading(t.Context(), nil)
		r.sources, r.now = []source{{path: "f", id: "f"}}, 0
		r.fn = func(d messages.Document) error {
			if !utf8.ValidString(d.ID + d.Title + d.Text) {
				t.Errorf("%s: not valid UTF-8", format.name)
			}
			at := -1
			for _, l := range d.Lines {
				if l[0] <= at || l[1] < 1 {
					t.Errorf("%s: lines %v", format.name, d.Lines)
				}
				at = l[0]
			}
			return d.Validate()
		}
		_ = format.read(r, source{path: "f", id: "f"}, &input{Reader: bytes.NewReader(b), size: int64(len(b))})
	})
}

// FuzzParts holds that a text in parts says the same as in one.
func FuzzParts(f *testing.F) {
	f.Add("# a\n\nb\n```\nc\n```\n- d", 20)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		count := func(limit int) int {
			n := 0
			w := draft.New(limit, func(p draft.Part) error {
				for _, c := range p.Text {
					if c > ' ' && c != '#' && c != '`' && c != '~' {
						n++
					}
				}
				return nil
			})
			w.Title("t")
			w.Raw(text, 1, 1)
			_, _ = w.Close()
			return n
		}
		if a, b := count(0), count(max(limit%1000, 16)); a > b || len(text) < 50_000 && b < a {
			t.Errorf("%d characters in one, %d in parts of %d", a, b, limit)
		}
	})
}
