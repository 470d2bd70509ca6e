package document

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/index/document/blocks"
)

// TestFormats holds that one text says the same in every format: its title, the
// headings above its passages, its items, code and sentences, each with the line
// or page it stands in.
func TestFormats(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		file         string
		code, table  bool
		check, steps int // lines, or pages, of "Run the check" and "Open the lid"
		flat         bool
		title        string
	}{
		{file: "pump.md", code: true, table: true, check: 27, steps: 18},
		{file: "pump.html", code: true, table: true, check: 47, steps: 26},
		{file: "pump.rst", code: true, table: true, check: 35, steps: 23},
		{file: "pump.adoc", code: true, table: true, check: 27, steps: 16},
		{file: "pump.1", code: true, table: true, check: 60, steps: 36, title: "PUMP(1)"},
		{file: "pump-printed.txt", check: 26, steps: 18, title: "PUMP(1)"},
		{file: "pump.docx", code: true, table: true, check: 19, steps: 11},
		{file: "pump.odt", code: true, table: true, check: 19, steps: 11},
		{file: "pump.pptx", table: true, check: 4, steps: 2, flat: true},
		{file: "pump.pdf", check: 1, steps: 1},
	} {
		var w walked
		if err := w.walk(&Walker{Chunk: ChunkOptions{Size: 120, Overlap: -1}}, filepath.Join("testdata", test.file)); err != nil || len(w.docs) != 1 || w.errors != nil {
			t.Errorf("%s: %v %v %v", test.file, w.ids(), w.errors, err)
			continue
		}
		d := w.docs[0]
		if test.title == "" {
			test.title = "Pump manual"
		}
		if d.Title != test.title {
			t.Errorf("%s: title %q", test.file, d.Title)
		}
		plain := strings.Join(strings.Fields(d.Text), " ")
		for _, s := range []string{"Read this first.", "The pump runs at high pressure", "Close the main valve.", "Wait ten minutes:", "for the water to drain,", "# Operation", "pumpctl check --all", "The last sentence names the engineer, Ada Byron."} {
			if !strings.Contains(plain, s) {
				t.Errorf("%s does not say %q:\n%s", test.file, s, d.Text)
			}
		}
		for s, want := range map[string]bool{"1. Close": true, "3. Open": true, "## Before you start": !test.flat, "| Inlet | 2 bar |": test.table, "pumpctl start\n```": test.code, "- for the motor": test.file != "pump-printed.txt"} {
			if want && !strings.Contains(d.Text, s) {
				t.Errorf("%s does not say %q:\n%s", test.file, s, d.Text)
			}
		}
		heading := map[string]string{}
		var path blocks.Path
		for _, b := range blocks.Parse(d.Text) {
			if b.Kind == blocks.Heading {
				path.Enter(b.Title(d.Text), b.Level)
			}
			from := strings.Count(d.Text[:b.Start], "\n")
			for n, line := range strings.Split(d.Text[b.Start:b.End], "\n") {
				at := from + n + 1
				switch {
				case len(d.Pages) > 0:
					at = d.Pages.At(from + n)
				case len(d.Lines) > 0:
					at = d.Lines.At(from + n)
				}
				heading[strings.TrimSpace(line)] = fmt.Sprintf("%s:%d", path.String(), at)
			}
		}
		if got := heading["Run the check:"]; got != fmt.Sprintf("Operation:%d", test.check) {
			t.Errorf("%s: the check stands at %s\n%s", test.file, got, d.Text)
		}
		step := "Safety › Before you start"
		if test.file == "pump.pptx" {
			step = "Safety"
		}
		if got := heading["3. Open the lid."]; got != fmt.Sprintf("%s:%d", step, test.steps) {
			t.Errorf("%s: the last step stands at %s", test.file, got)
		}
		if all := blocks.Parse(d.Text); len(all) < 8 {
			t.Errorf("%s has %d blocks", test.file, len(all))
		}
	}
}

func TestScanned(t *testing.T) {
	t.Parallel()
	var w walked
	if err := w.walk(&Walker{}, filepath.Join("testdata", "scanned.pdf")); err != nil || len(w.errors) != 1 || !strings.Contains(w.errors[0], "has no text on 1 pages: scanned? run OCR, for example ocrmypdf") {
		t.Errorf("%v %v", w.errors, err)
	}
}
