package papers

import (
	"maps"
	"testing"

	"hopstream/cmd/internal/config"
	"hopstream/messages"
)

// anrag is HANRAG's algorithm 1: ten passages, each judged by itself, and an answer
// from the best three.
func anrag(q string) step {
	return inOrder(call("words %s", q), times(10, call("relevance_one %s (1)", q)), call("answerer %s (3)", q))
}

// hanrag is its algorithm 2, by question.
var hanrag = map[string]step{
	straightforward: inOrder(call("router %s", straightforward), call("direct %s", straightforward)),
	single:          inOrder(call("router %s", single), anrag(single)),
	compound: inOrder(call("router %s", compound), call("decomposer %s", compound),
		each(anrag, first, second), call("synthesis %s (2)", compound)),
	complexOne: inOrder(call("router %s", complexOne), call("judge %s (0)", complexOne),
		call("refiner %s (0)", complexOne), anrag(hop1), call("judge %s (1)", complexOne),
		call("refiner %s (1)", complexOne), anrag(hop2), call("judge %s (2)", complexOne),
		call("synthesis %s (2)", complexOne)),
	known: inOrder(call("router %s", known), call("judge %s (0)", known), call("direct %s", known)),
	// No passage is relevant: the model is asked with none.
	vague: inOrder(call("router %s", vague), call("words %s", vague), times(10, call("relevance_one %s (1)", vague)), call("direct %s", vague)),
}

// scales is MGA-RAG's way with a sub-question: five passages, ten windows of each of
// three scales, an answer by each, and their fusion.
func scales(q string) step { return inOrder(scaled(q), call("fusion %s (3)", q)) }

// scaled is the same without the fusion.
func scaled(q string) step {
	return inOrder(dense(q), call("embed %s and windows", q), times(3, call("scale_answerer %s (10)", q)))
}

// decoupled is the plan of a question, revised once.
func decoupled(q string) step { return inOrder(call("planner %s", q), call("reviser %s", q)) }

// mgaRAG is its algorithm 1. A question of one part is fused and synthesised too.
var mgaRAG = map[string]step{
	straightforward: inOrder(decoupled(straightforward), scales(straightforward), call("synthesis %s (1)", straightforward)),
	single:          inOrder(decoupled(single), scales(single), call("synthesis %s (1)", single)),
	compound:        inOrder(decoupled(compound), each(scales, first, second), call("synthesis %s (2)", compound)),
	complexOne:      inOrder(decoupled(complexOne), scales(hop1), scales("hop 2 of Ann things?"), call("synthesis %s (2)", complexOne)),
	// A part that needs an answer which was not found is not asked: nobody plans anew.
	// Where no scale found anything there is nothing to fuse.
	stuck: inOrder(decoupled(stuck), together(scales(hop1), scaled(lost)), call("synthesis %s (2)", stuck)),
}

// searched is LevelRAG's way with an atomic query: the sparse and the dense searcher,
// each of which verifies what it found, and a summary of all.
func searched(q string) step {
	return inOrder(together(
		inOrder(call("keywords %s", q), call("keywords %s", q), call("verify %s in keywords", q)),
		inOrder(call("embed %s", q), call("near %s", q), call("verify %s in near", q)),
	), call("summariser %s (20)", q))
}

// levelRAG is its high-level searcher.
var levelRAG = map[string]step{
	straightforward: inOrder(call("atomiser %s", straightforward), searched(straightforward), call("completeness %s (1)", straightforward), call("synthesis %s (1)", straightforward)),
	single:          inOrder(call("atomiser %s", single), searched(single), call("completeness %s (1)", single), call("synthesis %s (1)", single)),
	compound:        inOrder(call("atomiser %s", compound), each(searched, first, second), call("completeness %s (2)", compound), call("synthesis %s (2)", compound)),
	complexOne: inOrder(call("atomiser %s", complexOne), searched(hop1), call("completeness %s (1)", complexOne),
		call("supplementer %s (1)", complexOne), searched(hop2), call("completeness %s (2)", complexOne),
		call("synthesis %s (2)", complexOne)),
}

// dense is a search by the vector of a text.
func dense(text string) step { return inOrder(call("embed %s", text), call("near %s", text)) }

// muisqa is its pipeline, which is the same for every question: plausible answers,
// their statements, whose vectors are made by one request, a search of each, and an
// answer from the ten best.
func muisqa(q string) step {
	near := func(statement string) step { return call("near %s", statement) }
	return inOrder(call("hypothesise %s", q), call("statements %s", q), call("embed Ann did things. and windows"),
		each(near, "Ann did things.", "Bo did things."), call("answerer %s (10)", q))
}

// linked is the default's way with a sub-query.
func linked(q string) step {
	return inOrder(call("links %s", q), call("relevance_all %s (10)", q), call("answerer %s (3)", q))
}

// algorithms are those of all presets.
func algorithms() map[string]map[string]step {
	muisqas := map[string]step{}
	for _, q := range []string{straightforward, single, compound, complexOne} {
		muisqas[q] = muisqa(q)
	}
	return map[string]map[string]step{
		"hanrag": hanrag, "mga-rag": mgaRAG, "levelrag": levelRAG, "muisqa": muisqas,
		config.DefaultPreset: {
			straightforward: inOrder(call("router %s", straightforward), call("direct %s", straightforward)),
			single:          inOrder(call("router %s", single), linked(single)),
			compound:        inOrder(call("router %s", compound), call("decomposer %s", compound), each(linked, first, second), call("synthesis %s (2)", compound)),
			complexOne: inOrder(call("router %s", complexOne), decoupled(complexOne), linked(hop1), linked("hop 2 of Ann things?"),
				call("synthesis %s (2)", complexOne)),
		},
	}
}

// TestPresetsFollowThePapers asks one question of each kind under every preset.
func TestPresetsFollowThePapers(t *testing.T) {
	t.Parallel()
	all := algorithms()
	for _, preset := range config.Presets() {
		if all[preset] == nil {
			t.Errorf("no algorithm of %s is written down", preset)
		}
	}
	for preset, algorithm := range all {
		t.Run(preset, func(t *testing.T) {
			t.Parallel()
			r := run(t, preset, "")
			for q := range maps.Keys(algorithm) {
				a, calls := r.ask(t, messages.Question{Question: q})
				follows(t, calls, algorithm[q])
				want := messages.Answered
				if q == stuck {
					want = messages.Partial
				}
				if a.Status != want || a.Answer != "Ann" {
					t.Errorf("%s: %s %q: %s", q, a.Status, a.Answer, a.Error)
				}
			}
			if k := map[string]int{"hanrag": 10, "mga-rag": 5, "muisqa": 10}[preset]; k > 0 && (len(r.asked) != 1 || r.asked[k] == 0) {
				t.Errorf("stores were asked for so many passages so often: %v; the paper takes %d", r.asked, k)
			}
		})
	}
}
