package document

import (
	"path/filepath"
	"strings"

	"hopstream/index/document/markup"
	"hopstream/index/document/office"
	"hopstream/index/document/pdf"
	"hopstream/index/document/records"
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
		{"text", []string{".txt", ".text"}, file(markup.Text)},
		{"Markdown", []string{".md", ".markdown", ".mdx"}, file(markup.Markdown)},
		{"HTML", []string{".html", ".htm", ".xhtml"}, file(markup.HTML)},
		{"JSON", []string{".json"}, (*reading).json},
		{"CSV", []string{".csv", ".tsv"}, file(records.CSV)},
		{"reStructuredText", []string{".rst", ".rest"}, file(markup.RST)},
		{"AsciiDoc", []string{".adoc", ".asciidoc", ".asc"}, file(markup.AsciiDoc)},
		{"PDF", []string{".pdf"}, file(pdf.PDF)},
		{"DOCX", []string{".docx"}, file(office.DOCX)},
		{"ODT", []string{".odt"}, file(office.ODT)},
		{"PPTX", []string{".pptx"}, file(office.PPTX)},
		{"manual pages", manualEnds(), file(markup.Roff)},
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

// manualEnds are how sources of manual pages are called: by their section.
func manualEnds() []string {
	ends := []string{".man", ".man.gz"}
	for _, section := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "1m", "1p", "1ssl", "3p", "3pm", "3ssl", "3x", "5ssl", "7ssl"} {
		ends = append(ends, "."+section, "."+section+".gz")
	}
	return ends
}

// kinds lists the ends of names that are read, but for those of manual pages.
func kinds() string {
	var all []string
	for _, f := range formats() {
		if len(f.ends) < 10 {
			all = append(all, f.ends...)
		}
	}
	return strings.Join(all, " ")
}
