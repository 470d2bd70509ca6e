package weaviate

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"strconv"

	"hopstream/index"
	"hopstream/messages/fault"
)

// format is the version of how passages are cut and stored: 3 has where they
// stand.
const format = 3

// state is what is stored beside the passages.
type state struct {
	position  index.Position
	format    string
	dimension int
	embedder  string // whose vectors are stored; empty if that is not known
	epoch     string // drawn when the store was first filled after it was emptied
	begun     uint64 // the sequence that the farthest batch with vectors was to reach
}

func (s *Store) stateName() string { return s.opts.Class + "State" }

// formatOf says what passages depend on besides the documents.
func formatOf(o Options) string {
	return fmt.Sprintf("%d in passages of %s %s", format, o.Chunk.Cut(), o.vectors())
}

func (o Options) vectors() string {
	if o.Embedder != nil {
		return "with vectors"
	}
	return "without vectors"
}

var stateID = uuid("state")

// load reads the stored state; there is none in a store that was never filled.
func (s *Store) load(ctx context.Context) (state, bool, error) {
	objects, err := s.conn.data.ObjectsGetter().WithClassName(s.stateName()).WithID(stateID).Do(ctx)
	if code := statusOf(err); code == http.StatusNotFound {
		return state{}, false, nil
	}
	if err != nil || len(objects) != 1 {
		return state{}, false, classify(ctx, "read the position", err)
	}
	p, _ := objects[0].Properties.(map[string]any)
	get := func(name string) string { v, _ := p[name].(string); return v }
	st := state{format: get(propFormat), embedder: get(propEmbedder), epoch: get(propEpoch)}
	st.position.Stream = get(propStream)
	// What cannot be read is zero: read the stream from the start.
	st.position.Sequence, err = strconv.ParseUint(get(propSequence), 10, 64)
	if err != nil {
		st.position = index.Position{}
	}
	st.dimension, _ = strconv.Atoi(get(propDimension))
	st.begun, _ = strconv.ParseUint(get(propBegun), 10, 64)
	return st, true, nil
}

// Look reads how far the store is filled, whoever fills it: one request. The
// epoch changes when the store is emptied, and is empty until it is filled
// again: who reads the same one before a search and after it has searched a
// store that was not emptied in between.
func (s *Store) Look(ctx context.Context) (position index.Position, epoch string, err error) {
	if err := s.usable(ctx); err != nil {
		return index.Position{}, "", err
	}
	st, _, err := s.load(ctx)
	return st.position, st.epoch, err
}

func (s *Store) save(ctx context.Context, st state) error {
	o, err := s.conn.data.Creator().WithClassName(s.stateName()).WithID(stateID).WithProperties(map[string]any{
		propStream:    st.position.Stream,
		propSequence:  strconv.FormatUint(st.position.Sequence, 10),
		propFormat:    st.format,
		propEmbedder:  st.embedder,
		propDimension: strconv.Itoa(st.dimension),
		propEpoch:     st.epoch,
		propBegun:     strconv.FormatUint(st.begun, 10),
	}).PayloadObject()
	if err != nil {
		return err
	}
	if err := s.send(ctx, "write the position", []object{{o, "position"}}); err != nil {
		return err
	}
	s.state.Store(&st)
	return nil
}

// verify returns the state if the stored one is as this store left it.
// Otherwise it takes over the stored one and returns a transient error, so
// that who follows the document stream reads on from there.
func (s *Store) verify(ctx context.Context) (state, error) {
	stored, ok, err := s.load(ctx)
	if err != nil {
		return stored, err
	}
	if !ok {
		// New, or the server was emptied.
		if err := s.ensure(ctx); err != nil {
			return stored, err
		}
	}
	if mine := *s.state.Load(); stored.position != mine.position {
		s.state.Store(&stored)
		return stored, fmt.Errorf("weaviate: the position stored in %s is %+v, and not %+v as this process left it: another process fills the class, or the server was emptied", s.stateName(), stored.position, mine.position)
	}
	if stored.epoch == "" {
		stored.epoch = rand.Text()
	}
	if err := s.checkEmbedder(stored); err != nil {
		return stored, err
	}
	if s.older(stored) {
		return stored, s.rewind(ctx, stored)
	}
	if want := formatOf(s.opts); stored.format != "" && stored.format != want {
		return stored, fault.Permanentf("the Weaviate class %s was filled with format %s, and not %s as set now: go back to those settings, use another class name, or reset the store", s.opts.Class, stored.format, want)
	}
	return stored, nil
}

// checkEmbedder says whether the stored vectors are of another embedder.
// Vectors of two in one class would be compared with each other, which tells
// nothing, also where they are of the same length.
func (s *Store) checkEmbedder(st state) error {
	name := s.opts.EmbedderName
	if s.opts.Embedder == nil || name == "" || st.embedder == "" || st.embedder == name {
		return nil
	}
	return fault.Permanentf("the Weaviate class %s holds vectors of the embedder %q, and %q is set now: go back to that embedder, use another class name, or reset the store", s.opts.Class, st.embedder, name)
}

// adopt notes whose vectors the class holds from now on.
func (s *Store) adopt(st *state) {
	if s.opts.Embedder == nil || s.opts.EmbedderName == "" || st.embedder != "" {
		return
	}
	if st.dimension > 0 {
		s.opts.Logger.Warn("whose vectors the class holds was not noted: they are taken for this embedder's", "class", s.opts.Class, "embedder", s.opts.EmbedderName)
	}
	st.embedder = s.opts.EmbedderName
}
