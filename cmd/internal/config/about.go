package config

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"hopstream/index/searcher"
	"hopstream/messages"
	"hopstream/stages/filter"
)

// A setting's key and what it means stand at its field, in the tags koanf and
// about; its default is in Default. The names of roles and stages, which are
// keys too, are * here.

// setting is a key of the configuration, and what it means.
type setting struct{ key, about string }

// settings returns every key with what it means, sections before what is in
// them.
func settings() []setting { return appendSettings(nil, reflect.TypeFor[Config](), "") }

func appendSettings(all []setting, t reflect.Type, prefix string) []setting {
	for i := range t.NumField() {
		f := t.Field(i)
		key := prefix + f.Tag.Get("koanf")
		about := f.Tag.Get("about")
		if from := Choices()[key]; len(from) > 0 {
			about += " Choose from " + strings.Join(from, ", ") + "."
		}
		all = append(all, setting{key, about})
		switch in := f.Type; {
		case in.Kind() == reflect.Struct:
			all = appendSettings(all, in, key+".")
		case in.Kind() == reflect.Map && in.Elem().Kind() == reflect.Struct:
			all = appendSettings(all, in.Elem(), key+".*.")
		}
	}
	return all
}

// Choices returns, by key, what the settings that name something can be.
func Choices() map[string][]string {
	return map[string][]string{
		"engine": {EngineBuiltin, EngineOllama}, "log.level": {"debug", "info", "warn", "error"}, "log.format": {"text", "json"},
		"strategy.preset": Presets(), "strategy.complex": texts(messages.Strategies()),
		"strategy.retrieval": slices.Sorted(maps.Keys(retrievals)), "strategy.align": slices.Sorted(maps.Keys(alignments)),
		"router.force": texts(messages.Classes()), "retriever.searchers": searcher.Names(),
		"index.store": {storeBleve, StoreWeaviate}, "filter.if_none": texts(filter.Fallbacks()),
		"pipeline.share_work": {shareAuto, shareOn, shareOff},
	}
}

func texts[T ~string](of []T) []string {
	out := make([]string, len(of))
	for i, t := range of {
		out[i] = string(t)
	}
	return out
}

// general returns a key with * for the name of a role or a stage.
func general(key string) string {
	parts := strings.SplitN(key, ".", 3)
	if len(parts) == 3 && (parts[0] == "models" || parts[0] == "stages") {
		parts[1] = "*"
	}
	return strings.Join(parts, ".")
}
