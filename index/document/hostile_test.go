package document

import (
	"archive/zip"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"hopstream/messages"
)

// full reads the largest and the most files, too.
var full = flag.Bool("full", false, "read the largest of the hostile and the long files, and more of the many")

// TestRubbish reads rubbish with the name of each format: it is told in words, in
// no time, and the file behind it is read.
func TestRubbish(t *testing.T) {
	t.Parallel()
	random := make([]byte, 256<<10)
	_, _ = rand.New(rand.NewSource(1)).Read(random)
	deep := strings.Repeat
	samples := map[string]string{
		"empty": "", "zero": "\x00", "random": string(random), "zip": "PK\x03\x04" + string(random[:1000]), "old": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + string(random[:1000]),
		"pdf": "%PDF-1.4\n" + string(random[:1000]) + "\nstartxref\n9\n%%EOF\n", "pdfdeep": "%PDF-1.4\n" + deep("[", 1<<20) + "\nstartxref\n9\n%%EOF\n",
		"gzip": "\x1f\x8b\x08" + string(random[:100]), "brackets": deep("[", 300_000), "objects": deep(`{"a":`, 100_000), "quotes": deep(">", 50_000) + " x",
		"lists": deep("- ", 20_000) + "x", "divs": deep("<div>", 200_000) + "deep", "uls": deep("<ul><li>", 100_000) + "deep", "tables": deep("<table><tr><td>", 50_000) + "deep",
		"stars": deep("*a_ ", 50_000), "ticks": deep("`", 100_000), "links": deep("[a](", 30_000), "indent": lines(func(i int) string { return deep(" ", i) + "- x" }, 1500),
		"quote": `a,b` + "\n" + `"` + deep("x", 2<<20), "utf16": "\xff\xfea\x00", "roff": ".TH A 1\n.SH N\n" + deep(".RS\n.IP x\n", 20_000), "tag": "<a " + deep("x=y ", 100_000),
		"directives": lines(func(i int) string { return deep(" ", i) + ".. note:: x" }, 1500), "adoc": deep("* x\n** y\n", 10_000), "if": ".TH A 1\n" + deep(".if n ", 20_000) + "x", "long": deep("word ", 300_000),
	}
	dir := t.TempDir()
	for name, sample := range samples {
		if !*full && len(sample) > 300_000 {
			continue
		}
		for _, f := range formats() {
			if err := os.WriteFile(filepath.Join(dir, name+f.ends[0]), []byte(sample), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(t, filepath.Join(dir, "zzz.txt"), "the last one")
	var at string
	started := time.Now()
	seen := false
	_, err := (&Walker{Progress: func(int64, int64) {}}).Walk(context.Background(), []string{dir}, func(d messages.Document) error {
		if took := time.Since(started); took > 20*time.Second {
			t.Errorf("%s took %v behind %s", d.ID, took, at)
		}
		at, started = d.ID, time.Now()
		seen = seen || d.ID == "zzz.txt"
		if n := len(d.Text); n > MaxDocument {
			t.Errorf("%s has %d bytes", d.ID, n)
		}
		return nil
	}, func(path string, _ int, err error) {
		if took := time.Since(started); took > 20*time.Second {
			t.Errorf("%s took %v behind %s", path, took, at)
		}
		at, started = path, time.Now()
		if strings.Contains(err.Error(), "runtime error") || err.Error() == "" {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	})
	if err != nil || !seen {
		t.Errorf("the last file was not read: %v", err)
	}
}

func lines(line func(int) string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

// TestZipBombs holds that what unpacks without end is given up.
func TestZipBombs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	parts := map[string]string{"a.docx": "word/document.xml", "b.odt": "content.xml", "c.pptx": "ppt/presentation.xml"}
	for name, part := range parts {
		writeZip(t, filepath.Join(dir, name), part, io.MultiReader(strings.NewReader("<x><p><t>"), io.LimitReader(endless(' '), 24<<20)))
		writeZip(t, filepath.Join(dir, "many-"+name), part, io.MultiReader(strings.NewReader("<x>"), io.LimitReader(&repeated{s: "<p><r></r></p>"}, 24<<20)))
	}
	for _, name := range []string{"pump.docx", "pump.odt", "pump.pptx", "pump.pdf"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "cut-"+name), b[:len(b)/2], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var w walked
	if err := w.walk(&Walker{}, dir); err != nil || len(w.docs) != 0 || len(w.errors) != 10 {
		t.Errorf("%v %d errors %q", w.ids(), len(w.errors), w.errors)
	}
	for _, e := range w.errors {
		if !strings.Contains(e, "unpacks to more than") && !strings.Contains(e, "not readable as") && !strings.Contains(e, "token of more than") {
			t.Error(e)
		}
	}
}

func writeZip(t *testing.T, path, part string, from io.Reader) {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create(part)
	if err == nil {
		_, err = io.Copy(f, from)
	}
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// repeated is a text again and again.
type repeated struct {
	s  string
	at int
}

func (r *repeated) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = r.s[r.at]
		r.at = (r.at + 1) % len(r.s)
	}
	return len(b), nil
}

// TestEntities holds that entities which a file declares itself are not expanded.
func TestEntities(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bomb := `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><document><body><p><r><t>Text &b; &amp; more.</t></r></p></body></document>`
	writeZip(t, filepath.Join(dir, "a.docx"), "word/document.xml", strings.NewReader(bomb))
	var w walked
	if err := w.walk(&Walker{}, dir); err != nil || len(w.docs) != 1 || w.docs[0].Text != "Text &b; & more." {
		t.Errorf("%+v %q %v", w.docs, w.errors, err)
	}
}

// TestPDFLoops reads files whose objects refer to themselves.
func TestPDFLoops(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, objects := range map[string][]string{
		"kids":     {"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[2 0 R]>>"},
		"parent":   {"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>", "<</Type/Page/Parent 3 0 R/Contents 4 0 R>>", "<</Length 3>>stream\nq Q\nendstream"},
		"length":   {"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>", "<</Type/Page/Resources<<>>/Contents 4 0 R>>", "<</Length 4 0 R>>stream\nq Q\nendstream"},
		"form":     {"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>", "<</Type/Page/Resources 5 0 R/Contents 4 0 R>>", "<</Subtype/Form/Resources 5 0 R/Length 11>>stream\n/X Do /X Do\nendstream", "<</XObject<</X 4 0 R>>>>"},
		"nopages":  {"<</Type/Catalog>>"},
		"encrypt":  {"<</Type/Catalog>>"},
		"contents": {"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>", "<</Type/Page/Resources<<>>/Contents[4 0 R 4 0 R]>>", "[4 0 R]"},
	} {
		var b strings.Builder
		b.WriteString("%PDF-1.4\n")
		var at []int
		for i, o := range objects {
			at = append(at, b.Len())
			fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
		}
		xref := b.Len()
		fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
		for _, n := range at {
			fmt.Fprintf(&b, "%010d 00000 n \n", n)
		}
		encrypt := ""
		if name == "encrypt" {
			encrypt = "/Encrypt<</Filter/Other>>/ID[<00><00>]"
		}
		fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, encrypt, xref)
		if err := os.WriteFile(filepath.Join(dir, name+".pdf"), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var w walked
	started := time.Now()
	if err := w.walk(&Walker{}, dir); err != nil || len(w.docs) != 0 || len(w.errors) != 7 {
		t.Errorf("%v %d errors %q", w.ids(), len(w.errors), w.errors)
	}
	if took := time.Since(started); took > 90*time.Second {
		t.Errorf("took %v", took)
	}
	t.Log(strings.Join(w.errors, "\n"), time.Since(started))
}

// TestMemory reads long files in bounded memory.
func TestMemory(t *testing.T) {
	long, size := int64(8<<20), int64(2<<20)
	if *full {
		long, size = 40<<20, 10<<20
	}
	line := "A line of text with <b>marks</b>, that is about as long as people make them.\n"
	dir := t.TempDir()
	for name, from := range map[string]io.Reader{
		"a.txt": &repeated{s: strings.Repeat(line, 4) + "\n"}, "b.md": &repeated{s: "## Head\n\n" + strings.Repeat(line, 4) + "\n- item\n"},
		"c.html": &repeated{s: "<h2>Head</h2><p>" + line + line}, "d.csv": &repeated{s: "a,b,\"c\n d\"\n"}, "e.rst": &repeated{s: "Head\n----\n\n" + line + "\n"},
		"f.json": io.MultiReader(strings.NewReader("["), &repeated{s: `{"title":"T","body":"` + strings.TrimSpace(line) + `"},` + "\n"}),
		"g.adoc": &repeated{s: "== Head\n\n" + line + "\n"}, "h.txt": &repeated{s: "word "}, "i.md": &repeated{s: "*word* "}, "j.html": &repeated{s: "<td>x"},
		"k.1": io.MultiReader(strings.NewReader(".TH A 1\n"), &repeated{s: ".SH Head\n.B bold\n" + line}), "l.csv": &repeated{s: "x"}, "m.txt": &repeated{s: "\n"},
	} {
		f, err := os.Create(filepath.Join(dir, name))
		size := size
		if name == "a.txt" || name == "c.html" {
			size = long
		}
		if err == nil {
			_, err = io.Copy(f, io.LimitReader(from, size))
		}
		if err != nil || f.Close() != nil {
			t.Fatal(err)
		}
	}
	var most uint64
	n := 0
	at := time.Now()
	_, err := Walk(context.Background(), []string{dir}, func(d messages.Document) error {
		if n++; n%20 == 0 || len(d.Text) > 100_000 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
		}
		if len(d.Text) > MaxDocument {
			t.Errorf("%s has %d bytes", d.ID, len(d.Text))
		}
		return nil
	}, func(path string, _ int, err error) { t.Log(filepath.Base(path), err, time.Since(at)); at = time.Now() })
	if err != nil || most > 128<<20 {
		t.Errorf("took %d MB: %v", most>>20, err)
	}
	t.Logf("%d documents, %d MB", n, most>>20)
}
