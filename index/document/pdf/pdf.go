package pdf

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ledongthuc/pdf"

	"hopstream/index/document/draft"
)

const (
	// maxFile is the most bytes of a file.
	maxFile = 1 << 30
	// pageTime is the longest that a page may take, and fileTime a file.
	pageTime = 10 * time.Second
	fileTime = 10 * time.Minute
	// maxChecked is how much of a file is searched for tables that refer to
	// themselves.
	maxChecked = 256 << 20
)

// PDF reads the text of a file, page by page. Pages that cannot be read are
// told, and the others are read.
func PDF(w *draft.Writer, from draft.File) error {
	if err := check(from); err != nil {
		return err
	}
	b := &budget{from: from}
	b.renew(pageTime)
	var r *pdf.Reader
	var err error
	if fault := guarded(func() { r, err = pdf.NewReader(b, from.Size()) }); fault != nil {
		err = fault
	}
	switch {
	case err == nil:
	case errors.Is(err, pdf.ErrInvalidPassword) || strings.Contains(err.Error(), "ncrypt"):
		return errors.New("is encrypted: save it without a password, for example with qpdf --decrypt")
	default:
		return fmt.Errorf("not readable as PDF: %w: print it to PDF anew", err)
	}
	f := file{w: w, budget: b, fonts: map[string]*font{}, set: setter{w: w}}
	_ = guarded(func() { f.properties(r.Trailer().Key("Info")) })
	return f.pages(r.Trailer())
}

// check looks for what the parser would never come back from.
func check(from draft.File) error {
	if from.Size() > maxFile {
		return fmt.Errorf("has more than %d MB: split it, for example with qpdf --split-pages", maxFile>>20)
	}
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if deep, err := nested(from); deep || err != nil {
		if deep {
			err = errDeep
		}
		return err
	}
	raw := make([]byte, min(from.Size(), maxChecked))
	if _, err := from.ReadAt(raw, 0); err != nil && err != io.EOF {
		return err
	}
	if circular(raw) {
		return errDeep
	}
	return nil
}

// file is a file being read.
type file struct {
	w      *draft.Writer
	budget *budget
	fonts  map[string]*font
	set    setter

	number int // of pages
	texts  int // pages with text
	fault  error
	at     int // the page of fault
	faults int
}

// properties reads title and date. A title that is the name of a file says
// nothing.
func (f *file) properties(info pdf.Value) {
	title := strings.TrimSpace(info.Key("Title").Text())
	if !strings.HasPrefix(title, "Microsoft ") && !strings.ContainsAny(title, `\/`) && !strings.HasPrefix(title, "untitled") {
		f.w.Title(title)
	}
	date := strings.TrimPrefix(info.Key("CreationDate").Text(), "D:")
	if len(date) >= 8 {
		if _, err := time.Parse("20060102", date[:8]); err == nil {
			f.w.Date(date[:8])
		}
	}
}

// pages reads all pages.
func (f *file) pages(trailer pdf.Value) error {
	started := time.Now()
	f.budget.renew(pageTime)
	count := 0
	err := guarded(func() {
		pages(trailer.Key("Root").Key("Pages"), 0, &count, func(p pdf.Page) bool {
			f.number++
			f.budget.renew(pageTime)
			f.page(p)
			f.budget.renew(pageTime)
			return f.w.Err() == nil && time.Since(started) < fileTime
		})
	})
	f.set.finish()
	switch {
	case err == nil && f.number == 0:
		return errors.New("has no pages: print it to PDF anew")
	case err != nil && f.number == 0:
		return fmt.Errorf("its pages cannot be found: %w", err)
	case err != nil:
		return fmt.Errorf("pages behind %d cannot be found: %w", f.number, err)
	case time.Since(started) >= fileTime:
		return fmt.Errorf("pages behind %d would take too long: split the file", f.number)
	case f.fault != nil && f.texts == 0:
		return fmt.Errorf("page %d cannot be read: %w: print it to PDF anew", f.at, f.fault)
	case f.texts == 0:
		return fmt.Errorf("has no text on %d pages: scanned? run OCR, for example ocrmypdf", f.number)
	case f.faults > 0:
		return fmt.Errorf("%d of %d pages, the first is page %d: %w", f.faults, f.number, f.at, f.fault)
	}
	return nil
}

// page reads a page; what was read before a fault counts.
func (f *file) page(page pdf.Page) {
	p := painter{budget: f.budget, fonts: f.fonts}
	if err := guarded(func() { p.paint(page) }); err != nil {
		if f.faults == 0 {
			f.fault, f.at = err, f.number
		}
		f.faults++
	}
	all := tidy(lines(p.out))
	if len(all) > 0 {
		f.texts++
	}
	f.set.add(sheet{f.number, all})
}
