package weaviate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/filters"

	"hopstream/index"
	"hopstream/index/document"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// Apply stores docs and removes the deleted ones, and then position. Of
// several versions of a document in docs the last one counts. An error leaves
// the position as it was, and may leave some of the documents stored; the same
// batch again mends that. A passage that is stored already, as where a part of
// a document changes, is neither embedded nor sent again.
//
// A document whose ID cannot be one, vectors of another length than those
// stored, or a class filled with other settings are permanent errors.
func (s *Store) Apply(ctx context.Context, docs []messages.Document, position index.Position) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	changes, err := s.prepare(docs)
	if err != nil {
		return err
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	st, err := s.verify(ctx)
	if err != nil {
		return err
	}
	if len(changes) > 0 {
		fresh := false
		if (st.position == index.Position{}) {
			n, err := s.count(ctx, nil)
			if err != nil {
				return err
			}
			fresh = n == 0 // or else a first batch was cut short
		}
		if s.opts.Embedder != nil {
			if err := s.begin(ctx, &st, changes, position); err != nil {
				return err
			}
		}
		if st.dimension, err = s.store(ctx, changes, st.dimension, fresh); err != nil {
			return err
		}
		if !fresh {
			if err := s.prune(ctx, changes); err != nil {
				return err
			}
		}
	}
	st.position, st.format = position, formatOf(s.opts)
	s.adopt(&st)
	return s.save(ctx, st)
}

// change is what the last version of a document consists of; nothing if it is
// deleted.
type change struct {
	id       string
	passages []messages.Passage
}

func (s *Store) prepare(docs []messages.Document) ([]change, error) {
	at := make(map[string]int, len(docs))
	changes := make([]change, 0, len(docs))
	for _, d := range docs {
		if err := messages.CheckDocID(d.ID); err != nil {
			return nil, fault.AsPermanent(err)
		}
		c := change{d.ID, document.Chunk(d, s.opts.Chunk)}
		if i, ok := at[d.ID]; ok {
			changes[i] = c
			continue
		}
		at[d.ID] = len(changes)
		changes = append(changes, c)
	}
	return changes, nil
}

// entry is a passage on its way into the store.
type entry struct {
	messages.Passage
	uuid, document, hash string
	n, of                int
}

// store embeds and sends the passages, and returns the length of the vectors.
func (s *Store) store(ctx context.Context, changes []change, dimension int, fresh bool) (int, error) {
	var entries []entry
	for _, c := range changes {
		_, first, _ := document.Part(c.id)
		for n, p := range c.passages {
			entries = append(entries, entry{p, uuid(p.ID), c.id, hashOf(p, len(c.passages)), max(first, 0) + n, len(c.passages)})
		}
	}
	var last []entry
	var lastVectors [][]float32
	for batch := range slices.Chunk(entries, s.opts.Batch) {
		if !fresh {
			known, err := s.known(ctx, batch)
			if err != nil {
				return dimension, err
			}
			batch = slices.DeleteFunc(batch, func(e entry) bool { return known[e.uuid] == e.hash })
		}
		vectors, err := s.embed(ctx, batch, dimension)
		if err != nil {
			return dimension, err
		}
		if len(vectors) > 0 {
			dimension = len(vectors[0])
		}
		if err := s.put(ctx, batch, vectors); err != nil {
			return dimension, err
		}
		if len(vectors) > 0 {
			last, lastVectors = batch[max(0, len(batch)-settle):], vectors[max(0, len(batch)-settle):]
		}
	}
	// A server that indexes at once (the default, here 1.35.2) answers a batch
	// before the log of its vector index is written, and writes it with the
	// next batch. Killed before that, it has the passages and has lost their
	// vectors, while the position says that all is stored. A batch that
	// changes nothing makes it write.
	if err := s.put(ctx, last, lastVectors); err != nil {
		return dimension, err
	}
	return dimension, nil
}

// begin notes how far this batch will go. Where an earlier one was cut short,
// its passages may be stored and their vectors lost, and sending the same
// passage again is nothing to the server: so they are deleted first.
func (s *Store) begin(ctx context.Context, st *state, changes []change, position index.Position) error {
	if st.begun > st.position.Sequence {
		s.opts.Logger.Info("an earlier batch was cut short: its passages are stored anew", "class", s.opts.Class, "up_to", st.begun)
		gone := make([]change, len(changes))
		for i, c := range changes {
			gone[i].id = c.id
		}
		if err := s.prune(ctx, gone); err != nil {
			return err
		}
	}
	st.begun = max(st.begun, position.Sequence)
	s.adopt(st) // before the first vector
	return s.save(ctx, *st)
}

// settle is how many passages are sent twice: enough that some fall on every
// shard.
const settle = 64

func hashOf(p messages.Passage, of int) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d ", of, len(p.Title))
	h.Write([]byte(p.Title))
	h.Write([]byte(p.Text))
	h.Write([]byte(messages.PackPlace(p.Place)))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// prune deletes what is stored of the changed documents besides their new
// passages: those made when the document had another number of them.
func (s *Store) prune(ctx context.Context, changes []change) error {
	keys := map[int][]string{} // by the number of passages
	for _, c := range changes {
		keys[len(c.passages)] = append(keys[len(c.passages)], uuid(c.id))
	}
	for _, of := range slices.Sorted(maps.Keys(keys)) {
		for some := range slices.Chunk(keys[of], 1000) {
			old := filters.Where().WithPath([]string{propKey}).WithOperator(filters.ContainsAny).WithValueText(some...)
			if of > 0 {
				other := filters.Where().WithPath([]string{propOf}).WithOperator(filters.NotEqual).WithValueInt(int64(of))
				old = filters.Where().WithOperator(filters.And).WithOperands([]*filters.WhereBuilder{old, other})
			}
			if err := s.delete(ctx, old); err != nil {
				return err
			}
		}
	}
	return nil
}

// delete deletes all passages that match; the server takes its own maximum at
// a time.
func (s *Store) delete(ctx context.Context, where *filters.WhereBuilder) error {
	for {
		r, err := s.conn.batch.ObjectsBatchDeleter().WithClassName(s.opts.Class).WithOutput("minimal").WithWhere(where).Do(ctx)
		if err != nil {
			return classify(ctx, "delete old passages", err)
		}
		switch {
		case r.Results == nil || r.Results.Matches == 0:
			return nil
		case r.Results.Failed > 0:
			message := "no reason given"
			for _, o := range r.Results.Objects {
				if o != nil && o.Errors != nil {
					message = messagesOf(o.Errors)
				}
			}
			return refusal(fmt.Sprintf("delete old passages: %d of %d stay", r.Results.Failed, r.Results.Matches), message)
		case r.Results.Successful == 0 || r.Results.Matches <= r.Results.Successful:
			return nil
		}
	}
}
