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
	s.corpus, err = existing(dir, "corpus.jsonl")
	docs := filepath.Join(dir, "docs")
	if info, nodocs := os.Stat(docs); err != nil && nodocs == nil && info.IsDir() {
		s.corpus, s.documents = docs, documentsIn(docs)
		return s.addFiles(docs)
	}
	if err == nil {
		s.files = append(s.files, s.corpus)
	}
	s.documents = documentsOf(s.corpus)
	return nil
}

// addFiles adds the files below a folder, which may be a link, to those that the set
// is read from.
func (s *Set) addFiles(dir string) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			s.files = append(s.files, path)
		}
		return err
	})
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
