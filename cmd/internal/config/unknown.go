package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/knadh/koanf/v2"

	"hopstream/cmd/internal/spelling"
)

// source is a place that settings come from.
type source struct {
	name string // of the file; empty for the environment
	keys *koanf.Koanf
}

// envPrefix is how the environment's variables begin.
const envPrefix = "HOPSTREAM_"

// unknown says of keys that there are none such, where each was set, and which
// one may have been meant.
func unknown(keys []string, from []source) error {
	var all []string
	for _, key := range keys {
		key = strings.NewReplacer("[", ".", "]", "").Replace(key) // stages[router].x
		why := "there is no " + key
		for _, s := range from {
			switch {
			case !s.keys.Exists(key):
			case s.name != "":
				why += ", named in " + s.name
			default:
				why += ", named in the environment as " + envName(key)
			}
		}
		if near := nearest(key); near != "" {
			why += ": did you mean " + near + "?"
		} else {
			why += " (see: hopstream config)"
		}
		all = append(all, why)
	}
	slices.Sort(all)
	return fmt.Errorf("configuration: %s", strings.Join(all, "; "))
}

// envName is the environment's variable of a key.
func envName(key string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "__"))
}

// nearest returns the key that one may have been meant for, or nothing: the
// one with the fewest letters changed, or one that ends alike in another
// section.
func nearest(key string) string {
	best, least := "", len(key)/4+1
	for _, s := range settings() {
		like := named(s.key, key)
		far := spelling.Distance(like, key)
		if d := spelling.Distance(last(like), last(key)); d <= len(last(key))/4 {
			far = min(far, d+1)
		}
		if far < least && !strings.Contains(like, "*") {
			best, least = like, far
		}
	}
	return best
}

// named returns a key of settings with the name of a role or stage that stands
// in another key: of models.* and models.router.nmae, models.router.
func named(general, key string) string {
	parts, own := strings.Split(general, "."), strings.Split(key, ".")
	for i, p := range parts {
		if p != "*" {
			continue
		}
		switch {
		case i < len(own)-1:
			parts[i] = own[i]
		case parts[0] == "models":
			parts[i] = DefaultModel
		}
	}
	return strings.Join(parts, ".")
}

func last(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }
