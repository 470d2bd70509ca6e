// Package index holds the corpus: how documents get in, and how passages are
// found.
//
// A document travels top-down:
//
//	Walk      files, folders and stdin, read into documents         walk.go, jsonl.go, text.go, html.go, markdown.go
//	Publish   documents to the document stream, skipping unchanged  publish.go, stream.go
//	Follower  the stream, in batches, to a store                    follow.go, session.go, catchup.go
//	Progress  how far a store is, and waiting for it                progress.go
//	Chunk     a document cut into passages                          chunk.go, id.go
//	Bleve     the store: passages on disk or in memory              bleve.go, apply.go, state.go
//	Search    the passages nearest to a question, by BM25           search.go, postings.go, topk.go
//
// The document stream is the authority; a store is a copy that remembers how
// far it has read, in the same batch as what it read. A store may therefore
// be deleted at any time: the next Follower fills it again.
//
// Everything that can be wrong with a user's file is reported with file,
// line and what to do, and never stops the rest from being read. Everything
// that can be wrong with a question's text is harmless: no query language is
// ever parsed.
package index
