package document

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Root is a folder whose files are documents, named by their path below it.
type Root struct {
	// Path is absolute and without links.
	Path string
	// Prefix stands before the IDs of the documents.
	Prefix string
	// Whole is set where the whole folder is read, not only single files of it.
	Whole bool

	given string // absolute, as it was given
	names bool   // documents are named by it, not by the records within
}

// argument is one of the paths that a walk is given.
type argument struct {
	path  string // as given
	root  *Root
	below string // the path of its folder below the root
	info  fs.FileInfo
}

// place finds out what a path is. A single file belongs to its folder.
func place(path string) (argument, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return argument{}, fmt.Errorf("%s: no such file or folder", path)
	case err != nil:
		return argument{}, err
	case info.Mode().IsRegular() && formatOf(path) == nil:
		return argument{}, fmt.Errorf("%s: cannot read this kind of file: give %s, or a folder", path, kinds())
	case !info.Mode().IsRegular() && !info.IsDir():
		return argument{}, fmt.Errorf("%s: neither a file nor a folder; JSONL can be piped in as -", path)
	}
	folder := path
	if !info.IsDir() {
		folder = filepath.Dir(path)
	}
	root := &Root{Whole: info.IsDir(), names: info.IsDir() || !holdsRecords(path)}
	if root.given, err = filepath.Abs(folder); err != nil {
		return argument{}, err
	}
	if root.Path, err = filepath.EvalSymlinks(root.given); err != nil {
		return argument{}, err
	}
	return argument{path: path, root: root, info: info}, nil
}

// holdsRecords reports whether a file is a list of records, which bring their
// own IDs.
func holdsRecords(path string) bool {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	switch filepath.Ext(name) {
	case ".jsonl", ".ndjson", ".json":
		return true
	}
	return false
}

// distinct makes paths of one folder share one root, and those within a folder
// that is read as a whole that folder's. It gives every root its prefix: the one
// given, if any; else, where several roots name documents, the name of the
// folder, with as much of its path as tells it from the others.
func distinct(all []argument, prefix string) []*Root {
	byPath := map[string]*Root{}
	var roots []*Root
	for i := range all {
		r := all[i].root
		if first := byPath[r.Path]; first != nil {
			first.Whole, first.names = first.Whole || r.Whole, first.names || r.names
			all[i].root = first
			continue
		}
		byPath[r.Path] = r
		roots = append(roots, r)
	}
	roots = slices.DeleteFunc(roots, func(r *Root) bool { return outer(r, roots) != nil })
	for i := range all {
		if o := outer(all[i].root, roots); o != nil {
			all[i].below = strings.Trim(strings.TrimPrefix(all[i].root.Path, o.Path), "/") + "/"
			all[i].root = o
		}
	}
	var naming []*Root
	for _, r := range roots {
		r.Prefix = prefix
		if r.names {
			naming = append(naming, r)
		}
	}
	if prefix == "" && len(naming) > 1 {
		lengthen(naming)
	}
	return roots
}

// outer returns the root that is read as a whole and has r within; nil if there
// is none.
func outer(r *Root, roots []*Root) *Root {
	for _, o := range roots {
		if o.Whole && o != r && o.Path != r.Path && within(r.Path, o.Path) && outer(o, roots) == nil {
			return o
		}
	}
	return nil
}

// lengthen gives roots the shortest ends of their paths that differ.
func lengthen(roots []*Root) {
	parts := make([]int, len(roots))
	for i := range parts {
		parts[i] = 1
	}
	for again := true; again; {
		again = false
		holders := map[string][]int{}
		for i, r := range roots {
			r.Prefix = lastParts(r.given, parts[i])
			holders[r.Prefix] = append(holders[r.Prefix], i)
		}
		for _, same := range holders {
			if len(same) == 1 {
				continue
			}
			for _, i := range same {
				if lastParts(roots[i].given, parts[i]+1) != roots[i].Prefix {
					parts[i]++
					again = true
				}
			}
		}
	}
}

// lastParts returns the last n parts of a path, each with a slash behind it.
func lastParts(path string, n int) string {
	all := strings.Split(strings.Trim(filepath.ToSlash(path), "/"), "/")
	if all[0] == "" {
		return ""
	}
	return strings.Join(all[max(0, len(all)-n):], "/") + "/"
}
