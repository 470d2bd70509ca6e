package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/session"
	"hopstream/index/docstream"
	"hopstream/messages"
)

// folder writes files, and returns their folder without links.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		cmdtest.WriteFile(t, path, text)
	}
	return dir
}

// onStream runs fn over the document stream of a data folder.
func onStream(t *testing.T, data string, fn func(*broker.Conn, *docstream.Publisher)) {
	t.Helper()
	conn, err := broker.Connect(t.Context(), config.Config{Data: data}, "", slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	p, err := docstream.NewPublisher(t.Context(), conn.JS, conn.Names, docstream.PublishOptions{})
	if err != nil {
		t.Fatal(err)
	}
	fn(conn, p)
	if _, err := p.Close(); err != nil {
		t.Fatal(err)
	}
}

// holds checks which documents and parts are stored, and from where.
func holds(t *testing.T, data string, want ...string) {
	t.Helper()
	onStream(t, data, func(_ *broker.Conn, p *docstream.Publisher) {
		ids, err := p.IDs()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		err = p.Look(slices.Values(ids), func(id string, s docstream.Stored) {
			if s.Root != "" {
				id += " from " + filepath.Base(s.Root)
			}
			got = append(got, id)
		})
		slices.Sort(got)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("holds %q, want %q (%v)", got, want, err)
		}
	})
}

// put stores documents as they are.
func put(t *testing.T, data string, docs ...messages.Document) {
	t.Helper()
	onStream(t, data, func(_ *broker.Conn, p *docstream.Publisher) {
		for _, d := range docs {
			if err := p.Add(d); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestIndexFromAnotherFolder(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"one/a.md": "# A\n\nfirst", "one/b.md": "# B\n\nsame", "one/c.md": "# C\n\nfirst",
		"two/a.md": "# A\n\nsecond", "two/b.md": "# B\n\nsame", "two/c.md": "# C\n\nsecond", "two/new.md": "# New\n\ntext",
		"rec.jsonl": `{"id":"a.md","text":"record"}` + "\n" + `{"id":"r","text":"record"}`,
	})
	one, two, data := filepath.Join(dir, "one"), filepath.Join(dir, "two"), filepath.Join(dir, "data")
	index := func(args ...string) cmdtest.Outcome {
		return hopstream(t, "", append([]string{"index", "--data", data}, args...)...)
	}
	index(one).Exits(0).Prints("3 stored")
	index(two).Complains(1, `2 documents are stored from other folders, such as "a.md", "c.md" from `+one+", and now come from "+two,
		"--prefix NAME/ to keep both", "--replace to take them over")
	index(filepath.Join(two, "a.md")).Complains(1, `"a.md" is stored from `+one+" and now comes from "+two)
	holds(t, data, "a.md from one", "b.md from one", "c.md from one")
	// What is equal is no clash, wherever it comes from.
	index(filepath.Join(two, "b.md")).Exits(0).Prints("0 stored, 1 unchanged")
	// Records are seen only when they are read.
	index(filepath.Join(dir, "rec.jsonl")).Exits(1).Prints("1 stored, 0 unchanged, 0 deleted, 1 failed").Says("a.md: ", one, "--prefix NAME/")
	index("--prefix", "p", two).Exits(0).Prints("4 stored")
	index("--replace", two).Exits(0).Prints("4 stored")
	holds(t, data, "a.md from two", "b.md from two", "c.md from two", "new.md from two",
		"p/a.md from two", "p/b.md from two", "p/c.md from two", "p/new.md from two", "r")
	index("--prefix", "p", one, two).Complains(2, "two files would be one document", `"p/a.md"`)
	index(one, two).Exits(0).Prints("7 stored") // one/a.md and so on
	index("--prefix", "q/", filepath.Join(dir, "rec.jsonl")).Exits(0).Prints("2 stored")
	index(two).Exits(0).Prints("0 stored, 4 unchanged")
}

func TestAskOverAnotherFolder(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"one/a.md": "Arlen is a town in Norway.", "two/a.md": "Arlen is a town in Sweden."})
	w := up(t, filepath.Join(dir, "data"))
	hopstream(t, "", "index", "--nats", w.URL, filepath.Join(dir, "one")).Exits(0)
	hopstream(t, "", "ask", "--nats", w.URL, "--docs", filepath.Join(dir, "two"), "Where is Arlen?").
		Complains(1, `"a.md" is stored from `, "hopstream index --help")
	hopstream(t, "", "ask", "--nats", w.URL, "--docs", filepath.Join(dir, "one"), "Where is Arlen?").Exits(0).Prints("Norway")
}

func TestIndexSync(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"one/a.md": "a", "one/sub/b.md": "b", "one/sub/c.md": "c", "two/d.md": "d", "rec.jsonl": `{"id":"r","text":"record"}`,
	})
	one, two, data := filepath.Join(dir, "one"), filepath.Join(dir, "two"), filepath.Join(dir, "data")
	index := func(args ...string) cmdtest.Outcome {
		return hopstream(t, "", append([]string{"index", "--data", data}, args...)...)
	}
	index(one, two, filepath.Join(dir, "rec.jsonl")).Exits(0).Prints("5 stored")
	put(t, data, messages.Document{ID: "one/long.md#0+5", Text: "part", Root: one}, messages.Document{ID: "one/long.md#5+5", Text: "part", Root: one},
		messages.Document{ID: "one/other.md", Text: "of a folder of that name elsewhere", Root: "/elsewhere/one"})
	if err := os.RemoveAll(filepath.Join(one, "sub")); err != nil {
		t.Fatal(err)
	}
	cmdtest.WriteFile(t, filepath.Join(one, "a.md"), "changed")
	all := []string{"one/a.md from one", "one/long.md#0+5 from one", "one/long.md#5+5 from one", "one/other.md from one",
		"one/sub/b.md from one", "one/sub/c.md from one", "r", "two/d.md from two"}
	index("--sync", "--prefix", "one", one).Complains(1, "nothing was done", `3 documents whose files are gone: "one/long.md", "one/sub/b.md", "one/sub/c.md"`, "--yes")
	holds(t, data, all...)
	index("--sync", "--json", "--prefix", "one", one).Complains(1, "--yes")
	index("--sync", "--yes", "--json", "--prefix", "one", one).Exits(0).Prints(`{"stored":1,"unchanged":0,"deleted":3,"failed":0,`)
	holds(t, data, "one/a.md from one", "one/other.md from one", "r", "two/d.md from two")
	index("--sync", "--prefix", "one", one).Exits(0).Prints("0 stored, 1 unchanged, 0 deleted")
	index("--sync", filepath.Join(one, "a.md")).Complains(2, "--sync wants whole folders: give "+one)
	index("--sync", filepath.Join(dir, "rec.jsonl")).Complains(2, "--sync wants folders")
	index("--sync", "--delete", "r").Complains(2, "--sync wants the PATH of a folder")
}

func TestIndexDelete(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	index := func(args ...string) cmdtest.Outcome {
		return hopstream(t, "", append([]string{"index", "--data", data}, args...)...)
	}
	index("--delete", "x", "--delete", "y/").Exits(1).Says("--delete x: no such document is stored", "--delete y/: no such").Prints("0 deleted, 2 failed")
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Errorf("deleting nothing leaves a data folder: %v", err)
	}
	hopstream(t, "", "ls", "--data", data).Exits(0) // which makes streams, but not that of documents
	index("--delete", "x").Exits(1).Says("no such document is stored")
	if o := hopstream(t, "", "status", "--data", data).Exits(0); strings.Contains(o.Err, "panic") {
		t.Error(o.Err)
	}
	index(folder(t, map[string]string{"h/a.md": "a", "h/b/c.md": "c", "h.md": "h", "i/d.md": "d"})).Exits(0)
	put(t, data, messages.Document{ID: "long.md#0+5", Text: "1"}, messages.Document{ID: "long.md#5+5", Text: "2"}, messages.Document{ID: "long.md2", Text: "3"})
	index("--delete", "long.md", "--delete", "nobody").Exits(1).Prints("1 deleted, 1 failed").Says("--delete nobody: no such")
	index("--delete", "long.md").Exits(1).Prints("0 deleted")
	index("--delete", "h/").Complains(1, `2 documents below h/: "h/a.md", "h/b/c.md"`, "--yes")
	index("--delete", "i/").Exits(0).Prints("1 deleted") // of one, nobody is asked
	index("--delete", "h/", "--yes", "--json").Exits(0).Prints(`"deleted":2`)
	index("--delete", strings.Repeat("x", 600)).Exits(1).Says("the limit is 512")
	holds(t, data, "h.md from "+filepath.Base(rootOf(t, data, "h.md")), "long.md2")
}

// rootOf returns the folder that a stored document comes from.
func rootOf(t *testing.T, data, id string) (root string) {
	t.Helper()
	onStream(t, data, func(_ *broker.Conn, p *docstream.Publisher) {
		if err := p.Look(slices.Values([]string{id}), func(_ string, s docstream.Stored) { root = s.Root }); err != nil {
			t.Fatal(err)
		}
	})
	return root
}

// TestPartsThatAreNoMore holds that what a document no longer consists of is
// removed: its parts where it is whole again, and the other way round.
func TestPartsThatAreNoMore(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"f/a.md": "short now", "rec.jsonl": `{"id":"w","text":"whole"}`})
	root, data := filepath.Join(dir, "f"), filepath.Join(dir, "data")
	index := func(in string, args ...string) cmdtest.Outcome {
		return hopstream(t, in, append([]string{"index", "--data", data}, args...)...)
	}
	index("", filepath.Join(dir, "rec.jsonl")).Exits(0)
	put(t, data, messages.Document{ID: "a.md#0+5", Text: "1", Root: root}, messages.Document{ID: "a.md#5+5", Text: "2", Root: root}, messages.Document{ID: "b.md#0+5", Text: "3", Root: root})
	index("", root).Exits(0).Prints("1 stored, 0 unchanged, 0 deleted")
	holds(t, data, "a.md from f", "b.md#0+5 from f", "w")
	index(`{"id":"w#0+5","text":"one"}`, "-").Exits(0).Prints("1 stored, 0 unchanged, 0 deleted")
	holds(t, data, "a.md from f", "b.md#0+5 from f", "w#0+5")
	index(`{"id":"w#0+9","text":"all"}`, "-").Exits(0)
	holds(t, data, "a.md from f", "b.md#0+5 from f", "w#0+9")
	index(`{"id":"w","deleted":true}`, "-").Exits(0)
	holds(t, data, "a.md from f", "b.md#0+5 from f")
	// A long file from elsewhere is not mixed with a short one.
	index("", folder(t, map[string]string{"b.md": "short"})).Complains(1, `"b.md" is stored from `+root)
}

func TestIndexSaysWhatItPassesOver(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"a.md": "text", "b.png": "x", "c.png": "x", "d/e.PNG": "x", "README": "x", "empty.txt": "", ".git/x.md": "x", ".y": "x",
	})
	o := hopstream(t, "", "index", dir).Exits(0)
	if want := "hopstream: passed over 2 .png, 1 .PNG, 1 empty, 1 without ending and 2 hidden (hopstream index --verbose names them)\n"; o.Err != want {
		t.Errorf("says %q, want %q", o.Err, want)
	}
	o = hopstream(t, "", "index", "-v", dir).Exits(0)
	o.Says(filepath.Join(dir, "b.png")+": passed over: unknown ending", ".git: passed over: hidden", "empty.txt: passed over: empty")
	if n := strings.Count(o.Err, "\n"); n != 8 {
		t.Errorf("%d lines:\n%s", n, o.Err)
	}
	var got struct {
		Stored int              `json:"stored"`
		Passed []session.Passed `json:"passed_over"`
		Count  int              `json:"passed_over_count"`
	}
	o = hopstream(t, "", "index", "--json", dir).Exits(0)
	if err := json.Unmarshal([]byte(o.Out), &got); err != nil || got.Stored != 1 || got.Count != 7 || len(got.Passed) != 7 {
		t.Errorf("%+v %v", got, err)
	}
	if !slices.Contains(got.Passed, session.Passed{Path: filepath.Join(dir, "README"), Reason: "unknown ending"}) {
		t.Errorf("%+v", got.Passed)
	}
	// Hidden ones alone are nobody's concern.
	if o := hopstream(t, "", "index", folder(t, map[string]string{"a.md": "text", ".b": "x"})).Exits(0); o.Err != "" {
		t.Errorf("says %q", o.Err)
	}
}

// flood gives records without end, and calls stop when it has given many.
type flood struct {
	n    int
	stop func()
}

func (f *flood) Read(b []byte) (int, error) {
	if f.n++; f.n == 500 {
		f.stop()
	}
	return copy(b, fmt.Sprintf("{\"id\":\"%d\",\"text\":\"text\"}\n", f.n)), nil
}

func TestIndexInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var out, errs cmdtest.Buffer
	code := program.Run(ctx, func() {}, []string{"index", "--data", t.TempDir(), "-"}, cli.Stdio{In: &flood{stop: cancel}, Out: &out, Err: &errs})
	if code != 1 || out.String() != "" || errs.String() != "hopstream: interrupted\n" {
		t.Errorf("exits %d, prints %q, says %q", code, out.String(), errs.String())
	}
}

func TestIndexFields(t *testing.T) {
	t.Parallel()
	hopstream(t, "", "index", "--field", "body=text", "-").Complains(2, `--field "body=text": a document has no "body": choose from id`)
	hopstream(t, `{"id":"a","text":"t"}`, "index", "--field", "id=id", "-").Exits(0).Prints("1 stored")
}
