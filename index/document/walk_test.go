package document

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"hopstream/messages"
)

// walked is what a walk handed on and reported.
type walked struct {
	docs   []messages.Document
	errors []string
	stats  WalkStats
}

func (w *walked) ids() []string {
	var ids []string
	for _, d := range w.docs {
		ids = append(ids, d.ID)
	}
	return ids
}

func (w *walked) wantIDs(t *testing.T, want ...string) {
	t.Helper()
	if got := w.ids(); !slices.Equal(got, want) {
		t.Errorf("walked %v, want %v", got, want)
	}
}

func (w *walked) walk(walker *Walker, paths ...string) error {
	var err error
	w.stats, err = walker.Walk(context.Background(), paths, func(d messages.Document) error {
		w.docs = append(w.docs, d)
		return nil
	}, func(path string, line int, err error) {
		w.errors = append(w.errors, fmt.Sprintf("%s:%d: %v", filepath.Base(path), line, err))
	})
	return err
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(content))
		_ = z.Close()
		content = b.String()
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// same compares what documents say, wherever they stand.
func same(a, b messages.Document) bool {
	return a.ID == b.ID && a.Title == b.Title && a.Text == b.Text && a.Deleted == b.Deleted
}

func TestWalkFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "b.jsonl"), `{"id":"b1","text":"one"}`+"\n\n"+`{"id":2,"title":"T","text":"two","extra":1}`+"\r\n"+`{"id":"gone","deleted":true}`)
	write(t, filepath.Join(dir, "c.jsonl.gz"), `{"id":"c1","text":"three"}`+"\n")
	write(t, filepath.Join(dir, "a", "note.txt"), "\uFEFFHello\nthere\n")
	write(t, filepath.Join(dir, "a", "Page.HTML"), "<title>P</title><p>Hello</p>")
	write(t, filepath.Join(dir, "z.md"), "# Head\n\nBody.\n")
	write(t, filepath.Join(dir, ".hidden.txt"), "no")
	write(t, filepath.Join(dir, ".git", "x.txt"), "no")
	write(t, filepath.Join(dir, "image.png"), "no")
	write(t, filepath.Join(dir, "data.json.gz"), "no")
	var w walked
	var read, total int64
	if err := w.walk(&Walker{Progress: func(r, t int64) { read, total = r, t }}, dir); err != nil {
		t.Fatal(err)
	}
	want := []messages.Document{
		doc("a/Page.HTML", "P", "Hello"), doc("a/note.txt", "", "Hello\nthere"),
		doc("b1", "", "one"), doc("2", "T", "two"), {ID: "gone", Deleted: true},
		doc("c1", "", "three"), doc("z.md", "Head", "Body."),
	}
	if !slices.EqualFunc(w.docs, want, same) {
		t.Errorf("read\n%+v, want\n%+v", w.docs, want)
	}
	if w.errors != nil {
		t.Errorf("errors %q", w.errors)
	}
	if s := w.stats; s.Files != 5 || s.Skipped != 2 || s.Documents != 7 || s.Errors != 0 || s.Bytes != read || read != total {
		t.Errorf("stats %+v, read %d of %d", s, read, total)
	}
}

func TestWalkReports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lines := []string{
		1:  `{"id":"ok1","text":"one"}`,
		2:  `{"id":"x","text":`,
		3:  `{"text":"no ID"}`,
		4:  `{"id":"notext"}`,
		5:  `{"id":"empty","text":"  "}`,
		6:  `{"id":["l"],"text":"t"}`,
		7:  "{\"id\":\"bytes\",\"text\":\"\xff\"}",
		8:  `{"id":"` + strings.Repeat("x", 600) + `","text":"t"}`,
		9:  `{"id":"large","text":"` + strings.Repeat("y", MaxDocument) + `"}`,
		10: `{"id":"huge","text":"` + strings.Repeat("y", 10<<20) + `"}`,
		11: `[{"id":"array","text":"t"}]`,
		12: `{"id":"","text":"t"}`,
		13: `{"id":"ok2","text":"two"}`,
	}
	write(t, filepath.Join(dir, "l.jsonl"), strings.Join(lines[1:], "\n"))
	write(t, filepath.Join(dir, "m.jsonl.gz"), "")
	if err := os.WriteFile(filepath.Join(dir, "n.jsonl.gz"), []byte("no gzip"), 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "o.txt"), "\xff\xfeutf-16")
	write(t, filepath.Join(dir, "p.txt"), " \n")
	write(t, filepath.Join(dir, "q.txt"), "a\x00b")
	write(t, filepath.Join(dir, "r.txt"), strings.Repeat("z", MaxDocument+1))
	write(t, filepath.Join(dir, "sub", "s.txt"), "fine")
	var w walked
	if err := w.walk(&Walker{}, dir, filepath.Join(dir, "sub", "s.txt"), filepath.Join(dir, "sub")); err != nil {
		t.Fatal(err)
	}
	w.wantIDs(t, "ok1", "l.jsonl/3", "ok2", "r.txt#0+329", "r.txt#329+317", "sub/s.txt")
	want := []string{
		"l.jsonl:2: not a document: ", `l.jsonl:4: document "notext" has no "text"`,
		`l.jsonl:5: "text" of document "empty" is empty`, `l.jsonl:6: "id" is ["l"]`, "l.jsonl:7: not valid UTF-8",
		"l.jsonl:8: document ID has 600 bytes", `l.jsonl:9: document "large" has 900005 bytes`, "l.jsonl:10: line has more than",
		"l.jsonl:11: not one document per line", "l.jsonl:12: document ID is empty",
		"n.jsonl.gz:0: not readable as gzip", "o.txt:0: not valid UTF-8",
		"q.txt:0: holds zero bytes",
	}
	if len(w.errors) != len(want) {
		t.Fatalf("errors %q", w.errors)
	}
	for i, e := range w.errors {
		if !strings.HasPrefix(e, want[i]) {
			t.Errorf("error %q, want %q…", e, want[i])
		}
	}
}

func TestWalkEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.jsonl"), strings.Repeat(`{"id":"a","text":"t"}`+"\n", 3))
	write(t, filepath.Join(dir, "a.xyz"), "x")
	var w walked
	for _, path := range []string{"missing", "a.xyz", "a.jsonl/x"} {
		if err := w.walk(&Walker{}, filepath.Join(dir, path)); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	enough := errors.New("enough")
	n := 0
	_, err := Walk(context.Background(), []string{dir}, func(messages.Document) error { n++; return enough }, nil)
	if !errors.Is(err, enough) || n != 1 {
		t.Errorf("after %d documents: %v", n, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err = Walk(ctx, []string{dir}, func(messages.Document) error { cancel(); return nil }, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestWalkStdin(t *testing.T) {
	t.Parallel()
	var w walked
	if err := w.walk(&Walker{Stdin: strings.NewReader(`{"id":"a","text":"t"}` + "\nbad")}, "-"); err != nil {
		t.Fatal(err)
	}
	w.wantIDs(t, "a")
	if len(w.errors) != 1 || !strings.HasPrefix(w.errors[0], "stdin:2: ") {
		t.Errorf("errors %q", w.errors)
	}
}

// TestLineMemory reads a line of 200 MB in bounded memory.
func TestLineMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var w walked
	if err := w.walk(&Walker{Stdin: io.MultiReader(io.LimitReader(endless('x'), 200<<20), strings.NewReader("\n"+`{"id":"a","text":"t"}`))}, "-"); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	w.wantIDs(t, "a")
	if got := after.TotalAlloc - before.TotalAlloc; got > 32<<20 {
		t.Errorf("took %d MB", got>>20)
	}
}

type endless byte

func (e endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(e)
	}
	return len(b), nil
}

func FuzzJSONL(f *testing.F) {
	f.Add([]byte(`{"id":"a","title":"t","text":"x"}` + "\n" + `{"id":1e3,"text":"x"}`))
	f.Add([]byte("\uFEFF[1]\n{}\n\xff\n\r\n{\"id\":\"\\ud800\",\"text\":\"\\u0000\"}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var w walked
		if err := w.walk(&Walker{Stdin: bytes.NewReader(b)}, "-"); err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(b, []byte("\n")) + 1; len(w.docs)+len(w.errors) > lines {
			t.Errorf("%d documents and %d errors from %d lines", len(w.docs), len(w.errors), lines)
		}
		for _, d := range w.docs {
			if err := d.Validate(); err != nil || !utf8.ValidString(d.ID+d.Title+d.Text) {
				t.Errorf("%+v: %v", d, err)
			}
		}
	})
}
