// Package weaviate is a store of passages in a Weaviate server, for corpora
// that outgrow one machine. It needs no other store beside it.
//
//	Open     options, connection, schema check          options.go, store.go
//	Apply    documents in: cut, embed, import, clean up apply.go, batch.go
//	state    how far the store has read the stream      state.go
//	Search   passages out: by words, meaning or both    search.go, query.go
//	Find     passages out: by parts of a query          find.go
//	Links    passages out: by what others name          links.go
//	Upgrade  what older versions filled, filled again   upgrade.go
//	schema   the two classes, and what fits them        schema.go
//	conn     the server's REST interface                conn.go
//	faults   what should happen after an error          faults.go
//
// Passages lie in one class, under IDs that follow from the passage's own: the
// same passage stored again replaces itself. The position in the document
// stream lies in a small class beside it, and is written last: a crash repeats
// a batch, which changes nothing. Unlike in the embedded store a batch becomes
// visible bit by bit, and for a moment a document may show passages of two
// versions.
//
// What a passage is called lies beside it, in the property keys, filterable and
// no part of the search by words. What it names is not stored: a question
// looks up what its best passages name, so that a document links to others,
// and others to it, from the moment it is stored until it is deleted. A class
// of an older version is given the properties it lacks as it is opened, and its
// documents are stored again by the process that fills it.
//
// The headings above a passage are stored before its text, in the same property:
// the server's scores depend on how many properties are searched, also on empty
// ones. The properties heading, which tells the two apart, and place, which says
// where the passage stands, are not indexed.
//
// One process fills a class, any number search it. The filling process asks
// before each batch whether the stored position is still its own, so that a
// server that was emptied, or a second process that fills, is noticed: that
// batch fails, the store takes over the stored position, and whoever follows
// the stream reads on from there.
//
// The name of the embedder is stored with the first vectors: another one is a
// permanent error that says what to do, since vectors of two tell nothing when
// they are compared.
//
// The server should run with USE_BLOCKMAX_WAND=false: its faster search by
// words, the default, leaves out the best passages for queries of several
// words (seen with 1.35.2: of 8,000 passages the only one with both words was
// not found, another with one of them was). Nothing outside the server tells
// which one it uses.
//
// A store keeps no connection that could break: after the server was away the
// next call works again. Nothing is retried here; errors say what should
// happen next (package fault).
package weaviate
