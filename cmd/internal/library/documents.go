package library

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hopstream/index/document"
	"hopstream/messages"
)

// Document is one row of a list.
type Document struct {
	ID       string `json:"id"`
	Title    string `json:"title,omitempty"`
	Date     string `json:"date,omitempty"`
	Passages int    `json:"passages"`
	Bytes    int    `json:"bytes"` // of its text
}

// page is how many documents are read at once; each may have some megabytes.
const page = 64

// Documents returns the documents whose IDs begin with prefix, sorted by ID. It
// fails where there is no document at all.
func (l *Library) Documents(ctx context.Context, prefix string) ([]Document, error) {
	rows, any := map[string]*Document{}, false
	err := l.each(ctx, func(d *messages.Document) {
		any = any || !d.Deleted
		id := document.Whole(d.ID)
		if d.Deleted || !strings.HasPrefix(id, prefix) {
			return
		}
		row := rows[id]
		if row == nil {
			row = &Document{ID: id}
			rows[id] = row
		}
		row.Title, row.Date = cmp.Or(row.Title, d.Title), cmp.Or(row.Date, d.Date)
		row.Passages += len(l.cut(d))
		row.Bytes += len(d.Text)
	})
	if err != nil {
		return nil, err
	}
	if !any {
		return nil, nothing(l.app.Config)
	}
	all := make([]Document, 0, len(rows))
	for _, row := range rows {
		all = append(all, *row)
	}
	slices.SortFunc(all, func(a, b Document) int { return cmp.Compare(a.ID, b.ID) })
	return all, nil
}

// each calls fn with every stored document, the deleted ones too. What is no
// document is left out, as stores do.
func (l *Library) each(ctx context.Context, fn func(*messages.Document)) error {
	for from := uint64(1); ; {
		stored, err := l.log.Range(ctx, messages.KindDocument, from, page)
		if err != nil {
			return err
		}
		for _, st := range stored {
			from = st.Seq + 1
			if m, err := messages.Decode(messages.KindDocument, st.Data); err == nil {
				fn(m.(*messages.Document))
			}
		}
		if len(stored) < page {
			return nil
		}
	}
}
