package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/knadh/koanf/v2"

	"hopstream/index/searcher"
	"hopstream/messages"
	"hopstream/stages/filter"
)

// DefaultPreset is the preset that the defaults are.
const DefaultPreset = "hopstream"

// presets are the papers' systems, as settings of this pipeline. What the user sets
// wins over a preset.
var presets = map[string]map[string]any{
	// The default is what measured best: links, plans, the three most relevant
	// passages whole.
	DefaultPreset: {},
	// HANRAG: router, judge before the first round and after each, refined seed
	// questions; ten passages, each judged by a call of its own, and the best three
	// relevant ones whole. Where none is relevant the model answers without any.
	"hanrag": {
		"strategy.complex":    string(messages.Refine),
		"retriever.searchers": []string{searcher.NameBM25}, "retriever.top_k": 10,
		"filter.keep": 3, "filter.per_passage": true, "filter.if_none": string(filter.IfNoneDirect),
		"judge.first": true, "decomposer.no_reduce": true, "generator.escalate": "never",
	},
	// MGA-RAG: every question is taken apart, the plan is revised once and then
	// followed as it is; windows of three scales and their fusion in place of a
	// relevance filter. Passages are of 512 tokens, at four characters each, and the
	// first five are taken; the paper's best variant takes ten. It tells neither how
	// many windows are kept nor whether passages overlap: ten of each scale make
	// prompts as long as its figure 5 shows.
	"mga-rag": {
		"router.force": string(messages.Complex), "strategy.complex": string(messages.Planned),
		"decomposer.no_repair": true, "decomposer.no_reduce": true,
		"retriever.searchers": []string{searcher.NameDense}, "retriever.top_k": 5, "retriever.refinements": 0,
		"index.chunk_size": 2048, "filter.off": true, "filter.keep": 5,
		"aligner.windows": true, "aligner.plain": true, "aligner.scales": []int{150, 250, 350}, "aligner.top_k": 10,
		"generator.escalate": "never",
	},
	// LevelRAG: atomic queries, each searched by words and by vectors with
	// rewriting, and on the web where a server for it is configured (asLevelRAG), ten
	// passages each; summarised, verified and supplemented.
	levelRAG: {
		"router.force": string(messages.Complex), "strategy.complex": string(messages.Supplement), "decomposer.no_reduce": true,
		"retriever.searchers": []string{searcher.NameSparse, searcher.NameDense},
		"retriever.depth":     10, "retriever.refinements": 3, "retriever.verifications": 28,
		"filter.off": true, "generator.escalate": "never",
	},
	// MuISQA: one retrieval with a query per hypothesised intent, each for ten
	// passages by its vector, fused.
	"muisqa": {
		"router.force":        string(messages.Single),
		"retriever.searchers": []string{searcher.NameIntents}, "retriever.intents_over": OverDense, "retriever.top_k": 10, "retriever.depth": 10,
		"filter.off": true, "filter.keep": 10, "generator.escalate": "never",
	},
}

// levelRAG is the preset that searches the web too, if it can.
const levelRAG = "levelrag"

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

// asLevelRAG completes the settings that the preset levelrag stands for, where user
// is what the user set: the web is searched too if there is a server for it, and
// all that the searchers find, ten passages each, is kept.
func asLevelRAG(settings map[string]any, user *koanf.Koanf) {
	const key, each = "retriever.searchers", 10
	if _, ok := settings[key]; ok && user.String("strategy.retrieval") == "" && user.String("web.url") != "" {
		settings[key] = []string{searcher.NameSparse, searcher.NameDense, searcher.NameWeb}
	}
	names, ok := settings[key].([]string)
	if !ok {
		names = user.Strings(key)
		if text, ok := user.Get(key).(string); ok { // of the environment
			names = strings.Split(text, ",")
		}
	}
	for _, key := range []string{"retriever.top_k", "filter.keep"} {
		if !user.Exists(key) {
			settings[key] = each * max(1, len(names))
		}
	}
}

// Notes are what the preset would do as well if it could, a sentence each.
func (c *Config) Notes() []string {
	if c.Strategy.Preset != levelRAG || c.Web.URL != "" || !slices.Equal(c.Retriever.Searchers, []string{searcher.NameSparse, searcher.NameDense}) {
		return nil
	}
	return []string{"preset levelrag searches the web too where web.url names a SearXNG server; it names none, and the documents alone are searched"}
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
