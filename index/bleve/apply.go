package bleve

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2/analysis"
	bleveDocument "github.com/blevesearch/bleve/v2/document"
	bleveapi "github.com/blevesearch/bleve_index_api"

	"hopstream/index"
	"hopstream/index/document"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// The fields of a passage. Title, headings and text are searched as one field,
// which gives all the same weight and one length; positions are kept, and a hit
// in the title is one that starts before the title's length.
const (
	fieldBody  = "body"  // title, headings and text, indexed
	fieldTitle = "title" // stored
	fieldText  = "text"  // stored
	fieldPlace = "place" // stored
	fieldMeta  = "meta"  // stored, on a document's first passage only: passages, tokens and ID of the document, or of the part of one
)

// analyzed is a field whose analysis is done: the store needs the number of
// tokens before it hands the field to Bleve, which would analyze it again.
type analyzed struct{ *bleveDocument.TextField }

func (analyzed) Analyze() {}

// change is what one document adds and removes.
type change struct {
	id       string
	passages []messages.Passage
	bodies   []analyzed
	tokens   uint64
	old      footprint
}

// footprint is what a document takes up in the store.
type footprint struct {
	passages int
	tokens   uint64
	of       string // its ID: documents and their parts share passage IDs
}

// Apply stores docs and removes the deleted ones, together with position, in
// one batch: after a crash either all of it is there or nothing. Of several
// versions of a document in docs the last one counts. A document whose ID
// cannot be one fails the batch with a permanent error.
func (b *Store) Apply(ctx context.Context, docs []messages.Document, position index.Position) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	changes, err := b.prepare(docs)
	if err != nil {
		return err
	}
	b.writer.Lock()
	defer b.writer.Unlock()
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.index == nil {
		return index.ErrClosed
	}
	now := b.state.Load().totals
	if now.Documents > 0 {
		if err := b.footprints(changes); err != nil {
			return err
		}
	}
	batch := b.index.NewBatch()
	for i := range changes {
		c := &changes[i]
		for n := range c.old.passages {
			batch.Delete(document.PassageID(c.id, n, c.old.passages))
		}
	}
	for i := range changes { // a document may be replaced by its parts, whose passages have the same IDs
		c := &changes[i]
		for n, p := range c.passages {
			if err := batch.IndexAdvanced(c.document(n, p)); err != nil {
				return fmt.Errorf("index passage %q: %w", p.ID, err)
			}
		}
		now.Passages += uint64(len(c.passages)) - uint64(c.old.passages)
		now.Tokens += c.tokens - c.old.tokens
		if document.Begins(c.id) {
			now.Documents += one(len(c.passages)) - one(c.old.passages)
		}
	}
	batch.SetInternal(keyTotals, now.encode())
	batch.SetInternal(keyPosition, encodePosition(position))
	if err := b.index.Batch(batch); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	b.state.Store(&state{totals: now, position: position})
	return nil
}

func one(n int) uint64 { return uint64(min(n, 1)) }

// prepare cuts and analyzes the last version of every document, on all cores.
func (b *Store) prepare(docs []messages.Document) ([]change, error) {
	last := make(map[string]int, len(docs))
	changes := make([]change, 0, len(docs))
	from := make([]int, 0, len(docs))
	for i := range docs {
		id := docs[i].ID
		if err := messages.CheckDocID(id); err != nil {
			return nil, fault.AsPermanent(err)
		}
		if at, ok := last[id]; ok {
			from[at] = i
			continue
		}
		last[id] = len(changes)
		changes = append(changes, change{id: id})
		from = append(from, i)
	}
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), (len(changes)+31)/32)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(changes); i += workers {
				changes[i].analyze(docs[from[i]], b.analyzer, b.opts.Chunk)
			}
		})
	}
	wg.Wait()
	return changes, nil
}

func (c *change) analyze(doc messages.Document, a analysis.Analyzer, opts document.ChunkOptions) {
	c.passages = document.Chunk(doc, opts)
	c.bodies = make([]analyzed, len(c.passages))
	for i, p := range c.passages {
		text := p.Searched()
		body := make([]byte, 0, len(p.Title)+1+len(text))
		body = append(append(append(body, p.Title...), '\n'), text...)
		f := bleveDocument.NewTextFieldCustom(fieldBody, nil, body, bleveapi.IndexField|bleveapi.IncludeTermVectors, a)
		f.Analyze()
		c.bodies[i] = analyzed{f}
		c.tokens += uint64(f.AnalyzedLength())
	}
}

func (c *change) document(n int, p messages.Passage) *bleveDocument.Document {
	d := bleveDocument.NewDocument(p.ID)
	d.AddField(c.bodies[n])
	stored := func(name, value string) {
		d.AddField(bleveDocument.NewTextFieldCustom(name, nil, []byte(value), bleveapi.StoreField, nil))
	}
	if p.Title != "" {
		stored(fieldTitle, p.Title)
	}
	stored(fieldText, p.Text)
	if place := messages.PackPlace(p.Place); place != "" {
		stored(fieldPlace, place)
	}
	if n == 0 {
		stored(fieldMeta, fmt.Sprintf("%d %d %s", len(c.passages), c.tokens, c.id))
	}
	return d
}

// footprints looks up what the store holds of each changed document.
func (b *Store) footprints(changes []change) error {
	r, err := b.reader.Reader()
	if err != nil {
		return fmt.Errorf("read index: %w", err)
	}
	defer r.Close()
	for i := range changes {
		c := &changes[i]
		// A document is stored under its own ID, or else as #0, #1, ….
		for _, id := range []string{document.PassageID(c.id, 0, 1), document.PassageID(c.id, 0, 2)} {
			p, meta, err := load(r, id)
			if err != nil {
				return err
			}
			if p != nil && meta.of == c.id {
				c.old = meta
				break
			}
		}
	}
	return nil
}

// load reads one passage, and its document's footprint if it is the first.
func load(r bleveapi.IndexReader, id string) (*messages.Passage, footprint, error) {
	d, err := r.Document(id)
	if err != nil {
		return nil, footprint{}, fmt.Errorf("read passage %q: %w", id, err)
	}
	if d == nil {
		return nil, footprint{}, nil
	}
	p := &messages.Passage{ID: id}
	var meta footprint
	d.VisitFields(func(f bleveapi.Field) {
		switch f.Name() {
		case fieldTitle:
			p.Title = string(f.Value())
		case fieldText:
			p.Text = string(f.Value())
		case fieldPlace:
			p.Place = messages.UnpackPlace(string(f.Value()))
		case fieldMeta:
			parts := append(strings.SplitN(string(f.Value()), " ", 3), "", "")
			meta.passages, _ = strconv.Atoi(parts[0])
			meta.tokens, _ = strconv.ParseUint(parts[1], 10, 64)
			meta.of = parts[2]
		}
	})
	return p, meta, nil
}
