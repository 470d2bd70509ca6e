package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/library"
	"hopstream/messages"
)

// stock indexes documents: a short one with a place, a long one, the second part of
// one, and one to be deleted.
func stock(t *testing.T, args ...string) {
	t.Helper()
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, `Paragraph %d is of lake %d, whose water is cold in winter.\n\n`, i, i)
	}
	lines := `{"id":"handbook/safety.md","title":"Safety","text":"# Approval\n\nApproved by Mina Quist.\n\nSigned by the “board”."}` + "\n" +
		`{"id":"lakes.txt","text":"` + text.String() + `"}` + "\n" +
		`{"id":"novel.txt#2+5","title":"Novel","text":"The second part has a heron."}` + "\n" +
		`{"id":"gone.txt","text":"never seen"}` + "\n"
	hopstream(t, lines, append([]string{"index", "-"}, args...)...).Exits(0)
}

// stocked is a data folder that holds what stock indexes, with the first part and
// without what is to be deleted.
func stocked(t *testing.T) (data string) {
	t.Helper()
	data = t.TempDir()
	stock(t, "--data", data)
	put(t, data, messages.Document{ID: "novel.txt#0+2", Title: "Novel", Text: "The first part has an otter."})
	hopstream(t, "", "index", "--data", data, "--delete", "gone.txt").Exits(0)
	return data
}

// TestNothingIndexed: to look makes nothing.
func TestNothingToLookInto(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"docs", "ls"}, {"docs", "show", "x"}, {"search", "x"}} {
		data := filepath.Join(t.TempDir(), "data")
		hopstream(t, "", append(args, "--data", data)...).Complains(1, "nothing is indexed", "hopstream index")
		if _, err := os.Stat(data); err == nil {
			t.Errorf("%q makes a data folder", args)
		}
	}
	w := up(t, t.TempDir()) // which has the stream, and nothing in it
	for _, args := range [][]string{{"docs", "ls"}, {"docs", "show", "x"}, {"search", "x"}} {
		hopstream(t, "", append(args, "--nats", w.URL)...).Complains(1, "nothing is indexed")
	}
}

func TestDocs(t *testing.T) {
	t.Parallel()
	data := stocked(t)
	docs := func(args ...string) cmdtest.Outcome {
		return hopstream(t, "", append(append([]string{"docs"}, args...), "--data", data)...)
	}
	var ids []string
	for line := range strings.Lines(docs("ls", "--json").Exits(0).Out) {
		var d library.Document
		if err := json.Unmarshal([]byte(line), &d); err != nil || d.Passages == 0 || d.Bytes == 0 {
			t.Errorf("%s: %v", line, err)
		}
		ids = append(ids, d.ID)
		if d.ID == "novel.txt" && (d.Passages != 2 || d.Title != "Novel") {
			t.Errorf("%+v", d)
		}
	}
	if want := []string{"handbook/safety.md", "lakes.txt", "novel.txt"}; !slices.Equal(ids, want) {
		t.Errorf("documents %q, want %q", ids, want)
	}
	if o := docs("ls", "handbook/").Exits(0); strings.Contains(o.Out, "novel") || !strings.Contains(o.Out, "Safety") {
		t.Errorf("%s", o.Out)
	}
	docs("show", "handbook/safety.md").Exits(0).Prints("title Safety", "1 passage\n", "handbook/safety.md · Approval · lines 1–5\n")
	docs("show", "novel.txt").Exits(0).Prints("2 passages", "novel.txt#0 · line 1\n  The first part has an otter.", "novel.txt#2 · line 1\n")
	docs("show", "novel.txt#2").Exits(0).Prints("\nThe second part has a heron.\n", "\nnovel.txt#0: … The first part has an otter.\n")
	var near library.Near
	if err := json.Unmarshal([]byte(docs("show", "--json", "lakes.txt#1").Exits(0).Out), &near); err != nil ||
		near.Passage.ID != "lakes.txt#1" || near.Passage.Lines[0] < 20 || len(near.Before) != 1 || near.Before[0].ID != "lakes.txt#0" || len(near.After) != 1 {
		t.Errorf("%+v, %v", near, err)
	}
	docs("show", "--json", "--context", "0", "handbook/safety.md#0").Exits(0).Prints(`"before":[],"after":[]`)
	docs("show", "lakes.txt#77").Complains(1, `no passage "lakes.txt#77"`, "its last is")
	docs("show", "Lake.txt").Complains(1, "did you mean lakes.txt?")
	docs("show", "safety.md").Complains(1, "did you mean handbook/safety.md?")
	docs("show", "gone.txt").Complains(1, `no document "gone.txt"`)
	docs("show", "gone.txt1").Complains(1, "there is no document \"gone.txt1\" (see: hopstream docs ls)")
	docs("show").Complains(2, "ID of a document or passage")
	docs().Complains(2, "ls, show")
}

// found runs a search, and reads what it finds.
func found(t *testing.T, args ...string) library.Found {
	t.Helper()
	var f library.Found
	o := hopstream(t, "", append([]string{"search", "--json"}, args...)...).Exits(0)
	if err := json.Unmarshal([]byte(o.Out), &f); err != nil || strings.Count(o.Out, "\n") != 1 {
		t.Fatalf("%v: %s", err, o.Out)
	}
	return f
}

func TestSearch(t *testing.T) {
	t.Parallel()
	data := stocked(t)
	f := found(t, "--data", data, "who", "approves", "“board”")
	if f.Query != "who approves “board”" || f.Searcher != "links" || f.DocsSeq == 0 || len(f.Passages) == 0 {
		t.Fatalf("%+v", f)
	}
	hit := f.Passages[0]
	if hit.ID != "handbook/safety.md" || hit.Rank != 1 || hit.Heading != "Approval" || hit.Lines != [2]int{1, 5} || !slices.Equal(hit.By, []string{"links"}) {
		t.Errorf("%+v", hit)
	}
	var marked []string
	for _, m := range hit.Marks {
		marked = append(marked, string([]rune(hit.Text)[m[0]:m[1]]))
	}
	if !slices.Contains(marked, "Approved") || !slices.Contains(marked, "board") {
		t.Errorf("marked %q", marked)
	}
	hopstream(t, "", "search", "--data", data, "-k", "1", "heron").Exits(0).Prints("1. Novel (novel.txt#2) · line 1 · ", "· links\n   The second part has a heron.\n")
	hopstream(t, "", "search", "--data", data, "zebra").Exits(0).Prints("(nothing found)")
	if f := found(t, "--data", data, "--searcher", "bm25", "-k", "2", "lake winter"); f.Searcher != "bm25" || len(f.Passages) != 2 || f.Passages[0].By[0] != "bm25" {
		t.Errorf("%+v", f)
	}
	for _, c := range [][]string{{"choose from links, bm25", "--searcher", "lynx", "x"}, {"choose from links, bm25", "--searcher", "dense", "x"},
		{"1 to 100", "-k", "101", "x"}, {"at least 1", "-k", "0", "x"}, {"wants a TEXT"}, {"nothing to search for", " "}, {"4096 at most", strings.Repeat("x", 5000)}} {
		hopstream(t, "", append([]string{"search", "--data", data}, c[1:]...)...).Complains(2, c[0])
	}
}

// TestSearchAsksWorkers: workers that run find the same as this process would, also
// with a searcher that they were not started with.
func TestSearchAsksWorkers(t *testing.T) {
	t.Parallel()
	data := stocked(t)
	alone := found(t, "--data", data, "lake water in winter")
	w := up(t, data)
	if got := found(t, "--data", data, "lake water in winter"); fmt.Sprint(got) != fmt.Sprint(alone) {
		t.Errorf("workers find %v, and this process %v", got, alone)
	}
	for range 2 {
		if f := found(t, "--nats", w.URL, "--searcher", "bm25", "heron"); f.Searcher != "bm25" || len(f.Passages) == 0 || f.Passages[0].ID != "novel.txt#2" {
			t.Errorf("%+v", f)
		}
	}
	hopstream(t, `{"id":"new","text":"A bittern."}`, "index", "--nats", w.URL, "-").Exits(0)
	if f := found(t, "--nats", w.URL, "--searcher", "bm25", "bittern"); len(f.Passages) != 1 {
		t.Errorf("a new document is not found: %+v", f)
	}
	hopstream(t, "", "search", "--nats", w.URL, "--searcher", "dense", "x").Complains(2, "choose from links, bm25")
	nc, err := nats.Connect(w.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for _, c := range []struct{ body, code, want string }{
		{`{"query":"heron","k":1}`, "", `"id":"novel.txt#2"`},
		{`{"query":"zebra"}`, "", `"passages":[],"degraded":[],"searcher":"links","docs_seq":`},
		{`garbage`, "400", `{"query":"…"}`},
		{`{}`, "400", "nothing to search for"},
		{`{"query":"x","k":1000}`, "400", "1 to 100"},
		{`{"query":"x","searcher":"web"}`, "400", "choose from links, bm25"},
	} {
		r, err := nc.RequestWithContext(ctx, "hop.search", []byte(c.body))
		if err != nil {
			t.Fatalf("%s: %v", c.body, err)
		}
		code, said := r.Header.Get("Nats-Service-Error-Code"), string(r.Data)+r.Header.Get("Nats-Service-Error")
		if code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%s: %q %s", c.body, code, said)
		}
	}
}

// TestSearchWithoutRetrievers: a server without workers that retrieve leaves the
// search to this process.
func TestSearchWithoutRetrievers(t *testing.T) {
	t.Parallel()
	w := up(t, t.TempDir(), "--stages", "router")
	stock(t, "--nats", w.URL)
	if f := found(t, "--nats", w.URL, "heron"); len(f.Passages) == 0 || f.Passages[0].ID != "novel.txt#2" {
		t.Errorf("%+v", f)
	}
}
