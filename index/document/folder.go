package document

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// finder lists the files of one root. Links are followed when everything else
// is listed, so that a file is read under its own name if it has one here.
type finder struct {
	*reading
	root  *Root
	order int // of what is found
	// seen has the folders and files that are listed already, by their path
	// without links; roots share it.
	seen  map[string]bool
	links []link
}

// link is a symlink that is to be followed.
type link struct {
	path, below string   // as given, and below the root
	way         []string // the folders that led here, without links
}

// folder lists what is in the folder path, which is below in its root and real
// without links.
func (f *finder) folder(path, below, real string, way []string) error {
	if err := f.ctx.Err(); err != nil {
		return err
	}
	f.seen[real] = true
	entries, err := os.ReadDir(path)
	if err != nil {
		f.note(path, Unreadable)
		f.report(path, 0, err)
		f.keep = append(f.keep, f.root.Prefix+below)
		return nil
	}
	way = append(slices.Clip(way), real)
	for _, e := range entries {
		name := e.Name()
		p := filepath.Join(path, name)
		switch {
		case strings.HasPrefix(name, "."):
			f.note(p, Hidden)
		case !utf8.ValidString(name):
			f.note(p, BadName)
		case e.Type()&fs.ModeSymlink != 0:
			f.links = append(f.links, link{p, below + name, way})
		case e.IsDir():
			if sub := filepath.Join(real, name); f.seen[sub] {
				f.note(p, Twice)
			} else if err := f.folder(p, below+name+"/", sub, way); err != nil {
				return err
			}
		default:
			info, err := e.Info()
			if err != nil { // it is gone again
				f.note(p, Unreadable)
				continue
			}
			f.file(p, below+name, filepath.Join(real, name), info)
		}
	}
	return nil
}

// file lists one file, unless there is a reason not to read it.
func (f *finder) file(path, below, real string, info fs.FileInfo) {
	switch {
	case !info.Mode().IsRegular():
		f.note(path, NoFile)
	case formatOf(path) == nil:
		f.note(path, UnknownEnding)
	case info.Size() == 0:
		f.note(path, Empty)
	case f.seen[real]:
		f.note(path, Twice)
	default:
		f.seen[real] = true
		f.sources = append(f.sources, source{path: path, id: f.root.Prefix + below, size: info.Size(), root: f.root.Path, order: f.order})
	}
}

// follow lists what links lead to, and what links in there lead to.
func (f *finder) follow() error {
	for len(f.links) > 0 {
		l := f.links[0]
		f.links = f.links[1:]
		real, err := filepath.EvalSymlinks(l.path)
		if err != nil {
			f.note(l.path, whyBroken(err))
			continue
		}
		info, err := os.Stat(real)
		switch {
		case err != nil:
			f.note(l.path, Unreadable)
		case !info.IsDir():
			f.file(l.path, l.below, real, info)
		case slices.ContainsFunc(l.way, func(at string) bool { return within(at, real) }):
			f.note(l.path, Cycle)
		case f.seen[real]:
			f.note(l.path, Twice)
		default:
			if err := f.folder(l.path, l.below+"/", real, l.way); err != nil {
				return err
			}
		}
	}
	return nil
}

// whyBroken says what is wrong with a link that leads nowhere.
func whyBroken(err error) string {
	if os.IsNotExist(err) {
		return BrokenLink
	}
	if os.IsPermission(err) {
		return Unreadable
	}
	return Cycle // links that lead to each other
}

// within reports whether path is folder or lies below it.
func within(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(folder, "/"))
	return ok && (rest == "" || rest[0] == '/')
}
