package document

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"hopstream/messages"
)

// passed collects what a walker passes over, by its name.
func passed(w *Walker) map[string]string {
	all := map[string]string{}
	w.PassedOver = func(path, reason string) { all[filepath.Base(path)] = reason }
	return all
}

func symlink(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Skip("no symlinks here:", err)
	}
}

// tree writes files, each with its own path as text, and returns their folder.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		write(t, filepath.Join(dir, f), "text of "+f)
	}
	return dir
}

func TestRootsHavePrefixes(t *testing.T) {
	t.Parallel()
	dir := tree(t, "x/a/n.txt", "y/a/n.txt", "y/a/sub/o.txt", "z/b/p.txt", "z/b/.q.txt")
	write(t, filepath.Join(dir, "r.jsonl"), `{"id":"rec","text":"t"}`)
	for _, c := range []struct{ paths, prefix, want string }{
		{"x/a", "", "n.txt"},
		{"x/a/n.txt", "", "n.txt"},
		{"x/a/", "p", "p/n.txt"},
		{"x/a", "p/q/", "p/q/n.txt"},
		{"x", "", "a/n.txt"},
		{"x/a z/b", "", "a/n.txt b/p.txt"},
		{"x/a y/a z/b", "", "x/a/n.txt y/a/n.txt y/a/sub/o.txt b/p.txt"},
		{"x/a z/b", "p", "p/n.txt p/p.txt"},
		{"x/a r.jsonl", "", "n.txt rec"},
		{"r.jsonl", "p", "p/rec"},
		{"y/a/n.txt y/a/sub/o.txt", "", "a/n.txt sub/o.txt"},
		{"y/a y/a/sub y/a/n.txt y/a", "", "n.txt sub/o.txt"},
		{"y/a/sub y/a", "", "sub/o.txt n.txt"},
		{"z/b z/b/.q.txt", "", "p.txt .q.txt"},
	} {
		var paths []string
		for _, p := range strings.Fields(c.paths) {
			paths = append(paths, dir+"/"+p)
		}
		var w walked
		if err := w.walk(&Walker{Prefix: c.prefix}, paths...); err != nil || w.errors != nil {
			t.Fatalf("%s: %v %q", c.paths, err, w.errors)
		}
		if got := strings.Join(w.ids(), " "); got != c.want {
			t.Errorf("%s, prefix %q: %s, want %s", c.paths, c.prefix, got, c.want)
		}
		for _, d := range w.docs {
			if record := strings.HasSuffix(d.ID, "rec"); record != (d.Root == "") || !record && !strings.HasPrefix(d.Root, dir) {
				t.Errorf("%s has the root %q", d.ID, d.Root)
			}
		}
	}
	var w walked
	err := w.walk(&Walker{Prefix: "p"}, filepath.Join(dir, "x/a"), filepath.Join(dir, "y/a"))
	if !errors.Is(err, ErrClash) || !strings.Contains(err.Error(), `are both "p/n.txt"`) || len(w.docs) > 0 {
		t.Errorf("%v, %v", err, w.docs)
	}
}

func TestPassedOver(t *testing.T) {
	t.Parallel()
	dir := tree(t, "a.txt", ".git/b.txt", ".c.txt", "d.png", "README", "sub/e.md")
	write(t, filepath.Join(dir, "empty.txt"), "")
	write(t, filepath.Join(dir, "blank.txt"), " \n")
	write(t, filepath.Join(dir, "f\xff.txt"), "text")
	symlink(t, "nowhere", filepath.Join(dir, "gone.txt"))
	symlink(t, "self", filepath.Join(dir, "self"))
	symlink(t, "..", filepath.Join(dir, "sub", "up"))
	socket, err := net.Listen("unix", filepath.Join(dir, "s.txt"))
	if err != nil {
		t.Skip("no sockets here:", err)
	}
	defer func() { _ = socket.Close() }()
	symlink(t, "s.txt", filepath.Join(dir, "t.txt"))
	symlink(t, "a.txt", filepath.Join(dir, "A.txt"))
	var w walked
	walker := &Walker{}
	got := passed(walker)
	if err := w.walk(walker, dir); err != nil {
		t.Fatal(err)
	}
	w.wantIDs(t, "a.txt", "sub/e.md")
	want := map[string]string{
		".git": Hidden, ".c.txt": Hidden, "d.png": UnknownEnding, "README": UnknownEnding, "empty.txt": Empty, "blank.txt": Empty,
		"f\xff.txt": BadName, "gone.txt": BrokenLink, "self": Cycle, "up": Cycle, "s.txt": NoFile, "t.txt": NoFile, "A.txt": Twice,
	}
	if !maps.Equal(got, want) {
		t.Errorf("passed over %q, want %q", got, want)
	}
	if w.stats.Skipped != len(want)-2 || w.errors != nil {
		t.Errorf("%+v, %q", w.stats, w.errors)
	}
	if Ending("x/README") != "" || Ending("a.tar.xz") != ".xz" {
		t.Error("endings")
	}
}

// TestLinksAreFollowedOnce leaves a folder through links, and comes back.
func TestLinksAreFollowedOnce(t *testing.T) {
	t.Parallel()
	dir := tree(t, "in/m.txt", "out/sub/n.txt", "out/o.txt", "p.txt")
	symlink(t, "../out", filepath.Join(dir, "in", "b"))
	symlink(t, "../out/sub", filepath.Join(dir, "in", "c"))
	symlink(t, "../in", filepath.Join(dir, "out", "back"))
	symlink(t, "../p.txt", filepath.Join(dir, "in", "a.txt"))
	symlink(t, "in", filepath.Join(dir, "given"))
	for _, at := range []string{"in", "given"} {
		var w walked
		walker := &Walker{}
		got := passed(walker)
		if err := w.walk(walker, filepath.Join(dir, at)); err != nil || w.errors != nil {
			t.Fatal(err, w.errors)
		}
		w.wantIDs(t, "a.txt", "b/o.txt", "b/sub/n.txt", "m.txt")
		if want := map[string]string{"c": Twice, "back": Cycle}; !maps.Equal(got, want) {
			t.Errorf("passed over %q", got)
		}
		if w.docs[0].Root != filepath.Join(dir, "in") {
			t.Errorf("root %s", w.docs[0].Root)
		}
	}
}

func TestUnreadableFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := tree(t, "a/b.txt", "c.txt", "d.txt")
	for _, p := range []string{"a", "d.txt"} {
		if err := os.Chmod(filepath.Join(dir, p), 0); err != nil {
			t.Fatal(err)
		}
	}
	defer func() { _ = os.Chmod(filepath.Join(dir, "a"), 0o700) }()
	walker := &Walker{}
	got := passed(walker)
	found, err := walker.Find(context.Background(), []string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	stats, err := found.Read(func(messages.Document) error { return nil })
	if err != nil || stats.Documents != 1 || stats.Errors != 2 || got["a"] != Unreadable || got["d.txt"] != Unreadable {
		t.Errorf("%+v %v %q", stats, err, got)
	}
	if !found.Holds("a/b.txt") || !found.Holds("d.txt") || found.Holds("e.txt") || !found.Failed("d.txt") {
		t.Error("what cannot be read counts as gone")
	}
}

// TestRecordsOfOneID reads an ID twice: the first record counts, and the second
// is told with both places.
func TestRecordsOfOneID(t *testing.T) {
	t.Parallel()
	dir := tree(t, "c.txt")
	write(t, filepath.Join(dir, "a.jsonl"), `{"id":"1","text":"one"}`+"\n\n"+`{"id":"1","text":"two"}`)
	write(t, filepath.Join(dir, "b.jsonl"), `{"id":"2","text":"t"}`+"\n"+`{"id":"1","deleted":true}`+"\n"+`{"id":"c.txt","text":"t"}`)
	walker := &Walker{Stdin: strings.NewReader(`{"id":"2","text":"t"}`)}
	var w walked
	if err := w.walk(walker, dir, "-"); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(w.ids()); got != "[1 2 c.txt]" || w.docs[0].Text != "one" {
		t.Errorf("%s", got)
	}
	for i, want := range []string{`a.jsonl:3: document "1" is there already, from `, "b.jsonl:2: ", "c.txt:0: ", "stdin:1: "} {
		from := []string{"a.jsonl:1", "a.jsonl:1", "b.jsonl:3", "b.jsonl:1"}[i]
		if i >= len(w.errors) || !strings.HasPrefix(w.errors[i], want) || !strings.Contains(w.errors[i], from+": give") {
			t.Errorf("%d: %q", i, w.errors)
		}
	}
}

func TestPlacesOfParts(t *testing.T) {
	t.Parallel()
	p := newPlaces()
	for _, c := range []struct {
		id    string
		at    spot
		taken bool
	}{
		{PartID("a", 0, 5), spot{file: 0}, false},
		{PartID("a", 5, 5), spot{file: 0}, false},
		{PartID("a", 5, 5), spot{file: 0}, true},
		{PartID("a", 10, 5), spot{file: 1}, true},
		{"a", spot{file: 1}, true},
		{"b", spot{file: 1}, false},
		{PartID("b", 0, 5), spot{file: 2}, true},
	} {
		if _, taken := p.take(c.id, c.at); taken != c.taken {
			t.Errorf("%s at %v: %v", c.id, c.at, taken)
		}
	}
	if !p.has("a") || !p.has(PartID("a", 5, 5)) || p.has(PartID("a", 15, 5)) {
		t.Error("what was taken is not known")
	}
}

func TestParseFields(t *testing.T) {
	t.Parallel()
	got, err := ParseFields([]string{"text=body, abstract", "id=meta.key"})
	if err != nil || !slices.Equal(got["text"], []string{"body", "abstract"}) || !slices.Equal(got["id"], []string{"meta.key"}) {
		t.Errorf("%v %v", got, err)
	}
	for spec, want := range map[string]string{"text": "want NAME=PATH", "body=text": "choose from id, title, text, date", "text=a,,b": "a path is empty", "id=": "a path is empty"} {
		if _, err := ParseFields([]string{spec}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", spec, err)
		}
	}
	if _, err := ParseFields([]string{"id=a", "id=b"}); err == nil {
		t.Error("a name was taken twice")
	}
}

// TestManyFiles walks over many small files in bounded memory, and ends with its
// context at any point.
func TestManyFiles(t *testing.T) {
	n := 2000
	if *full {
		n = 20_000
	}
	dir := t.TempDir()
	for i := range n {
		if i%500 == 0 {
			if err := os.Mkdir(fmt.Sprintf("%s/%d", dir, i/500), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(fmt.Sprintf("%s/%d/a long enough name %d.txt", dir, i/500, i), []byte("some text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	found, err := new(Walker).Find(t.Context(), []string{dir}, nil)
	if err != nil || found.Len() != n {
		t.Fatal(found.Len(), err)
	}
	stats, err := found.Read(func(messages.Document) error { return nil })
	if err != nil || stats.Documents != n {
		t.Fatalf("%+v %v", stats, err)
	}
	grown := int64(heap()) - int64(before)
	t.Logf("%d files: %d bytes a file", n, grown/int64(n))
	if grown > int64(n)*600 && n > 10_000 {
		t.Errorf("holds %d bytes after %d files", grown, n)
	}
	runtime.KeepAlive(found)
	for _, at := range []int{0, 1, n / 2} {
		ctx, cancel := context.WithCancel(t.Context())
		if at == 0 {
			cancel()
		}
		read := 0
		_, err := Walk(ctx, []string{dir}, func(messages.Document) error {
			if read++; read == at {
				cancel()
			}
			return nil
		}, nil)
		if cancel(); !errors.Is(err, context.Canceled) || read != at {
			t.Errorf("cancelled after %d, read %d: %v", at, read, err)
		}
	}
}
