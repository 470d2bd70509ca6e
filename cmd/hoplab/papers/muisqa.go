package papers

import "hopstream/cmd/internal/config"

// muisqa is the search for many intents: hypothetical answers, a query for each
// of their statements, rank fusion.
func muisqa() Paper {
	quality := []string{"em", "f1", "recall_at_10"}
	own := []string{"h_mix", "irr", "aa", "ac"}
	return Paper{
		Name: "muisqa", Title: "MuISQA: Multi-Intent Retrieval-Augmented Generation for Scientific Question Answering",
		Source: "arXiv 2511.16283", Model: "Qwen2.5-72B-Instruct",
		Lacks: "The MuISQA benchmark itself (500 questions over 10,000 articles) is not among the data sets here: a folder called muisqa with records in its questions is measured as the paper does. Its H_mix is of its own embedding model's vectors.",
		Rules: muisqaRules(),
		Rows: []Row{
			{Name: "intent-aware retrieval", Where: "tables 1 to 3", Figures: figures(
				on("muisqa", own, 8.136, 67.502, 57.778, 49.078),
				on("hotpotqa", quality, 59.72, 74.10, 97.20), on("2wikimultihopqa", quality, 59.07, 66.99, 91.70), on("musique", quality, 44.03, 57.06, 89.84),
				on("nq", quality, 28.02, 57.14), on("triviaqa", quality, 66.15, 78.63))},
			{Name: "naive RAG", Where: "tables 1 to 3", Change: func(c *config.Config) { c.Retriever.Searchers, c.Retriever.Refinements = []string{"dense"}, 0 }, Figures: figures(
				on("muisqa", own, 8.058, 61.240, 56.674, 46.606),
				on("hotpotqa", quality, 40.10, 57.60, 89.00), on("2wikimultihopqa", quality, 39.80, 51.80, 83.20), on("musique", quality, 8.20, 18.20, 47.00),
				on("nq", quality, 35.80, 51.2), on("triviaqa", quality, 45.80, 58.10))},
		},
	}
}

func muisqaRules() []Rule {
	return []Rule{
		{What: "Every question is retrieved for once", Where: "4", Ours: "it is routed as single", Settings: []Setting{{"router.force", "single"}, {"generator.escalate", "never"}}, Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "The model makes up plausible answers, several", Where: "4.1", Ours: "the role hypothesiser, eight at most", Settings: []Setting{{"retriever.searchers", []string{"intents"}}}, Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "Each is split into one statement for every intent", Where: "4.1, equation 7", Ours: "the role statements, 32 at most", Tests: []string{"TestPresetsFollowThePapers", "TestHypotheticalQueries"}},
		{What: "The pool of queries is the statements", Where: "4.1, equation 8", Ours: "the question itself is searched for only where there are none", Tests: []string{"TestHypotheticalQueries"}},
		{What: "Each statement is searched for by its vector", Where: "4.2, equations 9 and 10", Ours: "the configured embedding model", Settings: []Setting{{"retriever.intents_over", "dense"}}, Tests: []string{"TestHypotheticalQueries", "TestSomebodyMakesVectors"}},
		{What: "Reciprocal rank fusion with 60, the ten best", Where: "4.2, equation 12; 5.1", Ours: "the same", Settings: []Setting{{"retriever.top_k", 10}, {"filter.keep", 10}, {"filter.off", true}}, Tests: []string{"TestFuse", "TestHypotheticalQueries"}},
		{What: "Answers are records of several fields", Where: "figure 8", Ours: "claims with fields", Tests: []string{"TestRecordsAreRead"}},
		{What: "H_mix is of the queries' vectors, AA and AC of the given and gold answers, IRR of facts", Where: "3.4, equations 1 to 6", Ours: "the same, of the configured embedder's vectors", Tests: []string{"TestHMix", "TestRecords"}},
	}
}
