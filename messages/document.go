package messages

import (
	"crypto/sha256"
	"encoding/hex"
)

// KindDocument is the kind of a Document.
const KindDocument Kind = "document"

// Document is one document of the corpus; the last one stored under an ID
// wins, and one with Deleted set removes it.
type Document struct {
	Envelope
	ID      string `json:"id"`
	Title   string `json:"title,omitempty"`
	Text    string `json:"text,omitempty"`
	Deleted bool   `json:"deleted,omitempty"`
}

// Kind returns KindDocument.
func (*Document) Kind() Kind { return KindDocument }

// Key returns the document's ID.
func (d *Document) Key() Key { return Key{ID: d.ID} }

// Validate checks the ID.
func (d *Document) Validate() error { return CheckDocID(d.ID) }

// Hash identifies the document's content, so that storing it again can be
// skipped.
func (d *Document) Hash() string {
	h := sha256.New()
	for _, s := range []string{d.Title, "\x00", d.Text} {
		h.Write([]byte(s))
	}
	if d.Deleted {
		h.Write([]byte{1})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
