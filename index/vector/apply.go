package vector

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hopstream/index"
	"hopstream/index/document"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// change is what becomes of one document: without passages it is gone.
type change struct {
	id       string
	passages []messages.Passage
	vectors  [][]float32 // of length 1, one per passage
}

// Apply stores docs and removes the deleted ones, together with position:
// after a crash either all of it is there or nothing. Of several versions of a
// document in docs the last one counts. Passages that the store already holds
// with the same words keep their vectors; the others are embedded, and an
// error of the embedder is returned with its class. A document whose ID cannot
// be one fails the batch with a permanent error.
//
// When the embedder has begun to make vectors of another length, Apply empties
// the store and returns an error that says so: whoever fills it starts over.
func (s *Store) Apply(ctx context.Context, docs []messages.Document, position index.Position) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	now, err := s.snapshot()
	if err != nil {
		return err
	}
	changes, fresh, err := s.prepare(ctx, now, docs)
	if err != nil {
		return err
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	if now, err = s.snapshot(); err != nil {
		return err
	}
	if fresh != 0 && now.live > 0 && fresh != now.dims {
		if err := s.reset(); err != nil {
			return err
		}
		s.opts.Logger.Warn("the embedder makes other vectors now; the index is built anew", "was", now.dims, "now", fresh)
		return fmt.Errorf("the embedder makes vectors of %d numbers and the index held %d: it is emptied, to be filled anew", fresh, now.dims)
	}
	dims, err := lengthOf(changes)
	if err != nil {
		return err
	}
	if err := s.disk.write(changes, position); err != nil {
		return fmt.Errorf("write vector index: %w", err)
	}
	s.publish(now, changes, dims, position)
	return nil
}

// publish makes the next snapshot, once changes are on disk; the caller holds
// writer.
func (s *Store) publish(now *snapshot, changes []change, dims int, position index.Position) {
	next := now.copied()
	if now.live == 0 && dims != 0 && dims != now.dims {
		next = &snapshot{dims: dims}
	}
	next.position = position
	slots := make([][]uint32, len(changes))
	for i := range changes {
		c := &changes[i]
		old := s.where[c.id] // only a writer changes where
		next.remove(old)
		for n, p := range c.passages {
			slots[i] = append(slots[i], next.add(p, c.vectors[n]))
		}
		if document.Begins(c.id) {
			next.documents += min(len(slots[i]), 1) - min(len(old), 1)
		}
	}
	if next.live > s.opts.Exact {
		next.draw()
	}
	s.mu.Lock()
	for i := range changes {
		s.place(changes[i].id, slots[i])
	}
	s.now = next
	s.mu.Unlock()
	if next.crowded() {
		c, where := next.compact(s.where)
		s.mu.Lock()
		s.now, s.where = c, where
		s.mu.Unlock()
	}
}

// place notes in which slots the passages of the document id are, none if it is
// gone; the caller holds mu or is alone.
func (s *Store) place(id string, slots []uint32) {
	whole := document.Whole(id)
	if whole != id {
		s.parts[whole] = slices.DeleteFunc(s.parts[whole], func(part string) bool { return part == id })
		if len(slots) > 0 {
			s.parts[whole] = append(s.parts[whole], id)
		}
		if len(s.parts[whole]) == 0 {
			delete(s.parts, whole)
		}
	}
	if len(slots) == 0 {
		delete(s.where, id)
		return
	}
	s.where[id] = slots
}

// lengthOf returns the length that all vectors have, 0 if there are none.
func lengthOf(changes []change) (int, error) {
	dims := 0
	for i := range changes {
		for _, v := range changes[i].vectors {
			if dims == 0 {
				dims = len(v)
			}
			if len(v) != dims {
				return 0, fmt.Errorf("the embedder made vectors of %d and of %d numbers", dims, len(v))
			}
		}
	}
	return dims, nil
}

// prepare cuts the last version of every document and embeds its passages.
// fresh is how long the vectors made for that are, 0 if there were none.
func (s *Store) prepare(ctx context.Context, now *snapshot, docs []messages.Document) (changes []change, fresh int, err error) {
	last := make(map[string]int, len(docs))
	for i := range docs {
		if err := messages.CheckDocID(docs[i].ID); err != nil {
			return nil, 0, fault.AsPermanent(err)
		}
		last[docs[i].ID] = i
	}
	changes = make([]change, 0, len(last))
	var texts []string
	var to []*[]float32 // where each text's vector belongs
	for i := range docs {
		if last[docs[i].ID] != i {
			continue
		}
		c := change{id: docs[i].ID, passages: document.Chunk(docs[i], s.opts.Chunk)}
		c.vectors = make([][]float32, len(c.passages))
		for n, p := range c.passages {
			if c.vectors[n] = s.known(now, c.id, p); c.vectors[n] == nil {
				texts = append(texts, wordsOf(p))
				to = append(to, &c.vectors[n])
			}
		}
		changes = append(changes, c)
	}
	for at := 0; at < len(texts); at += s.opts.Batch {
		end := min(at+s.opts.Batch, len(texts))
		vectors, err := s.embed(ctx, texts[at:end])
		if err != nil {
			return nil, 0, err
		}
		for i, v := range vectors {
			*to[at+i] = v
		}
		fresh = len(vectors[0])
	}
	return changes, fresh, nil
}

// wordsOf is what of a passage is embedded.
func wordsOf(p messages.Passage) string { return strings.TrimSpace(p.Title + " " + p.Searched()) }

// known returns the vector of a passage whose words are stored already, if it
// is of the length that vectors have now.
func (s *Store) known(now *snapshot, doc string, p messages.Passage) []float32 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.now != now {
		return nil // the slots are another snapshot's
	}
	for _, slot := range s.where[doc] {
		old := &now.passages[slot]
		if old.Title == p.Title && old.Text == p.Text && old.Heading == p.Heading {
			return now.row(int(slot))
		}
	}
	return nil
}

var errEmpty = errors.New("the embedder made an empty vector")

// embed returns the vectors of texts, at length 1.
func (s *Store) embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := s.opts.Embedder.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("embed %d texts: %w", len(texts), err)
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("the embedder made %d vectors of %d texts", len(vectors), len(texts))
	}
	out := make([][]float32, len(vectors))
	for i, v := range vectors {
		if len(v) == 0 {
			return nil, errEmpty
		}
		if out[i], err = normalised(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}
