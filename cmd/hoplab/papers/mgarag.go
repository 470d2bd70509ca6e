package papers

import (
	"hopstream/cmd/internal/config"
	"hopstream/messages"
)

// mgaRAG is the alignment of granularity: plans that correct themselves, windows
// of several scales, answers fused.
func mgaRAG() Paper {
	quality := []string{"f1", "judged"}
	return Paper{
		Name: "mga-rag", Title: "Multi-scale Granularity Alignment for Multi-hop Retrieval-Augmented Generation",
		Source: "ACL submission", Model: "Qwen2.5-7B, bge-m3",
		Lacks: "The figures are of LongBench's 200 questions of each set; ours are of the set that is given. ACC is a model's judgement (--judge).",
		Rules: mgaRules(),
		Rows: []Row{
			{Name: "MGA-RAG (5 chunks)", Where: "table 1", Figures: figures(
				on("2wikimultihopqa", quality, 58.32, 63.17), on("musique", quality, 39.92, 42.83), on("hotpotqa", quality, 57.11, 68.83))},
			{Name: "MGA-RAG (10 chunks)", Where: "table 4", Change: func(c *config.Config) {
				c.Retriever.TopK, c.Filter.Keep, c.Retriever.Depth = 10, 10, max(10, c.Retriever.Depth)
			}, Figures: figures(
				on("2wikimultihopqa", quality, 60.0, 63.3), on("musique", quality, 40.2, 41.2), on("hotpotqa", quality, 59.9, 64.7))},
			{Name: "without reviser", Where: "table 3", Change: func(c *config.Config) { c.Decomposer.NoReviser = true }, Figures: figures(
				on("2wikimultihopqa", quality, 54.60, 59.00), on("musique", quality, 36.17, 39.17), on("hotpotqa", quality, 54.58, 64.00))},
			{Name: "decoupler alone", Where: "table 2", Change: func(c *config.Config) { c.Aligner.Windows = false }, Figures: figures(
				on("2wikimultihopqa", quality, 55.59, 60.50), on("musique", quality, 34.82, 36.33), on("hotpotqa", quality, 51.21, 60.67))},
			{Name: "naive RAG", Where: "tables 1 and 2", Change: func(c *config.Config) { c.Router.Force, c.Aligner.Windows = string(messages.Single), false }, Figures: figures(
				on("2wikimultihopqa", quality, 41.81, 44.00), on("musique", quality, 20.94, 23.67), on("hotpotqa", quality, 50.45, 58.33))},
		},
	}
}

func mgaRules() []Rule {
	return []Rule{
		{What: "Every question is taken apart into at most five sub-questions with placeholders for answers", Where: "3.2; figure 6",
			Ours: "the role planner; $1, $2, … name parts, the last part's answer needs no name", Settings: []Setting{{"router.force", "complex"}, {"strategy.complex", "plan"}}, Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "A reviser inspects the plan once and rewrites it", Where: "3.2, equation 4", Ours: "the role reviser, once, over the whole plan", Settings: []Setting{{"decomposer.no_reviser", false}}, Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "The sub-questions are followed as planned; there is no other plan", Where: "algorithm 1", Ours: "a part whose answer is missing ends the plan; the final answer is made of what was found, and is partial",
			Settings: []Setting{{"decomposer.no_repair", true}}, Tests: []string{"TestPublishedPlanIsRevisedOnce", "TestPublishedPlanEnds"}},
		{What: "Sub-questions are asked one after the other", Where: "algorithm 1, line 8", Ours: "those that need nothing of each other are asked at the same time",
			Choice: "the answers are the same, sooner.", Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "Dense retrieval (bge-m3) over chunks of 512 tokens, the five best", Where: "4; B",
			Ours:     "vectors of the configured embedding model, no rewriting; chunks of 2,048 characters, at four a token, cut at sections and blocks",
			Settings: []Setting{{"retriever.searchers", []string{"dense"}}, {"retriever.refinements", 0}, {"retriever.top_k", 5}, {"index.chunk_size", 2048}},
			Choice:   "tokens differ from model to model, and structure is kept.", Tests: []string{"TestPresetsFollowThePapers", "TestSomebodyMakesVectors"}},
		{What: "No document is judged relevant or not", Where: "algorithm 1", Ours: "the filter is off", Settings: []Setting{{"filter.off", true}}, Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "Windows of 150, 250 and 350 characters", Where: "4; 6.3", Ours: "sliding by half a window, cut at words", Settings: []Setting{{"aligner.windows", true}, {"aligner.scales", []int{150, 250, 350}}}, Tests: []string{"TestPresetsFollowThePapers", "TestWindows"}},
		{What: "The k windows nearest to the sub-question by cosine, within each scale", Where: "3.3, equations 8 and 9", Ours: "the ten best-scored, whether or not they lie beside each other; the windows' own text is embedded",
			Settings: []Setting{{"aligner.plain", true}, {"aligner.top_k", 10}},
			Choice:   "the paper gives no k; ten fit the token counts of its figure 5 (below 500, 800 and 1,300).", Tests: []string{"TestPlainWindows"}},
		{What: "The sub-question is answered once for each scale, at the same time", Where: "3.3, equation 10", Ours: "the role scale_answerer", Tests: []string{"TestPresetsFollowThePapers"}},
		{What: "A fusion makes one answer of those, seeing the documents", Where: "figure 8", Ours: "the role fusion, with the sub-question's passages", Settings: []Setting{{"generator.no_fusion", false}}, Tests: []string{"TestFusionSeesThePassages"}},
		{What: "Fusion is always asked", Where: "algorithm 1, line 19", Ours: "not where the scales agree", Choice: "the fused answer is theirs; it spares a call.", Tests: []string{"TestFuse"}},
		{What: "The final answer is made of the sub-questions and answers, also of one", Where: "algorithm 1, line 24", Ours: "the role synthesis", Settings: []Setting{{"decomposer.no_reduce", true}}, Tests: []string{"TestOnePartIsSingle"}},
		{What: "Temperature 0, answers of at most 512 tokens", Where: "B", Ours: "temperature 0; 1,024 tokens, since quotes come before an answer",
			Choice: "no answer without its evidence.", Settings: []Setting{{"models.default.max_tokens", 1024}}},
	}
}
