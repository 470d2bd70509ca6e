package archive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Folder is a folder of archived answers, which one process at a time writes to.
type Folder struct {
	path string
	lock *flock.Flock
}

// ErrInUse says that another process writes to the folder.
var ErrInUse = errors.New("another process archives to the folder")

// The beginnings of files' names, and the end of those that are not whole.
const (
	answers = "answers-"
	traces  = "traces-"
	partial = ".partial"
)

// stampForm tells the time to the nanosecond, so that names are in the order of
// their files.
const stampForm = "20060102T150405.000000000Z"

// fileName reads the name of a file: the time of its first answer, the sequences of
// its first and last.
var fileName = regexp.MustCompile(`^(answers|traces)-(\d{8}T\d{6}\.\d{9}Z)-(\d{12,})-(\d{12,})\.jsonl(\.gz)?$`)

// OpenFolder opens a folder to write to, and makes it if it is not there. What a
// killed process left unfinished is removed. It returns ErrInUse where another
// process has the folder open, and otherwise what the file system says.
func OpenFolder(path string) (*Folder, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	f := &Folder{path: path, lock: flock.New(filepath.Join(path, ".lock"))}
	ok, err := f.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	if !ok {
		return nil, fmt.Errorf("%w %s", ErrInUse, path)
	}
	if err := f.tidy(); err != nil {
		return nil, errors.Join(fmt.Errorf("archive: %w", err), f.Close())
	}
	return f, nil
}

// Close lets others write to the folder.
func (f *Folder) Close() error { return f.lock.Unlock() }

// tidy removes files that are not whole, and traces whose answers are not there: the
// answers' file is the last that is put in its place.
func (f *Folder) tidy() error {
	names, err := f.names()
	if err != nil {
		return err
	}
	whole := map[string]bool{}
	for _, name := range names {
		if suffix, ok := strings.CutPrefix(name, answers); ok && !strings.HasSuffix(name, partial) {
			whole[suffix] = true
		}
	}
	for _, name := range names {
		suffix, trace := strings.CutPrefix(name, traces)
		mine := trace || strings.HasPrefix(name, answers)
		if mine && strings.HasSuffix(name, partial) || trace && fileName.MatchString(name) && !whole[suffix] {
			if err := os.Remove(filepath.Join(f.path, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *Folder) names() ([]string, error) {
	all, err := os.ReadDir(f.path)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(all))
	for _, e := range all {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	return names, nil
}

// Last returns when the first answer of the folder's latest file was stored, and the
// sequence of its last; zeros where there is none.
func (f *Folder) Last() (at time.Time, seq uint64, err error) {
	names, err := f.names()
	if err != nil {
		return at, 0, fmt.Errorf("archive: %w", err)
	}
	for _, name := range slices.Backward(names) {
		m := fileName.FindStringSubmatch(name)
		if m == nil || m[1]+"-" != answers {
			continue
		}
		if at, err = time.Parse(stampForm, m[2]); err == nil {
			seq, err = strconv.ParseUint(m[4], 10, 64)
		}
		if err != nil {
			return at, 0, fmt.Errorf("archive: the name of %s: %w", name, err)
		}
		return at, seq, nil
	}
	return at, 0, nil
}
