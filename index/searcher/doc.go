// Package searcher makes ways of searching out of stores and, where one is
// there, a model: small parts behind one interface.
//
//	query ─┬─▶ Plain, Links        a store as it is, and over its links
//	       ├─▶ Sparse              keywords, refined until they suffice (LevelRAG)
//	       ├─▶ Dense               vectors, pseudo-documents (LevelRAG)
//	       ├─▶ web                 another engine's abstracts (LevelRAG)
//	       └─▶ Intents             hypothetical answers, a query each (MuISQA)
//	Set: those configured, side by side, fused by reciprocal rank ─▶ passages
package searcher
