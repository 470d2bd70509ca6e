package dataset

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"hopstream/index/document"
	"hopstream/messages"
)

// passages finds what the questions of a folder are asked over: the file
// corpus.jsonl, or else the documents in the folder docs. Where neither is, it says
// so only when documents are read.
func (s *Set) passages(dir string) error {
	var err error
	if s.corpus, err = existing(dir, "corpus.jsonl"); err == nil {
		s.files = append(s.files, s.corpus)
		s.documents = documentsOf(s.corpus)
		return nil
	}
	docs := filepath.Join(dir, "docs")
	if info, err := os.Stat(docs); err != nil || !info.IsDir() {
		s.documents = documentsOf(s.corpus)
		return nil
	}
	s.corpus, s.documents = docs, documentsIn(docs)
	for path, err := range walked(docs) {
		if err != nil {
			return err
		}
		s.files = append(s.files, path)
	}
	return nil
}

// walked yields the files below a folder in the order of their names, links to
// folders followed as those who read documents do.
func walked(dir string) func(yield func(string, error) bool) {
	return func(yield func(string, error) bool) {
		root, err := filepath.EvalSymlinks(dir)
		if err == nil {
			err = filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
				if err == nil && !e.Type().IsRegular() {
					return nil
				}
				if !yield(path, err) {
					return filepath.SkipAll
				}
				return nil
			})
		}
		if err != nil {
			yield("", err)
		}
	}
}

// errEnough ends a walk whose documents are not wanted any more.
var errEnough = errors.New("enough")

// documentsIn reads the documents in a folder as hopstream index does. What cannot
// be read is passed over.
func documentsIn(dir string) func(yield func(Document, error) bool) {
	return func(yield func(Document, error) bool) {
		_, err := document.Walk(context.Background(), []string{dir}, func(d messages.Document) error {
			if !yield(Document{ID: d.ID, Title: d.Title, Text: d.Text}, nil) {
				return errEnough
			}
			return nil
		}, func(string, int, error) {})
		if err != nil && !errors.Is(err, errEnough) {
			yield(Document{}, fmt.Errorf("%s: %w", dir, err))
		}
	}
}
