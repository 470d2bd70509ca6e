package papers

import (
	"strings"
	"testing"

	"hopstream/messages"
)

// ablation is a part left out of a preset, and the calls that a question takes then.
type ablation struct {
	preset, part string
	yaml         string // leaves the part out
	question     messages.Question
	want         step
}

// plain is a sub-query that is searched by words and answered from the best ranked.
func plain(q string) step { return inOrder(call("words %s", q), call("answerer %s (3)", q)) }

// summed is a query of LevelRAG's that BM25 alone looks up.
func summed(q string) step { return inOrder(call("words %s", q), call("summariser %s (10)", q)) }

// scale is a sub-question of MGA-RAG's at one scale.
func scale(q string) step {
	return inOrder(dense(q), call("embed %s and windows", q), call("scale_answerer %s (10)", q))
}

// unaligned is a sub-question of MGA-RAG's that is answered from whole passages.
func unaligned(q string) step { return inOrder(dense(q), call("answerer %s (5)", q)) }

// ablations are those that the papers report.
func ablations() []ablation {
	q := messages.Question{Question: complexOne}
	const bm25 = "searchers: [bm25], top_k: 10, depth: 10"
	return []ablation{
		{"hanrag", "relevance filter", "filter: {\"off\": true}", q, inOrder(
			call("router %s", complexOne), call("judge %s (0)", complexOne),
			call("refiner %s (0)", complexOne), plain(hop1), call("judge %s (1)", complexOne),
			call("refiner %s (1)", complexOne), plain(hop2), call("judge %s (2)", complexOne), call("synthesis %s (2)", complexOne))},
		{"hanrag", "ending judge", "judge: {\"off\": true}\npipeline: {budget: {rounds: 3}}", q, inOrder(
			call("router %s", complexOne),
			call("refiner %s (0)", complexOne), anrag(hop1), call("refiner %s (1)", complexOne), anrag(hop2),
			call("refiner %s (2)", complexOne), anrag("hop 3 things?"), call("synthesis %s (3)", complexOne))},
		{"hanrag", "refiner", "decomposer: {no_refiner: true}", q, inOrder(
			call("router %s", complexOne), call("judge %s (0)", complexOne),
			anrag(complexOne), call("judge %s (1)", complexOne), anrag(complexOne), call("judge %s (2)", complexOne),
			call("synthesis %s (2)", complexOne))},
		{"hanrag", "router, for the gold class", "", messages.Question{Question: complexOne, Class: messages.Single}, anrag(complexOne)},

		{"mga-rag", "reviser", "decomposer: {no_reviser: true}", q, inOrder(
			call("planner %s", complexOne), scales(hop1), scales("hop 2 of Ann things?"), call("synthesis %s (2)", complexOne))},
		{"mga-rag", "alignment", "aligner: {windows: false}", q, inOrder(
			decoupled(complexOne), unaligned(hop1), unaligned("hop 2 of Ann things?"), call("synthesis %s (2)", complexOne))},
		{"mga-rag", "all scales but one", "aligner: {scales: [150]}", q, inOrder(
			decoupled(complexOne), scale(hop1), scale("hop 2 of Ann things?"), call("synthesis %s (2)", complexOne))},

		// The rows of LevelRAG's table, each with what the one before it has.
		{"levelrag", "all but BM25", "router: {force: single}\nretriever: {" + bm25 + "}", q,
			inOrder(call("words %s", complexOne), call("answerer %s (10)", complexOne))},
		{"levelrag", "summary and supplement", "router: {force: compound}\nretriever: {" + bm25 + "}", q, inOrder(
			call("decomposer %s", complexOne),
			each(func(q string) step { return inOrder(call("words %s", q), call("answerer %s (10)", q)) }, first, second),
			call("synthesis %s (2)", complexOne))},
		{"levelrag", "supplement", "judge: {\"off\": true}\npipeline: {budget: {rounds: 1}}\nretriever: {" + bm25 + "}", q, inOrder(
			call("atomiser %s", complexOne), summed(hop1), call("synthesis %s (1)", complexOne))},
		{"levelrag", "the low-level searchers", "retriever: {" + bm25 + "}", q, inOrder(
			call("atomiser %s", complexOne), summed(hop1), call("completeness %s (1)", complexOne),
			call("supplementer %s (1)", complexOne), summed(hop2), call("completeness %s (2)", complexOne),
			call("synthesis %s (2)", complexOne))},

		{"muisqa", "intents", "retriever: {searchers: [dense], refinements: 0}", q,
			inOrder(dense(complexOne), call("answerer %s (10)", complexOne))},
	}
}

// TestAblations holds that each leaves out the calls of its part, and no others.
func TestAblations(t *testing.T) {
	t.Parallel()
	for _, a := range ablations() {
		t.Run(a.preset+" without "+strings.ReplaceAll(a.part, " ", "-"), func(t *testing.T) {
			t.Parallel()
			answer, calls := run(t, a.preset, a.yaml).ask(t, a.question)
			follows(t, calls, a.want)
			if answer.Status != messages.Answered {
				t.Errorf("%s: %s", answer.Status, answer.Error)
			}
		})
	}
}
