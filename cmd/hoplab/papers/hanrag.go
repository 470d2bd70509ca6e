package papers

import (
	"hopstream/cmd/internal/config"
	"hopstream/messages"
)

// hanrag is the frame: four classes, a noise-resistant single step, parallel
// compound questions, iterated complex ones.
func hanrag() Paper {
	quality := []string{"em", "f1", "acc", "steps"}
	return Paper{
		Name: "hanrag", Title: "HANRAG: Heuristic Accurate Noise-resistant Retrieval-Augmented Generation for Multi-hop Question Answering",
		Source: "Sun et al., Ant Group, 2025", Model: "Llama-3.1-8B-instruct, its Revelator tuned",
		Lacks: "The compound benchmark is not published: hoplab revelator-data compound builds one as the paper does. The figures are of tuned roles (hoplab revelator-data makes the training data); several published cells contradict each other (an EM above its F1, 2.45 and 3.01 steps of one run).",
		Rules: hanragRules(),
		Rows: []Row{
			{Name: "HANRAG", Where: "tables 1, 2 and 4", Figures: figures(
				on("squad", quality, 39.80, 39.76, 57.80, 1.11), on("nq", quality, 56.40, 49.12, 69.20, 1.00), on("triviaqa", quality, 57.20, 62.21, 69.20, 1.08),
				on("musique", quality, 29.8, 36.6, 43.2, 2.45), on("hotpotqa", quality, 49.2, 58.9, 61.3, 3.07), on("2wikimultihopqa", quality, 47.2, 58.9, 60.8, 2.31),
				on("compound", quality, -1, -1, 71.76, 1.24))},
			{Name: "oracle router", Where: "tables 3 and 4", Gold: true, Change: func(c *config.Config) { c.Router.Oracle = true }, Figures: figures(
				on("squad", quality, 41.7, 52.2, 59.3, 1.0), on("nq", quality, 56.8, 61.2, 70.7, 1.0), on("triviaqa", quality, 58.4, 64.5, 71.6, 1.0),
				on("musique", quality, 31.3, 38.2, 45.7, 2.37), on("hotpotqa", quality, 52.9, 61.3, 65.8, 2.91), on("2wikimultihopqa", quality, 49.8, 62.3, 63.6, 2.24))},
			{Name: "without relevance filter", Where: "table 6", Change: func(c *config.Config) { c.Filter.Off = true },
				Figures: on("musique", quality, 25.2, 32.5, 37.8, 3.06)},
			{Name: "without ending judge", Where: "table 6", Change: func(c *config.Config) { c.Judge.Off = true },
				Figures: on("musique", quality, 28.7, 35.8, 44.3, 4.56)},
			{Name: "without refiner", Where: "table 6", Change: func(c *config.Config) { c.Decomposer.NoRefiner = true },
				Figures: on("musique", quality, 24.2, 32.4, 28.9, 4.12)},
			{Name: "single step (BM25, 5 passages)", Where: "tables 1 and 2", Change: func(c *config.Config) {
				c.Router.Force, c.Filter.Off, c.Filter.Keep, c.Retriever.TopK = string(messages.Single), true, 5, 5
			}, Figures: figures(
				on("squad", quality, 27.8, 39.3, 34.0, 1), on("nq", quality, 37.8, 47.3, 44.6, 1), on("triviaqa", quality, 53.6, 62.4, 60.2, 1),
				on("musique", quality, 13.8, 22.8, 15.2, 1), on("hotpotqa", quality, 34.4, 46.15, 36.4, 1), on("2wikimultihopqa", quality, 41.6, 47.9, 42.8, 1))},
			{Name: "no retrieval", Where: "tables 1 and 2", Change: func(c *config.Config) { c.Router.Force = string(messages.Straightforward) }, Figures: figures(
				on("squad", quality, 3.6, 10.5, 5.0, 0), on("nq", quality, 14.2, 19.0, 15.6, 0), on("triviaqa", quality, 25.0, 31.8, 27.0, 0),
				on("musique", quality, 2.4, 10.7, 3.2, 0), on("hotpotqa", quality, 16.6, 22.71, 17.2, 0), on("2wikimultihopqa", quality, 27.4, 32.04, 27.8, 0))},
		},
	}
}

func hanragRules() []Rule {
	return []Rule{
		{What: "A router sorts questions into straightforward, single-step, compound and complex", Where: "4.1, algorithm 2",
			Ours: "the role router, eight examples in its prompt", Settings: []Setting{{"router.force", ""}}, Tests: []string{"TestPresetsFollowThePapers", "TestRouterShowsEveryClass"}},
		{What: "A straightforward question is answered by the LLM alone", Where: "algorithm 2, line 3",
			Ours: "the role direct; what it does not know is unanswered, no document is asked", Settings: []Setting{{"generator.escalate", "never"}}, Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "ANRAG retrieves the ten best documents with BM25", Where: "algorithm 1; 5",
			Ours: "true BM25 (k1 1.2, b 0.75)", Settings: []Setting{{"retriever.searchers", []string{"bm25"}}, {"retriever.top_k", 10}}, Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "Each document is judged relevant or not, by itself", Where: "A.3, equation 13",
			Ours: "a call of the role relevance for each", Settings: []Setting{{"filter.per_passage", true}, {"filter.off", false}}, Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "At most three relevant documents are kept", Where: "algorithm 1", Ours: "the best-ranked three", Settings: []Setting{{"filter.keep", 3}}, Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "Where no document is relevant, the LLM answers without any", Where: "algorithm 1, line 4, with an empty list",
			Ours: "the role direct answers; the answer has no evidence and half its confidence", Settings: []Setting{{"filter.if_none", "direct"}}, Tests: []string{"TestKeeps", "TestAnsweredWithoutPassages"}},
		{What: "A compound question is split, its parts are answered at the same time, one generation joins them", Where: "algorithm 2, lines 6 to 11",
			Ours: "each part is a message of its own", Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "The ending judge is asked before the first round", Where: "algorithm 2, line 13",
			Ours: "if it says that nothing has to be looked up, the question is answered as a straightforward one", Settings: []Setting{{"judge.first", true}}, Tests: []string{"TestJudgeBeforeTheFirstRound"}},
		{What: "A refiner writes the next seed question from the question and what was found", Where: "algorithm 2, line 15",
			Ours: "the role refiner", Settings: []Setting{{"strategy.complex", "refine"}}, Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "A question of one step comes back from the refiner unchanged, and is judged like any other", Where: "B.4",
			Ours: "it is retrieved, judged and answered like any round", Settings: []Setting{{"decomposer.no_reduce", true}}, Tests: []string{"TestOnePartIsSingle"}},
		{What: "Rounds go on until the judge ends them, five at most", Where: "algorithm 2, line 14; E", Ours: "the budget's rounds", Settings: []Setting{{"pipeline.budget.rounds", 5}, {"judge.off", false}}, Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "One generation over the question and all pairs ends it", Where: "algorithm 2, line 18", Ours: "the role synthesis", Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "The judge is asked after every round, whatever was found", Where: "algorithm 2", Ours: "not where every sub-question so far found nothing",
			Choice: "then the answer is known: nothing suffices. It spares a call.", Tests: []string{"TestNoModelIsAskedInVain"}},
		{What: "Documents are passages of Wikipedia", Where: "5", Ours: "whatever is indexed, cut at its own sections and blocks",
			Choice: "people's documents have structure; data sets' passages are shorter than the longest chunk and stay whole."},
		{What: "Answers are text alone", Where: "table 14", Ours: "quotes come before an answer, and are looked up in the passages",
			Choice: "no answer without its evidence; it costs reply tokens, not calls."},
		{What: "One tuned model plays all roles but the generator", Where: "4.2; D", Ours: "any model for each role; hoplab revelator-data makes the training sets, with the paper's recipe",
			Choice: "weights are not published.", Tests: []string{"TestBalance"}},
	}
}
