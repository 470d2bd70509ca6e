package revelator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"hopstream/cmd/internal/cli"
)

// mayWrite checks that a folder can be made at out: nothing is there, or, by
// force, one that this command made and does not read from. Anything else is
// never removed.
func mayWrite(out string, force bool, args []string) error {
	if out == "" {
		return cli.Usagef("where to? Give --out DIR")
	}
	for _, arg := range args {
		path, _, err := classAndPath(arg)
		if err != nil {
			return err
		}
		inside, err := within(path, out)
		if err != nil {
			return err
		}
		if inside {
			return cli.Usagef("--out %s is where %s is read from: give another", out, path)
		}
	}
	entries, err := os.ReadDir(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("--out: %w", err)
	case len(entries) == 0:
		return nil
	case !force:
		return fmt.Errorf("%s is there already: give another --out, or --force to write over it", out)
	}
	if _, err := os.Stat(filepath.Join(out, ManifestFile)); err != nil {
		return fmt.Errorf("%s holds files that are not of this command (no %s): give another --out", out, ManifestFile)
	}
	return nil
}

// within reports whether path is dir or below it. What is not there is in nothing.
func within(path, dir string) (bool, error) {
	dirInfo, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, fmt.Errorf("--out: %w", err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return false, err
	}
	for {
		if info, err := os.Stat(path); err == nil && os.SameFile(info, dirInfo) {
			return true, nil
		}
		up := filepath.Dir(path)
		if up == path {
			return false, nil
		}
		path = up
	}
}

// writeFolder has write fill a folder beside out and puts it in the place of
// out when it is whole, so that out is never half of one.
func writeFolder(out string, write func(dir string) error) (err error) {
	out = filepath.Clean(out)
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(filepath.Dir(out), "."+filepath.Base(out)+"-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	fresh, old := filepath.Join(work, "new"), filepath.Join(work, "old")
	if err := os.Mkdir(fresh, 0o755); err != nil {
		return err
	}
	if err := write(fresh); err != nil {
		return err
	}
	err = os.Rename(out, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	was := err == nil
	if err := os.Rename(fresh, out); err != nil {
		if was {
			err = errors.Join(err, os.Rename(old, out))
		}
		return err
	}
	return nil
}

// journalOf is where a model's replies stand while the folder out is being made.
func journalOf(out string) string { return filepath.Clean(out) + ".replies.jsonl" }

// done removes the replies of a model, if there are any, when the folder is made.
func done(journal string) error {
	if journal == "" {
		return nil
	}
	return os.Remove(journal)
}

// kept says of an error that ends the work of a model that its replies are not
// lost.
func kept(ctx context.Context, err error, journal string) error {
	if ctx.Err() != nil {
		return cli.Interruptedf("the replies so far are in %s: the same command goes on", journal)
	}
	return fmt.Errorf("%w (the replies so far are in %s: the same command goes on)", err, journal)
}

// setFiles are the files a folder of questions may consist of.
var setFiles = []string{"questions.jsonl", "queries.jsonl", "corpus.jsonl", filepath.Join("qrels", "*.tsv")}

// hashInputs returns the files that the data set at path is made of, each
// with its SHA-256 as sha256sum prints it.
func hashInputs(path string) ([]Input, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	paths := []string{path}
	if info.IsDir() {
		paths = nil
		for _, name := range setFiles {
			for _, end := range []string{"", ".gz"} {
				found, err := filepath.Glob(filepath.Join(globLiteral(path), name+end))
				if err != nil {
					return nil, err
				}
				paths = append(paths, found...)
			}
		}
	} else if beside := filepath.Join(filepath.Dir(path), "corpus.jsonl"); beside != path {
		for _, end := range []string{"", ".gz"} {
			if _, err := os.Stat(beside + end); err == nil {
				paths = append(paths, beside+end)
			}
		}
	}
	var out []Input
	for _, p := range paths {
		in, err := hashFile(p)
		if err != nil {
			return nil, err
		}
		out = append(out, in)
	}
	return out, nil
}

// globLiteral makes a path mean itself in a pattern.
func globLiteral(path string) string {
	var out []rune
	for _, r := range path {
		if r == '*' || r == '?' || r == '[' || r == '\\' {
			out = append(out, '\\')
		}
		out = append(out, r)
	}
	return string(out)
}

func hashFile(path string) (Input, error) {
	f, err := os.Open(path)
	if err != nil {
		return Input{}, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	return Input{Path: filepath.ToSlash(path), Bytes: n, SHA256: hex.EncodeToString(h.Sum(nil))}, err
}
