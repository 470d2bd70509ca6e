// Package links finds passages by what they say and by how they link: when one
// half of an answer stands in a passage that shares hardly a word with the
// question, another passage that does names it. There is no language model.
//
// A question goes through:
//
//	newQuery   words, names and titles in the question          query.go
//	search     stage 0: the 60 best by BM25, and the passages   lexical.go, first.go
//	           whose title stands in the question
//	describe   what a passage and the question share            features.go
//	follow     stages 1 and 2: the 8 best so far are seeds;     follow.go
//	           the titles they mention lead to further ones
//	bridge     names that a seed and a candidate both have      bridge.go
//	rank       each stage's decision trees put all in order     rank.go, model.go, weights.go
//
// For a corpus in a server, the same is done with the passages fetched for a
// question:
//
//	Finder     fetches what a question leads to, in three steps   finder.go
//	readings   caches fetched passages, cut into words            readings.go
//	pool       the passages fetched, as a small corpus            pool.go
//	Keys       the names that the server finds a passage by       keys.go
//	Sample     estimates how common words are in the corpus       sample.go
//
// A search works in the memory of a scratch (scratch.go), of which there are as
// many as cores.
//
// What is kept:
//
//	Store       documents from the stream, cut into passages       store.go
//	Index       the passages, for searches beside changes          index.go, compact.go
//	corpus      in memory: who has which word, and what passages   corpus.go, digest.go
//	            are called
//	vocabulary  its words                                          vocabulary.go
//	titles      the dictionary of what passages are called         titles.go
//	passage     a passage's own words and text                     passage.go
//	file        all of it on disk, in one bbolt file               file.go, load.go, block.go, record.go
//	cache       the passages read from there last                  cache.go
//
// The headings above a passage count as its text, at its end: they are words to
// be found by, and no names.
//
// Opening an index reads the blocks, which hold all that is kept in memory, and
// no passage: it takes a second for a million passages. A search reads the
// passages that it ranks, some two hundred.
//
// Links are found when a question is asked, by matching the seeds' text
// against the titles of the moment. So no graph has to be kept up to date: a
// new title links older passages at once, and a removed one stops.
//
// The ideas are known ones. Mentions of titles as links between passages are
// how retrieval over the graph of an encyclopedia works (Asai and others'
// graph retriever, and HippoRAG's passages that share a name); ranking by
// boosted trees on the order of the first places is LambdaMART (Burges);
// stages that each see the order of the one before are Wang, Lin and Metzler's
// cascades. The weights were fitted on half of the questions of six public
// question sets, pooled, with features that know of no set, no title and no
// word:
//
//	go test ./index/links -run TestRecall -train
//
// fits them again and writes weights.go. A corpus without titles works too:
// the subject of a passage's first sentence is a name for it, and half of the
// fitting is done without titles.
package links
