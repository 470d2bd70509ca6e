package messages

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// KindDocument is the kind of a Document.
const KindDocument Kind = "document"

// Document is one document of the corpus; the last one stored under an ID
// wins, and one with Deleted set removes it.
type Document struct {
	Envelope
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
	// Text is plain text with the marks that Markdown has for blocks, and for
	// those only: # for headings, - or 1. for list items, ``` around code, | for
	// the cells of a table. A form feed parts what must not stand in one
	// passage.
	Text string `json:"text,omitempty"`
	// Date is when the document was written, as it says itself.
	Date string `json:"date,omitempty"`
	Place
	// Root is the folder that the document was read from, by which documents
	// of one ID are told apart; empty where the ID was given with the document.
	Root    string `json:"root,omitempty"`
	Deleted bool   `json:"deleted,omitempty"`
}

// Kind returns KindDocument.
func (*Document) Kind() Kind { return KindDocument }

// Key returns the document's ID. That of a part has the subject of the whole
// before it, so that the parts of a document are found by its ID.
func (d *Document) Key() Key {
	doc, first, room := SplitPart(d.ID)
	return Key{ID: doc, Round: first + 1, Branch: room}
}

// DocumentID returns the ID of the document that has the key k.
func DocumentID(k Key) string {
	if k.Round > 0 && k.Branch > 0 {
		return PartID(k.ID, k.Round-1, k.Branch)
	}
	return k.ID
}

// Validate checks the ID.
func (d *Document) Validate() error { return CheckDocID(d.ID) }

// Hash identifies the document's content, so that storing it again can be
// skipped.
func (d *Document) Hash() string {
	h := sha256.New()
	for _, s := range []string{d.Title, "\x00", d.Text} {
		h.Write([]byte(s))
	}
	if d.Date != "" || d.Heading != "" || len(d.Lines) > 0 || len(d.Pages) > 0 {
		fmt.Fprint(h, "\x00", d.Date, "\x00", d.Heading, "\x00", d.Lines, d.Pages)
	}
	if d.Deleted {
		h.Write([]byte{1})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
