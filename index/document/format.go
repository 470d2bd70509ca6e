package document

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// format is a kind of file: how its files are called, and how one is read.
type format struct {
	name string   // as people call it
	ends []string // of the file's name, in lower case
	// read reads a file and hands its documents to reading.emit. It returns what
	// is wrong with the file, or a stop.
	read func(*reading, source, *input) error
}

// formats returns every kind of file that is read. Of two whose ends fit a
// name, the first counts.
func formats() []format {
	return []format{
		{"JSONL", []string{".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"}, (*reading).jsonl},
		{"text", []string{".txt", ".text"}, (*reading).text},
		{"Markdown", []string{".md", ".markdown"}, (*reading).markdown},
		{"HTML", []string{".html", ".htm", ".xhtml"}, (*reading).html},
	}
}

// formatOf returns the format of the file called path, or nil.
func formatOf(path string) *format {
	name := strings.ToLower(filepath.Base(path))
	for _, f := range formats() {
		for _, end := range f.ends {
			if strings.HasSuffix(name, end) {
				return &f
			}
		}
	}
	return nil
}

// input is a file being read. What is read of it through Read is told as
// progress.
type input struct {
	io.Reader
	file *os.File // nil for stdin
	size int64
}
