package document

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"hopstream/messages"
)

// Found is what a Walker found under its paths: the files to read, by name,
// before any of them is read.
type Found struct {
	*reading
	roots []*Root
}

// Find lists the files under paths, without reading them. It fails, with
// ErrClash, where two files would be one document, if a path does not exist, and
// when ctx ends, by which Read then ends too. report is told, with their path
// and line (0 where it has none), of folders that cannot be read, and later of
// files and records.
func (w *Walker) Find(ctx context.Context, paths []string, report func(path string, line int, err error)) (*Found, error) {
	r := w.reading(ctx, report)
	var all []argument
	for _, path := range paths {
		if path == "-" {
			r.stdin = true
			continue
		}
		a, err := place(path)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	out := &Found{reading: r, roots: distinct(all, r.prefix)}
	seen := map[string]bool{}
	for _, a := range all {
		if err := r.find(a, seen); err != nil {
			return nil, err
		}
	}
	for _, s := range r.sources {
		r.total += s.size
	}
	if r.stdin {
		r.total = 0
	}
	return out, r.checkNames()
}

// find lists the files that one argument stands for.
func (r *reading) find(a argument, seen map[string]bool) error {
	f := finder{reading: r, root: a.root, order: len(r.sources), seen: seen}
	real, err := filepath.EvalSymlinks(a.path)
	switch {
	case err != nil:
		return err
	case !a.info.IsDir():
		f.file(a.path, a.below+filepath.Base(a.path), real, a.info)
		return nil
	case seen[real]:
		r.note(a.path, Twice)
		return nil
	}
	if err := f.folder(filepath.Clean(a.path), a.below, real, nil); err != nil {
		return err
	}
	if len(f.links) == 0 {
		return nil
	}
	if err := f.follow(); err != nil {
		return err
	}
	slices.SortFunc(r.sources, func(a, b source) int {
		if a.order != b.order {
			return cmp.Compare(a.order, b.order)
		}
		return cmp.Compare(a.id, b.id)
	})
	return nil
}

// ErrClash says that two files would be one document.
var ErrClash = errors.New("two files would be one document")

// checkNames fails where two files have one name. Files of records do not count:
// their records bring names of their own.
func (r *reading) checkNames() error {
	r.named = make(map[string]int32, len(r.sources))
	for i, s := range r.sources {
		if at, ok := r.named[s.id]; ok && !holdsRecords(s.path) && !holdsRecords(r.sources[at].path) {
			return fmt.Errorf("%w: %s and %s are both %q: index them one after the other, each with a --prefix of its own, or without --prefix", ErrClash, r.sources[at].path, s.path, s.id)
		}
		r.named[s.id] = int32(i)
	}
	return nil
}

// Only returns those of the files whose IDs want accepts, to be read beforehand:
// nobody is told of progress or of what is wrong.
func (f *Found) Only(want func(id string) bool) *Found {
	r := *f.reading
	r.sources, r.stdin, r.failed, r.places, r.stats = nil, false, map[string]bool{}, newPlaces(), WalkStats{}
	r.passedOver, r.progress = nil, nil
	r.report = func(string, int, error) {}
	for _, s := range f.sources {
		if want(s.id) {
			r.sources = append(r.sources, s)
		}
	}
	return &Found{reading: &r, roots: f.roots}
}

// Roots returns the folders that documents are named by their path in.
func (f *Found) Roots() []Root {
	var out []Root
	for _, r := range f.roots {
		if r.names {
			out = append(out, *r)
		}
	}
	return out
}

// IDs returns the ID that every file has as a document.
func (f *Found) IDs() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, s := range f.sources {
			if !yield(s.id) {
				return
			}
		}
	}
}

// Root returns the path of the root of the file that is the document called id,
// or has it in parts; ok says whether there is one.
func (f *Found) Root(id string) (path string, ok bool) {
	at, ok := f.named[Whole(id)]
	if !ok {
		return "", false
	}
	return f.sources[at].root, true
}

// Len returns the number of files.
func (f *Found) Len() int { return len(f.sources) }

// Holds reports whether the document called id comes from a file that is there,
// or may come from one that cannot be seen.
func (f *Found) Holds(id string) bool {
	if slices.ContainsFunc(f.keep, func(below string) bool { return strings.HasPrefix(id, below) }) {
		return true
	}
	for at := len(id); at > 0; at = strings.LastIndexByte(id[:at], '#') {
		if _, ok := f.named[id[:at]]; ok {
			return true
		}
	}
	return false
}

// Read reads the files, in the order of the paths and of their names, and hands
// every document to fn. It fails with fn's first error, or when the context of
// Find ends.
func (f *Found) Read(fn func(messages.Document) error) (WalkStats, error) {
	r := f.reading
	r.fn = fn
	for i := range r.sources {
		if err := r.read(i); err != nil {
			return r.stats, err
		}
	}
	if r.stdin {
		if err := r.readStdin(); err != nil {
			return r.stats, err
		}
	}
	return r.stats, nil
}
