package papers

import (
	"hopstream/cmd/internal/config"
	"hopstream/messages"
)

// levelRAG is the hierarchical search: a high-level searcher over low-level ones
// that rewrite for their own retriever.
func levelRAG() Paper {
	quality := []string{"succ", "acc", "f1"}
	order := []string{"succ", "f1", "acc"}
	return Paper{
		Name: "levelrag", Title: "LevelRAG: Enhancing Retrieval-Augmented Generation with Multi-hop Logic Planning over Rewriting Augmented Searchers",
		Source: "arXiv 2502.18139", Model: "Qwen2-7B, contriever-msmarco, Elasticsearch, Bing",
		Lacks: "The corpus is all of Wikipedia in pieces of 100 words, and the web; ours is the set that is given. Of NQ the published metric is EM.",
		Rules: levelRules(),
		Rows: []Row{
			{Name: "LevelRAG", Where: "table 1", Figures: figures(
				on("popqa", quality, 85.42, 66.98, 65.52), on("nq", []string{"succ", "em", "f1"}, 86.51, 41.58, 53.24), on("triviaqa", quality, 88.23, 76.12, 78.21),
				on("hotpotqa", quality, 51.22, 43.78, 52.28), on("2wikimultihopqa", quality, 73.18, 70.50, 69.33))},
			{Name: "sparse searcher alone", Where: "table 1", Change: func(c *config.Config) { single(c, "sparse") }, Figures: figures(
				on("popqa", quality, 73.84, 63.26, 61.77), on("nq", []string{"succ", "em", "f1"}, 61.41, 32.55, 41.89), on("triviaqa", quality, 74.92, 65.44, 67.35),
				on("hotpotqa", quality, 52.36, 36.07, 44.38), on("2wikimultihopqa", quality, 58.34, 48.31, 48.84))},
			{Name: "dense searcher alone", Where: "table 1", Change: func(c *config.Config) { single(c, "dense") }, Figures: figures(
				on("popqa", quality, 77.06, 62.19, 60.23), on("nq", []string{"succ", "em", "f1"}, 74.93, 38.81, 49.35), on("triviaqa", quality, 79.35, 69.06, 71.40),
				on("hotpotqa", quality, 53.46, 35.69, 43.86), on("2wikimultihopqa", quality, 53.81, 44.92, 45.59))},
			{Name: "BM25 alone", Where: "table 2", Change: func(c *config.Config) { single(c, "bm25") }, Figures: on("2wikimultihopqa", order, 44.50, 40.26, 38.10)},
			{Name: "BM25, decomposed, summarised, supplemented", Where: "table 2", Change: func(c *config.Config) { searchWith(c, "bm25") },
				Figures: on("2wikimultihopqa", order, 62.80, 52.83, 51.90)},
			{Name: "BM25, decomposed and summarised", Where: "table 2", Change: func(c *config.Config) { searchWith(c, "bm25"); c.Pipeline.Budget.Rounds = 1 },
				Figures: on("2wikimultihopqa", order, 41.00, 42.08, 39.90)},
		},
	}
}

// single is a plain question with one searcher.
func single(c *config.Config, searcher string) {
	c.Router.Force = string(messages.Single)
	searchWith(c, searcher)
}

// searchWith takes one searcher, and ten passages.
func searchWith(c *config.Config, searcher string) {
	c.Retriever.Searchers, c.Retriever.TopK, c.Filter.Keep = []string{searcher}, 10, 10
}

func levelRules() []Rule {
	return []Rule{
		{What: "A high-level searcher decomposes the question into atomic queries, as many as it finds", Where: "High-Level Searcher", Ours: "the role atomiser, a prompt of its own",
			Settings: []Setting{{"router.force", "complex"}, {"strategy.complex", "supplement"}}, Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "A query that is the question itself is treated like any other", Where: "High-Level Searcher", Ours: "it is summarised and verified", Settings: []Setting{{"decomposer.no_reduce", true}}, Tests: []string{"TestOnePartIsSingle"}},
		{What: "Each query goes to a sparse, a dense and a web searcher, ten documents from each", Where: "Implementation Details", Ours: "the web where web.url is set, then 30 passages; without it the program says so, and there are 20",
			Settings: []Setting{{"retriever.searchers", []string{"sparse", "dense"}}, {"retriever.depth", 10}, {"retriever.top_k", 20}, {"filter.keep", 20}, {"filter.off", true}},
			Choice:   "nobody's questions go to the web unasked.", Tests: []string{"TestPresetsFollowThePapers", "TestLevelRAGSearchesTheWeb"}},
		{What: "The lists of the searchers are given together", Where: "High-Level Searcher", Ours: "fused by reciprocal rank, all of them kept",
			Choice: "an order is needed where a model's context is short, and passages found twice count once.", Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "The documents of a query are summarised by answering it", Where: "Summarize", Ours: "the role summariser, one sentence", Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "It verifies whether the summaries suffice, and supplements queries until they do", Where: "Verify, Supplement", Ours: "the roles completeness and supplementer, prompts of their own; five rounds at most",
			Choice: "the paper gives no bound.", Settings: []Setting{{"judge.off", false}, {"pipeline.budget.rounds", 5}}, Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "Sparse: the query is rewritten to keywords, which may be other words than its own", Where: "Sparse Searcher", Ours: "the role keywords", Tests: []string{"TestAlgorithm1"}},
		{What: "Sparse: breadth first, depth 3, 27 refinements at most", Where: "algorithm 1; Implementation Details", Ours: "the same; 28 verifications", Settings: []Setting{{"retriever.refinements", 3}, {"retriever.verifications", 28}}, Tests: []string{"TestAlgorithm1"}},
		{What: "Sparse: extend adds a quoted keyword that broadens, emphasise weighs one, filter excludes one", Where: "Sparse Searcher", Ours: "the role refinement, three prompts", Tests: []string{"TestAlgorithm1"}},
		{What: "Sparse: the first result that verifies is returned", Where: "algorithm 1, line 9", Ours: "the same", Tests: []string{"TestAlgorithm1"}},
		{What: "Sparse: nothing is said of a search that never verifies", Where: "algorithm 1", Ours: "the first search, fused with the refinements nearest to it",
			Choice: "what the keywords rank high must not be lost.", Tests: []string{"TestAlgorithm1"}},
		{What: "Dense: while what was found does not suffice, a pseudo-document of the query, then of what was found; three at most", Where: "Dense Searcher", Ours: "the role pseudo_document", Settings: []Setting{{"retriever.refinements", 3}}, Tests: []string{"TestDense"}},
		{What: "Web: the query as it is, and the engine's abstracts", Where: "Web Searcher", Ours: "a SearXNG server", Tests: []string{"TestLevelRAGSearchesTheWeb", "TestSearch"}},
		{What: "The answer is generated from the summaries", Where: "High-Level Searcher", Ours: "the role synthesis", Tests: []string{"TestPresetsFollowThePapers"}},
	}
}
