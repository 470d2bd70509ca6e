package document

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hopstream/index/document/records"
	"hopstream/messages"
)

// MaxDocument is the longest document, in bytes of ID, title and text. It
// leaves room for JSON and headers below NATS's default payload of 1 MiB.
const MaxDocument = 900_000

// WalkStats says what a walk found.
type WalkStats struct {
	Files     int   // read, whole or in part
	Skipped   int   // of a kind that is not read
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
	// Chunk is how the stores cut documents into passages: by it the parts of a
	// document that is too long for one message are numbered.
	Chunk ChunkOptions
	// Fields says which fields of JSON are what; what it does not say is guessed.
	Fields records.Fields
}

// Walk reads every document under paths with a zero Walker.
func Walk(ctx context.Context, paths []string, fn func(messages.Document) error, onError func(path string, line int, err error)) (WalkStats, error) {
	return new(Walker).Walk(ctx, paths, fn, onError)
}

// Walk reads every document under paths, in order, and folders in the order
// of their names. It reads the kinds of files that format.go lists, counts
// others as skipped, and passes over hidden ones. A document in a file of its own is named by its path
// within the folder given, or its base name. What cannot be read is reported
// to onError with its path and line (0 where it has none), and the walk goes
// on. Walk fails if a path does not exist, with fn's first error, or when ctx
// ends.
func (w *Walker) Walk(ctx context.Context, paths []string, fn func(messages.Document) error, onError func(path string, line int, err error)) (WalkStats, error) {
	r := &reading{ctx: ctx, fn: fn, progress: w.Progress, chunk: w.Chunk, fields: w.Fields, named: map[string]string{}}
	r.report = func(path string, line int, err error) {
		r.stats.Errors++
		if onError != nil {
			onError(path, line, err)
		}
	}
	var all []source
	for _, path := range paths {
		if path == "-" {
			all = append(all, source{path: "-"})
			continue
		}
		found, err := r.find(path)
		if err != nil {
			return r.stats, err
		}
		all = append(all, found...)
	}
	for _, s := range all {
		r.total += s.size
	}
	for _, s := range all {
		if s.path == "-" {
			r.total = 0
		}
	}
	stdin := w.Stdin
	if stdin == nil {
		stdin = os.Stdin
	}
	for _, s := range all {
		if err := r.read(s, stdin); err != nil {
			return r.stats, err
		}
	}
	return r.stats, nil
}

// source is a file to read, and the ID of the document if it is one.
type source struct {
	path, id string
	size     int64
}

// reading is one walk under way.
type reading struct {
	ctx      context.Context
	fn       func(messages.Document) error
	report   func(path string, line int, err error)
	progress func(read, total int64)
	chunk    ChunkOptions
	fields   records.Fields
	named    map[string]string // the path behind each ID given by us
	total    int64
	stats    WalkStats
}

// stop marks the errors that end a walk.
type stop struct{ error }

func (s stop) Unwrap() error { return s.error }

// find lists the readable files under path.
func (r *reading) find(path string) ([]source, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file or folder", path)
	case err != nil:
		return nil, err
	case info.Mode().IsRegular():
		if formatOf(path) == nil {
			return nil, fmt.Errorf("%s: cannot read this kind of file: give one of %s, or a folder of them", path, kinds())
		}
		return []source{{path, filepath.Base(path), info.Size()}}, nil
	case !info.IsDir():
		return nil, fmt.Errorf("%s: neither a file nor a folder; JSONL can be piped in as -", path)
	}
	var found []source
	if resolved, rerr := filepath.EvalSymlinks(path); rerr == nil {
		path = resolved // WalkDir does not enter a folder that is named through a link
	}
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		switch {
		case r.ctx.Err() != nil:
			return r.ctx.Err()
		case err != nil:
			r.report(p, 0, err)
			return nil
		case p != path && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		info, err := os.Stat(p) // also where a link points
		if err != nil || !info.Mode().IsRegular() || formatOf(p) == nil {
			r.stats.Skipped++
			return nil
		}
		id, err := filepath.Rel(path, p)
		if err != nil {
			return err
		}
		found = append(found, source{p, filepath.ToSlash(id), info.Size()})
		return nil
	})
	return found, err
}

// read reads one source. It returns only errors that end the walk.
func (r *reading) read(s source, stdin io.Reader) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if s.path == "-" {
		r.stats.Files++
		return ends(r.jsonl(source{path: "stdin"}, &input{Reader: &counter{r: r, from: stdin}}))
	}
	f, err := os.Open(s.path)
	if err != nil {
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

func ends(err error) error {
	var end stop
	if errors.As(err, &end) {
		return end.error
	}
	return err
}

// emit checks one document and hands it on. It returns what is wrong with
// the document, or a stop.
func (r *reading) emit(d messages.Document) error {
	if err := r.ctx.Err(); err != nil {
		return stop{err}
	}
	if err := messages.CheckDocID(d.ID); err != nil {
		return err
	}
	if n := len(d.ID) + len(d.Title) + len(d.Text); n > MaxDocument {
		return fmt.Errorf("document %.80q has %d bytes; the limit is %d: split it into several documents", d.ID, n, MaxDocument)
	}
	if err := r.fn(d); err != nil {
		return stop{err}
	}
	r.stats.Documents++
	return nil
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
