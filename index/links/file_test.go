package links

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hopstream/index"
	"hopstream/index/document"
	"hopstream/index/sample"
	"hopstream/index/testkit/storetest"
	"hopstream/messages"
	"hopstream/messages/fault"
)

func openStore(t *testing.T, dir string, log *bytes.Buffer) *Store {
	t.Helper()
	s, err := Open(dir, Options{Logger: slog.New(slog.NewTextHandler(log, nil))})
	return storetest.Opened(t, s, err)
}

func documents(ps []messages.Passage) []messages.Document {
	docs := make([]messages.Document, len(ps))
	for i, p := range ps {
		docs[i] = messages.Document{ID: p.ID, Title: p.Title, Text: p.Text}
	}
	return docs
}

func apply(t *testing.T, s *Store, seq uint64, docs ...messages.Document) {
	t.Helper()
	if err := s.Apply(t.Context(), docs, index.Position{Stream: "s", Sequence: seq}); err != nil {
		t.Fatal(err)
	}
}

// alike fails the test unless s answers as an index in memory does that was
// given docs at once.
func alike(t *testing.T, s *Store, docs []messages.Document, qs []string) {
	t.Helper()
	want := openStore(t, "", new(bytes.Buffer))
	apply(t, want, 1, docs...)
	if s.Passages() != want.Passages() || s.Documents() != want.Documents() {
		t.Errorf("%d passages of %d documents, want %d of %d", s.Passages(), s.Documents(), want.Passages(), want.Documents())
	}
	for _, q := range qs {
		a, err := s.Search(t.Context(), q, 50)
		if err != nil {
			t.Fatal(err)
		}
		b, err := want.Search(t.Context(), q, 50)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%q finds\n%v\nwant\n%v", q, heads(a), heads(b))
		}
	}
}

// TestReopened: after documents came, changed and went, in batches and one by
// one, with copies made in between, a store that is opened again answers as one
// that was given what is left at once.
func TestReopened(t *testing.T) {
	t.Parallel()
	ps := generated(1200, 1)
	docs := documents(ps)
	docs[7].Text = strings.Repeat("Frequent words are often frequent. ", 40) // more often than a posting has room for
	docs[8].Text = strings.Repeat("frequent ", 300)
	qs := append(questions(ps, 40), "how frequent are words", "frequent")
	dir, random := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	var log bytes.Buffer
	s := openStore(t, dir, &log)
	old := documents(generated(1200, 2))
	apply(t, s, 1, old...)
	seq := uint64(1)
	for range 3 {
		for _, i := range random.Perm(len(docs)) {
			switch {
			case i%100 == 0:
				seq++
				apply(t, s, seq, docs[i:min(i+100, len(docs))]...)
			case i%90 == 0:
				seq++
				apply(t, s, seq, messages.Document{ID: docs[i].ID, Deleted: true}, docs[(i+1)%len(docs)])
			}
		}
		apply(t, s, seq, docs...) // all is there again
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = openStore(t, dir, &log)
		if got := s.Position(); got != (index.Position{Stream: "s", Sequence: seq}) {
			t.Errorf("position %+v, want %d", got, seq)
		}
		alike(t, s, docs, qs)
	}
	docs = docs[:300]
	for _, d := range old[300:] {
		seq++
		apply(t, s, seq, messages.Document{ID: d.ID, Deleted: true})
	}
	alike(t, s, docs, qs)
	if n := len(s.index.now.ids); n > 2*300+1000 {
		t.Errorf("%d places for 300 passages", n)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	alike(t, openStore(t, dir, &log), docs, qs)
	if log.Len() > 0 {
		t.Errorf("it was built anew:\n%s", &log)
	}
}

// TestOneProcess: a folder that is open is not opened again.
func TestOneProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	openStore(t, dir, new(bytes.Buffer))
	_, err := Open(dir, Options{})
	if class, _ := fault.Of(err); class != fault.Permanent || !strings.Contains(err.Error(), "in use by another process") {
		t.Errorf("error %v", err)
	}
}

// TestOtherFormat: what was made with other settings is built anew, with a word.
func TestOtherFormat(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir, new(bytes.Buffer))
	apply(t, s, 3, documents(lake)...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	other, err := Open(dir, Options{Chunk: document.ChunkOptions{Size: 99}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if other.Passages() != 0 || other.Position() != (index.Position{}) || !strings.Contains(log.String(), "built anew") || !strings.Contains(log.String(), "other settings") {
		t.Errorf("%d passages at %+v; it said: %s", other.Passages(), other.Position(), &log)
	}
}

// TestDamaged: a file with another byte somewhere, or without its end, is
// either of no matter, or it is built anew: what a search finds is never wrong,
// and the process goes on.
func TestDamaged(t *testing.T) {
	t.Parallel()
	ps := generated(300, 4)
	docs, qs := documents(ps), questions(ps, 12)
	dir := t.TempDir()
	s := openStore(t, dir, new(bytes.Buffer))
	apply(t, s, 3, docs...)
	want := make([][]messages.Passage, len(qs))
	for i, q := range qs {
		var err error
		if want[i], err = s.Search(t.Context(), q, 20); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, fileName))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(9, 9))
	rebuilt, served := 0, 0
	for round := range 60 {
		data := bytes.Clone(whole)
		what := ""
		switch {
		case round%10 == 0:
			data = data[:random.IntN(len(data))]
			what = fmt.Sprintf("cut off after %d bytes", len(data))
		case round%10 == 1:
			at := random.IntN(len(data)/4096) * 4096
			clear(data[at : at+4096])
			what = fmt.Sprintf("a page of zeros at %d", at)
		default:
			at := random.IntN(len(data))
			data[at] ^= 1 << random.IntN(8)
			what = fmt.Sprintf("another bit at %d", at)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, fileName), data, 0o644); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		s := openStore(t, dir, &log)
		for i, q := range qs {
			if s.Position() == (index.Position{}) {
				break
			}
			got, err := s.Search(t.Context(), q, 20)
			switch class, _ := fault.Of(err); {
			case err == nil:
				served++
				if !reflect.DeepEqual(got, want[i]) {
					t.Errorf("%s: %q finds\n%v\nwant\n%v", what, q, heads(got), heads(want[i]))
				}
			case class != fault.Unavailable || s.Position().Sequence != 0:
				t.Errorf("%s: %v, at %+v", what, err, s.Position())
			}
		}
		if s.Position().Sequence == 0 {
			if s.Position().Stream != "" { // found by a search: it takes nothing until it is emptied
				if class, _ := fault.Of(s.Apply(t.Context(), docs, index.Position{Stream: "s", Sequence: 4})); class != fault.Unavailable {
					t.Errorf("%s: it goes on", what)
				}
				if err := s.Reset(t.Context()); err != nil {
					t.Errorf("%s: %v", what, err)
				}
			}
			rebuilt++
			if len(data) > 0 && !strings.Contains(log.String(), "built anew") {
				t.Errorf("%s: nothing was said: %s", what, &log)
			}
			apply(t, s, 3, docs...)
		}
		// It can be written to, or says why not.
		if err := s.Apply(t.Context(), docs[:3], index.Position{Stream: "s", Sequence: 4}); err != nil && s.Position().Sequence != 0 {
			t.Errorf("%s: %v", what, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	t.Logf("%d of 60 were built anew; %d searches were served by the others", rebuilt, served)
	if rebuilt < 10 || served == 0 {
		t.Errorf("%d of 60 were built anew, and %d searches served", rebuilt, served)
	}
}

// TestFailedWrite: what could not be written was not done, and can be done
// again, with the words that came with it.
func TestFailedWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openStore(t, dir, new(bytes.Buffer))
	apply(t, s, 1, documents(lake[:1])...)
	if err := s.index.file.db.Close(); err != nil { // as a disk that is gone
		t.Fatal(err)
	}
	if err := s.Apply(t.Context(), documents(lake), index.Position{Stream: "s", Sequence: 2}); err == nil || errors.Is(err, errDamaged) {
		t.Fatalf("error %v", err)
	}
	if s.Position().Sequence != 1 || s.Passages() != 1 {
		t.Errorf("%d passages at %+v", s.Passages(), s.Position())
	}
	f, err := openFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	f.words, s.index.file = s.index.file.words, f
	apply(t, s, 2, documents(lake)...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	alike(t, openStore(t, dir, new(bytes.Buffer)), documents(lake), []string{lakeQuestion})
}

// TestFormatNumber fails when what is written changes while fileFormat does
// not: an older file would be read as something else. Raise fileFormat then,
// and put the new sum here.
func TestFormatNumber(t *testing.T) {
	t.Parallel()
	docs, err := sample.Documents()
	if err != nil {
		t.Fatal(err)
	}
	c, sum := newCorpus(), sha256.New()
	var digests []digest
	var buf []int32
	for i, d := range docs {
		p := c.passage(read(messages.Passage{ID: d.ID, Title: d.Title, Text: d.Text}))
		digests = append(digests, p.digest(&buf))
		sum.Write(appendRecord(nil, int32(i), p))
	}
	sum.Write(appendBlock(nil, 0, digests))
	sum.Write(appendWords(nil, 0, c.norms))
	got := fmt.Sprintf("%d %x", fileFormat, sum.Sum(nil)[:8])
	if want := "3 ecaae58f49d89eea"; got != want {
		t.Errorf("what is written is now %q, and was %q", got, want)
	}
}

// FuzzRecord: any bytes are a passage or an error.
func FuzzRecord(f *testing.F) {
	c := newCorpus()
	for _, p := range lake {
		f.Add(appendRecord(nil, 0, c.passage(read(p)))[4:])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		data := seal(0, append(make([]byte, 4), b...))
		p, err := readRecord(&c.vocabulary, "id", 0, data)
		if err != nil {
			return
		}
		var buf []int32
		p.digest(&buf)
		p.mentions(&c.titles)
		again, err := readRecord(&c.vocabulary, "id", 0, appendRecord(nil, 0, p))
		if err != nil || !reflect.DeepEqual(again.toks, p.toks) || again.text != p.text || again.name != p.name || again.place != p.place {
			t.Errorf("%+v is read again as %+v, %v", p, again, err)
		}
	})
}

// FuzzBlock: any bytes are a block or an error.
func FuzzBlock(f *testing.F) {
	c := newCorpus()
	var digests []digest
	var buf []int32
	for _, p := range lake {
		digests = append(digests, c.passage(read(p)).digest(&buf))
	}
	f.Add(appendBlock(nil, 0, digests)[4:])
	f.Fuzz(func(t *testing.T, b []byte) {
		l := loader{words: len(c.norms)}
		d := decoder{b: b}
		n, err := d.passages(func(int, *digest) {})
		if err != nil {
			return
		}
		l.passages, l.removed = n, make([]bool, n)
		l.blocks = []block{{passages: int32(n), data: append(make([]byte, 4), b...), lists: d.b, holes: n > 1}}
		_ = l.lists(sizedCorpus(0, 0, 0))
	})
}
