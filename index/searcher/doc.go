// Package searcher makes ways of searching out of stores and, where one is
// there, a model: small parts behind one interface.
//
//	query ─┬─▶ bm25, links, weaviate   a store as it is
//	       ├─▶ Sparse                  keywords, refined until they suffice (LevelRAG)
//	       ├─▶ Dense                   vectors, pseudo-documents (LevelRAG)
//	       ├─▶ Intents                 hypothetical answers, a query per statement (MuISQA)
//	       └─▶ web                     another engine's abstracts (LevelRAG)
//	Set: those configured, side by side, fused by reciprocal rank ─▶ passages
//
// In reading order:
//
//	searcher.go         Searcher, and the roles that searchers ask
//	table.go            every searcher that can be configured, a row each
//	sparse.go           Sparse: the first search (sparse_refine.go: the next ones;
//	                    sparse_operator.go: by what operators)
//	dense.go            Dense
//	intents.go          Intents
//	fusion.go           Fuse: one list of several
//	time.go             until when roles are asked, and what is done without
//	set.go              Set: several searchers at once (set_merge.go: what they
//	                    found and how they failed, as one result)
//
// A role that fails never fails a search, and neither does time that runs out
// during one: what was found until then is the result, and OnGiveUp is told what
// is missing. A searcher that fails is told in the result of its Set.
package searcher
