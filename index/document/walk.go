package document

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"hopstream/messages"
)

// MaxDocument is the longest document, in bytes of ID, title and text. It
// leaves room for JSON and headers below NATS's default payload of 1 MiB.
const MaxDocument = 900_000

// WalkStats says what a walk found.
type WalkStats struct {
	Files     int   // read, whole or in part
	Skipped   int   // passed over, hidden ones not counted
	Documents int   // handed on
	Errors    int   // reported
	Bytes     int64 // read
}

// Walker reads documents from files, folders and stdin. The zero value is
// ready.
type Walker struct {
	// Stdin is read, as JSONL, for the path "-"; nil means os.Stdin.
	Stdin io.Reader
	// Progress is told, now and then, how many of how many bytes are read.
	// total is 0 as long as it is unknown, as for stdin.
	Progress func(read, total int64)
	// PassedOver is told of everything that is not read, and why (see Hidden);
	// nil means that nobody is.
	PassedOver func(path, reason string)
	// Chunk is how the stores cut documents into passages: by it the parts of a
	// document that is too long for one message are numbered.
	Chunk ChunkOptions
	// Prefix stands before the ID of every document; a slash parts it from the
	// ID. Without one, what several folders hold is told apart by their names.
	Prefix string
	// Fields says where records have what documents consist of; nil means under
	// the usual names.
	Fields Fields
}

// Walk reads every document under paths with a zero Walker.
func Walk(ctx context.Context, paths []string, fn func(messages.Document) error, onError func(path string, line int, err error)) (WalkStats, error) {
	return new(Walker).Walk(ctx, paths, fn, onError)
}

// Walk reads every document under paths, in order, and folders in the order
// of their names: it is Find, then Read. A document in a file of its own is
// named by its path below the folder given, or its base name, and knows its
// root. A record keeps the ID it brings. What cannot be read is reported to
// onError with its path and line (0 where it has none), and the walk goes on;
// so is a second document of one ID. Walk fails if a path does not exist, where
// two files would be one document (ErrClash), with fn's first error, or when ctx
// ends.
func (w *Walker) Walk(ctx context.Context, paths []string, fn func(messages.Document) error, onError func(path string, line int, err error)) (WalkStats, error) {
	found, err := w.Find(ctx, paths, onError)
	if err != nil {
		return WalkStats{}, err
	}
	return found.Read(fn)
}

// source is a file to read, and the ID of the document if it is one.
type source struct {
	path, id string
	size     int64
	root     string // the folder that the ID is a path in
	order    int    // rises with the arguments that sources come from
}

// reading is one walk under way.
type reading struct {
	ctx        context.Context
	fn         func(messages.Document) error
	report     func(path string, line int, err error)
	passedOver func(path, reason string)
	progress   func(read, total int64)
	input      io.Reader // for stdin
	chunk      ChunkOptions
	fields     Fields
	prefix     string
	total      int64
	stats      WalkStats

	sources []source
	stdin   bool             // is to be read, behind the sources
	named   map[string]int32 // the number of the source behind each ID
	keep    []string         // the beginnings of IDs in folders that cannot be read
	failed  map[string]bool  // IDs of sources that something is wrong with
	places  places

	now int // the source being read; -1 while there is none
	// at is the line or the number of the record being read, from 1; 0 where
	// files have none.
	at int
}

// reading begins a walk.
func (w *Walker) reading(ctx context.Context, report func(path string, line int, err error)) *reading {
	r := &reading{
		ctx: ctx, passedOver: w.PassedOver, progress: w.Progress, input: w.Stdin, chunk: w.Chunk, fields: w.Fields, prefix: w.Prefix,
		failed: map[string]bool{}, places: newPlaces(), now: -1,
	}
	if r.input == nil {
		r.input = os.Stdin
	}
	if r.prefix != "" && !strings.HasSuffix(r.prefix, "/") {
		r.prefix += "/"
	}
	r.report = func(path string, line int, err error) {
		r.stats.Errors++
		if r.now >= 0 && r.now < len(r.sources) {
			r.failed[r.sources[r.now].id] = true
		}
		if report != nil {
			report(path, line, err)
		}
	}
	return r
}

// stop marks the errors that end a walk.
type stop struct{ error }

func (s stop) Unwrap() error { return s.error }

// read reads the source with the number now. It returns only errors that end
// the walk.
func (r *reading) read(now int) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	s := r.sources[now]
	r.now, r.at = now, 0
	f, err := os.Open(s.path)
	if err != nil {
		r.note(s.path, Unreadable)
		r.report(s.path, 0, err)
		return nil
	}
	defer f.Close()
	r.stats.Files++
	err = formatOf(s.path).read(r, s, &input{&counter{r: r, from: f}, f, s.size})
	var end stop
	if errors.As(err, &end) {
		return end.error
	}
	if err != nil {
		r.report(s.path, 0, err)
	}
	return nil
}

// readStdin is read for stdin.
func (r *reading) readStdin() error {
	r.now, r.at = len(r.sources), 0
	r.stats.Files++
	err := r.jsonl(source{path: "stdin"}, &input{Reader: &counter{r: r, from: r.input}})
	var end stop
	if errors.As(err, &end) {
		return end.error
	}
	return err
}

// emit checks one document and hands it on. It returns what is wrong with
// the document, or a stop. A document whose ID is that of its file, or begins
// with it and a #, is named by its path and gets the file's root; any other has
// an ID of its own.
func (r *reading) emit(d messages.Document) error {
	if err := r.ctx.Err(); err != nil {
		return stop{err}
	}
	if r.ofFile(d.ID) {
		d.Root = r.sources[r.now].root
	} else if d.ID != "" {
		d.ID = r.prefix + d.ID
	}
	if err := messages.CheckDocID(d.ID); err != nil {
		return err
	}
	if n := len(d.ID) + len(d.Title) + len(d.Text); n > MaxDocument {
		return fmt.Errorf("document %.80q has %d bytes; the limit is %d: split it into several documents", d.ID, n, MaxDocument)
	}
	if first, taken := r.places.take(d.ID, spot{file: int32(r.now), line: int32(r.at)}); taken {
		return fmt.Errorf("document %.80q is there already, from %s: give it another ID, or leave one of the two out", d.ID, r.where(first))
	}
	if err := r.fn(d); err != nil {
		return stop{err}
	}
	r.stats.Documents++
	return nil
}

// ofFile reports whether id is that of the file being read, of a part of it, or of
// a record in it that brings none.
func (r *reading) ofFile(id string) bool {
	if r.now >= len(r.sources) {
		return false
	}
	rest, ok := strings.CutPrefix(id, r.sources[r.now].id)
	return ok && (rest == "" || rest[0] == '#' || rest[0] == '/')
}

// counter counts what is read from a file.
type counter struct {
	r    *reading
	from io.Reader
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	c.r.stats.Bytes += int64(n)
	if c.r.progress != nil {
		c.r.progress(c.r.stats.Bytes, c.r.total)
	}
	return n, err
}
