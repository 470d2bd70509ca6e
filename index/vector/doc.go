// Package vector is a store of passages that is searched by meaning: by the
// cosine between vectors that an embedder makes.
//
//	Follower ─▶ Apply ─▶ Chunk ─▶ Embedder ─┬─▶ disk (one file, all or nothing)
//	                                        └─▶ snapshot (vectors, passages)
//	Search ─▶ Embedder ─▶ Near ─▶ snapshot ─▶ the nearest by cosine
//
// Up to Options.Exact passages a search compares the query with every vector.
// Above that it first compares sketches, which are binary codes of one bit per
// number of a randomly rotated vector, and then the vectors whose sketches are
// most similar. Nothing has to be trained or rebuilt, and a passage is found as
// soon as it is stored. A graph of neighbours (HNSW) would look at fewer
// passages, but has to be repaired after every change; the libraries for Go find
// 8 in 10 of the nearest even without changes.
//
// All of it is in memory: 4 bytes per number of a vector, an eighth or less of
// that again for sketches, and the passages' words. The file is read when the
// store is opened and is only written after that. Some 200,000 passages are
// what this is good for; a server such as Weaviate holds more.
//
// In reading order:
//
//	options.go      Options
//	store.go        Open, Store: opening, resetting, closing
//	apply.go        Apply: documents cut, embedded and stored
//	disk.go         the file: what is in it, and how it is read and written
//	snapshot.go     what searches see: vectors and passages, beside changes
//	search.go       Search, Near: every vector compared
//	approximate.go  … or only those whose sketches are most similar
//	sketch.go       how sketches are made and compared
//	dot.go          the cosine of two vectors
//	best.go         the best k of all that was compared
package vector
