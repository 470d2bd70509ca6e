package config

import (
	"fmt"
	"maps"
	"slices"

	"hopstream/index/searcher"
	"hopstream/messages"
)

// DefaultPreset is the preset that the defaults are.
const DefaultPreset = "hopstream"

// presets are the papers' systems, as settings of this pipeline. What the user sets
// wins over a preset.
var presets = map[string]map[string]any{
	// The default is what measured best: links, plans, the three most relevant
	// passages whole.
	DefaultPreset: {},
	// HANRAG: router, refined seed questions, ending judge; ten passages, the
	// best three relevant ones whole.
	"hanrag": {
		"strategy.complex":    string(messages.Refine),
		"retriever.searchers": []string{searcher.NameBM25}, "retriever.top_k": 10,
		"filter.keep": 3, "generator.escalate": "never",
	},
	// MGA-RAG: every question is taken apart, the plan is revised; windows of
	// three scales and their fusion in place of a relevance filter.
	"mga-rag": {
		"router.force": string(messages.Complex), "strategy.complex": string(messages.Planned),
		"retriever.searchers": []string{searcher.NameBM25}, "retriever.top_k": 10,
		"filter.off": true, "filter.keep": 10, "aligner.windows": true, "aligner.scales": []int{150, 250, 350},
		"generator.escalate": "never",
	},
	// LevelRAG: atomic queries, each searched by words and by vectors with
	// rewriting, summarised, verified and supplemented.
	"levelrag": {
		"router.force": string(messages.Complex), "strategy.complex": string(messages.Supplement),
		"retriever.searchers": []string{searcher.NameSparse, searcher.NameDense}, "retriever.top_k": 10, "retriever.refinements": 3,
		"retriever.verifications": 27, "filter.off": true, "filter.keep": 10, "generator.escalate": "never",
	},
	// MuISQA: one retrieval with a query per hypothesised intent, fused.
	"muisqa": {
		"router.force":        string(messages.Single),
		"retriever.searchers": []string{searcher.NameIntents}, "retriever.top_k": 10,
		"filter.off": true, "filter.keep": 10, "generator.escalate": "never",
	},
}

// Presets are the presets in order.
func Presets() []string { return slices.Sorted(maps.Keys(presets)) }

// retrievals are what strategy.retrieval stands for.
var retrievals = map[string][]string{
	"plain":          {searcher.NameBM25},
	"links":          {searcher.NameLinks},
	"sparse-refined": {searcher.NameSparse},
	"hybrid":         {searcher.NameBM25, searcher.NameDense},
	"many-intents":   {searcher.NameIntents},
}

// alignments are what strategy.align stands for.
var alignments = map[string]map[string]any{
	"none":    {"aligner.off": true, "aligner.windows": false},
	"quotes":  {"aligner.off": false, "aligner.windows": false},
	"one":     {"aligner.off": false, "aligner.windows": true, "aligner.scales": []int{350}},
	"several": {"aligner.off": false, "aligner.windows": true, "aligner.scales": []int{150, 250, 350}},
}

// expand returns the settings that a preset and the short forms stand for. said
// tells whether the user set a key; a setting that the user gave both in full and
// in short must be the same in both.
func expand(c StrategyConfig, said func(key string) bool) (map[string]any, error) {
	preset, ok := presets[c.Preset]
	if !ok {
		return nil, fmt.Errorf("strategy.preset: there is no %q: choose from %v", c.Preset, Presets())
	}
	out := maps.Clone(preset)
	if c.Retrieval != "" {
		names, ok := retrievals[c.Retrieval]
		if !ok {
			return nil, fmt.Errorf("strategy.retrieval: there is no %q: choose from %v", c.Retrieval, slices.Sorted(maps.Keys(retrievals)))
		}
		out["retriever.searchers"] = names
	}
	if c.Align != "" {
		align, ok := alignments[c.Align]
		if !ok {
			return nil, fmt.Errorf("strategy.align: there is no %q: choose from %v", c.Align, slices.Sorted(maps.Keys(alignments)))
		}
		maps.Copy(out, align)
	}
	for key := range out {
		if said(key) {
			delete(out, key)
		}
	}
	return out, nil
}

// agree says where a setting contradicts its short form.
func (c *Config) agree(bad func(string, ...any)) {
	if names := retrievals[c.Strategy.Retrieval]; names != nil && !slices.Equal(names, c.Retriever.Searchers) {
		bad("strategy.retrieval %s stands for %v, and retriever.searchers is %v: remove one of them", c.Strategy.Retrieval, names, c.Retriever.Searchers)
	}
	off, windows, scales := c.Aligner.Off, c.Aligner.Windows, len(c.Aligner.Scales)
	switch a := c.Strategy.Align; {
	case a == "none" && !off, a == "quotes" && (off || windows),
		a == "one" && (off || !windows || scales != 1), a == "several" && (off || !windows || scales < 2):
		bad("strategy.align is %s, and aligner.off %v, aligner.windows %v with scales %v: remove one of them", a, off, windows, c.Aligner.Scales)
	}
}
