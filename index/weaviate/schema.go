package weaviate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	clientfault "github.com/weaviate/weaviate-go-client/v4/weaviate/fault"
	"github.com/weaviate/weaviate/entities/models"

	"hopstream/index"
	"hopstream/messages/fault"
)

// The properties of a passage.
const (
	propPassage  = "passage"  // its ID
	propDocument = "document" // its document's ID, for people who look
	propTitle    = "title"
	propText     = "text"    // and before it a line for each of the headings above
	propHeading  = "heading" // those lines, which are no part of the passage's text
	propPlace    = "place"   // where it stands, as messages.PackPlace has it
	propN        = "n"       // which of its document's passages, from 0
	propOf       = "of"      // how many passages its document, or part of one, has
	propKey      = "key"     // a UUID made from the ID of the document or part, which no tokenizer changes
	propKeys     = "keys"    // what the passage is called, as links.Keys has it
	propHash     = "hash"    // of title, text, place and of: equal means that there is nothing to do
)

// passageClass is the class of passages as it is made. A class that somebody
// made beforehand, as with other shards or replicas, is taken if its
// properties are these.
func passageClass(name string, p index.BM25) *models.Class {
	k1, b := p.Values()
	return &models.Class{
		Class:       name,
		Description: "Passages of documents, filled by hopstream.",
		Vectorizer:  "none",
		Properties: []*models.Property{
			text(propPassage, "", false, false),
			text(propDocument, "", false, false),
			text(propTitle, "word", false, true),
			text(propText, "word", false, true),
			text(propHeading, "", false, false),
			text(propPlace, "", false, false),
			number(propN),
			number(propOf),
			text(propKey, "field", true, false),
			text(propHash, "", false, false),
			texts(propKeys),
		},
		InvertedIndexConfig: &models.InvertedIndexConfig{
			Bm25:      &models.BM25Config{K1: float32(k1), B: float32(b)},
			Stopwords: &models.StopwordConfig{Preset: "en"},
		},
		VectorIndexType:   "hnsw",
		VectorIndexConfig: map[string]any{"distance": "cosine"},
	}
}

// The properties of the state, of which there is one.
const (
	propStream    = "stream"
	propSequence  = "sequence"  // in decimal: it does not fit Weaviate's integers
	propFormat    = "format"    // what passages depend on besides the documents
	propEmbedder  = "embedder"  // whose vectors they are
	propDimension = "dimension" // in decimal, of the vectors; 0 while there are none
	propEpoch     = "epoch"     // changes when the store is emptied
	propBegun     = "begun"     // in decimal, the sequence a batch in progress is to reach
)

func stateClass(name string) *models.Class {
	return &models.Class{
		Class:       name,
		Description: "How far hopstream has filled the class of passages.",
		Vectorizer:  "none",
		Properties: []*models.Property{
			text(propStream, "", false, false),
			text(propSequence, "", false, false),
			text(propFormat, "", false, false),
			text(propDimension, "", false, false),
			text(propEmbedder, "", false, false),
			text(propBegun, "", false, false),
			text(propEpoch, "", false, false),
		},
		VectorIndexType:   "hnsw",
		VectorIndexConfig: map[string]any{"skip": true},
	}
}

func text(name, tokenization string, filterable, searchable bool) *models.Property {
	return &models.Property{
		Name: name, DataType: []string{"text"}, Tokenization: tokenization,
		IndexFilterable: &filterable, IndexSearchable: &searchable,
	}
}

// texts is a list, each of whose values is found as a whole.
func texts(name string) *models.Property {
	p := text(name, "field", true, false)
	p.DataType = []string{"text[]"}
	return p
}

func number(name string) *models.Property {
	yes, no := true, false
	return &models.Property{Name: name, DataType: []string{"int"}, IndexFilterable: &yes, IndexSearchable: &no}
}

// misfit says how have differs from want where it matters, or nothing.
func misfit(have, want *models.Class) string {
	if have.Vectorizer != want.Vectorizer {
		return fmt.Sprintf("its vectorizer is %q", have.Vectorizer)
	}
	if have.MultiTenancyConfig != nil && have.MultiTenancyConfig.Enabled {
		return "it has tenants"
	}
	if w, ok := want.VectorIndexConfig.(map[string]any)["distance"]; ok {
		if h, _ := have.VectorIndexConfig.(map[string]any); h["distance"] != w {
			return fmt.Sprintf("its vectors are compared by %v", h["distance"])
		}
	}
	properties := map[string]*models.Property{}
	for _, p := range have.Properties {
		properties[p.Name] = p
	}
	is := func(b *bool) bool { return b == nil || *b } // what is not said is indexed
	for _, w := range want.Properties {
		h := properties[w.Name]
		switch {
		case h == nil:
			return fmt.Sprintf("it has no property %q", w.Name)
		case strings.Join(h.DataType, ",") != strings.Join(w.DataType, ","):
			return fmt.Sprintf("property %q is of type %s", w.Name, strings.Join(h.DataType, ","))
		case w.Tokenization != "" && h.Tokenization != w.Tokenization:
			return fmt.Sprintf("property %q is split by %q", w.Name, h.Tokenization)
		case is(w.IndexFilterable) && !is(h.IndexFilterable), is(w.IndexSearchable) && !is(h.IndexSearchable):
			return fmt.Sprintf("property %q is not indexed", w.Name)
		}
	}
	return ""
}

// ensure makes the classes that are missing, and checks those that are there.
func (s *Store) ensure(ctx context.Context) error {
	want := passageClass(s.opts.Class, s.opts.BM25)
	have, err := s.class(ctx, want.Class)
	if err != nil {
		return err
	}
	if have == nil {
		// A position without passages, as a Reset cut short leaves it.
		if err := s.drop(ctx, s.stateName()); err != nil {
			return err
		}
		s.opts.Logger.Info("making the class of passages", "class", want.Class)
	} else if k1, b := s.opts.BM25.Values(); have.InvertedIndexConfig != nil && have.InvertedIndexConfig.Bm25 != nil {
		if has := *have.InvertedIndexConfig.Bm25; has.K1 != float32(k1) || has.B != float32(b) {
			s.opts.Logger.Warn("the class has other BM25 parameters, which are used", "class", want.Class, "k1", has.K1, "b", has.B)
		}
	}
	if err := s.create(ctx, have, want); err != nil {
		return err
	}
	want = stateClass(s.stateName())
	if have, err = s.class(ctx, want.Class); err != nil {
		return err
	}
	return s.create(ctx, have, want)
}

// create makes the class want unless it is there already, as have.
func (s *Store) create(ctx context.Context, have, want *models.Class) error {
	if have == nil {
		err := s.conn.schema.ClassCreator().WithClass(want).Do(ctx)
		if err == nil {
			return nil
		}
		// Another process may have been first.
		again, lookErr := s.class(ctx, want.Class)
		if lookErr != nil || again == nil {
			return classify(ctx, "make class "+want.Class, err)
		}
		have = again
	}
	if err := s.extend(ctx, have, want); err != nil {
		return err
	}
	if how := misfit(have, want); how != "" {
		return fault.Permanentf("the Weaviate class %s was not made for this: %s; use another class name, or reset the store, which deletes what is in it", want.Class, how)
	}
	return nil
}

// later are the properties that classes made by older versions lack.
var later = []string{propKeys, propHeading, propPlace, propEmbedder, propEpoch}

// extend adds such properties to the class have, if it is one of ours in all
// else.
func (s *Store) extend(ctx context.Context, have, want *models.Class) error {
	var missing []*models.Property
	for _, w := range want.Properties {
		if slices.Contains(later, w.Name) && !slices.ContainsFunc(have.Properties, func(h *models.Property) bool { return h.Name == w.Name }) {
			missing = append(missing, w)
		}
	}
	extended := *have
	extended.Properties = append(slices.Clone(have.Properties), missing...)
	if misfit(&extended, want) != "" {
		return nil // not ours to change
	}
	for _, p := range missing {
		s.opts.Logger.Info("adding a property to the class", "class", want.Class, "property", p.Name)
		if err := s.conn.schema.PropertyCreator().WithClassName(want.Class).WithProperty(p).Do(ctx); err != nil {
			// Another process may have been first.
			again, lookErr := s.class(ctx, want.Class)
			if lookErr != nil || again == nil || !slices.ContainsFunc(again.Properties, func(h *models.Property) bool { return h.Name == p.Name }) {
				return classify(ctx, "add property "+p.Name+" to class "+want.Class, err)
			}
		}
	}
	have.Properties = extended.Properties
	return nil
}

// class returns the class called name, or nil.
func (s *Store) class(ctx context.Context, name string) (*models.Class, error) {
	c, err := s.conn.schema.ClassGetter().WithClassName(name).Do(ctx)
	switch {
	case statusOf(err) == http.StatusNotFound:
		return nil, nil
	case err != nil:
		return nil, classify(ctx, "look up class "+name, err)
	}
	return c, nil
}

// drop deletes the class called name, if there is one.
func (s *Store) drop(ctx context.Context, name string) error {
	c, err := s.class(ctx, name)
	if c == nil || err != nil {
		return err
	}
	return classify(ctx, "delete class "+name, s.conn.schema.ClassDeleter().WithClassName(name).Do(ctx))
}

// statusOf returns the HTTP status that err is about, or 0.
func statusOf(err error) int {
	for {
		e, ok := errors.AsType[*clientfault.WeaviateClientError](err)
		switch {
		case !ok:
			return 0
		case e.IsUnexpectedStatusCode:
			return e.StatusCode
		}
		err = e.DerivedFromError
	}
}
