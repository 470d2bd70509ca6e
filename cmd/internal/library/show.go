package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/index/document"
	"hopstream/messages"
	"hopstream/stages/log"
)

// Whole is a document with its passages.
type Whole struct {
	ID       string    `json:"id"`
	Title    string    `json:"title,omitempty"`
	Date     string    `json:"date,omitempty"`
	Root     string    `json:"root,omitempty"` // the folder that it was read from
	Passages []Passage `json:"passages"`
}

// Passage is a passage with the lines of its file that it stands on.
type Passage struct {
	ID      string `json:"id"`
	Title   string `json:"title,omitempty"`
	URL     string `json:"url,omitempty"`     // of one from the web
	Heading string `json:"heading,omitempty"` // path of the section that it begins in
	Lines   [2]int `json:"lines,omitzero"`    // the first and the last, from 1
	Page    int    `json:"page,omitempty"`    // from 1, where the document has pages
	Text    string `json:"text"`
}

func passageOf(p *messages.Passage) Passage {
	out := Passage{ID: p.ID, Title: p.Title, URL: p.URL, Heading: p.Heading, Page: p.Pages.At(0), Text: p.Text}
	if from := p.Lines.At(0); from > 0 {
		out.Lines = [2]int{from, p.Lines.At(strings.Count(p.Text, "\n"))}
	}
	return out
}

// Near is a passage and those around it in its document.
type Near struct {
	Passage Passage   `json:"passage"`
	Before  []Passage `json:"before"`
	After   []Passage `json:"after"`
}

// Show returns the document id, or else the passage id with n others on each side
// of it. It fails where there is neither, and names IDs that are like it.
func (l *Library) Show(ctx context.Context, id string, n int) (*Whole, *Near, error) {
	whole, err := l.Document(ctx, document.Whole(id))
	if err != nil || whole != nil {
		return whole, nil, err
	}
	doc := document.DocID(id)
	if doc != id {
		if whole, err = l.Document(ctx, doc); err != nil {
			return nil, nil, err
		}
	}
	if whole == nil {
		return nil, nil, l.unknown(ctx, doc)
	}
	i := slices.IndexFunc(whole.Passages, func(p Passage) bool { return p.ID == id || p.ID == doc && id == document.PieceID(doc, 0) })
	if i < 0 {
		last := whole.Passages[len(whole.Passages)-1].ID
		return nil, nil, fmt.Errorf("document %q has no passage %q: its last is %q (see: hopstream docs show %s)", doc, id, last, strconv.Quote(doc))
	}
	near := &Near{Passage: whole.Passages[i], Before: whole.Passages[max(0, i-n):i], After: whole.Passages[i+1 : min(len(whole.Passages), i+1+n)]}
	return nil, near, nil
}

// Document returns the document id, or nil if there is none.
func (l *Library) Document(ctx context.Context, id string) (*Whole, error) {
	stored, err := l.units(ctx, id)
	if err != nil || len(stored) == 0 {
		return nil, err
	}
	w := &Whole{ID: id}
	for _, d := range stored {
		w.Title, w.Date, w.Root = cmp.Or(w.Title, d.Title), cmp.Or(w.Date, d.Date), cmp.Or(w.Root, d.Root)
		for _, p := range l.cut(d) {
			w.Passages = append(w.Passages, passageOf(&p))
		}
	}
	if len(w.Passages) == 0 { // stored, and blank
		return nil, nil
	}
	return w, nil
}

// units returns the document id, or its parts in order.
func (l *Library) units(ctx context.Context, id string) ([]*messages.Document, error) {
	if d, err := l.get(ctx, id); err != nil || d != nil {
		return []*messages.Document{d}[:one(d)], err
	}
	parts, err := l.list(ctx, l.conn.Names.Subject(messages.KindDocument, messages.Key{ID: id})+".*.*")
	if err != nil {
		return nil, err
	}
	slices.SortFunc(parts, func(a, b string) int {
		_, x, _ := document.Part(a)
		_, y, _ := document.Part(b)
		return cmp.Compare(x, y)
	})
	var out []*messages.Document
	for _, part := range parts {
		d, err := l.get(ctx, part)
		if err != nil {
			return nil, err
		}
		if d != nil {
			out = append(out, d)
		}
	}
	return out, nil
}

func one(d *messages.Document) int {
	if d == nil {
		return 0
	}
	return 1
}

// get returns what is stored under exactly this ID, or nil.
func (l *Library) get(ctx context.Context, id string) (*messages.Document, error) {
	if messages.CheckDocID(id) != nil {
		return nil, nil
	}
	d, err := log.Find[*messages.Document](ctx, l.log, messages.KindDocument, (&messages.Document{ID: id}).Key())
	switch {
	case errors.Is(err, log.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("document %q: %w", id, err)
	case d.Deleted:
		return nil, nil
	}
	return d, nil
}

// ids returns the IDs under which something is stored, those of parts and of
// deleted documents too.
func (l *Library) ids(ctx context.Context) ([]string, error) {
	return l.list(ctx, l.conn.Names.Filter(messages.KindDocument))
}

// list returns the IDs of the documents with subjects like filter.
func (l *Library) list(ctx context.Context, filter string) ([]string, error) {
	info, err := l.stream.Info(ctx, jetstream.WithSubjectFilter(filter))
	if err != nil {
		return nil, fmt.Errorf("document stream: %w", err)
	}
	all := make([]string, 0, len(info.State.Subjects))
	for subject := range info.State.Subjects {
		if _, key, err := l.conn.Names.Parse(subject); err == nil {
			all = append(all, messages.DocumentID(key))
		}
	}
	return all, nil
}
