package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/go-viper/mapstructure/v2"
	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/providers/posflag"
	"github.com/knadh/koanf/providers/structs"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/pflag"
)

// flagKeys maps global flags to configuration keys.
var flagKeys = map[string]string{
	"nats": "nats.url", "preset": "strategy.preset", "data": "data", "engine": "engine",
	"ollama-url": "models.default.url", "model": "models.default.name",
	"log-level": "log.level", "log-format": "log.format",
}

// AddFlags adds the flags that every command has.
func AddFlags(f *pflag.FlagSet) {
	d := Default()
	f.String("nats", "", "URL of a NATS server (default: that of a running hopstream up, else an embedded one)")
	f.String("data", d.Data, "folder of the embedded server and index")
	f.String("config", "", "YAML configuration file (default: hopstream.yaml, if there is one)")
	f.String("preset", d.Strategy.Preset, "strategy: "+strings.Join(Presets(), ", "))
	f.String("engine", d.Engine, "who answers the stages' questions: builtin (no model) or ollama")
	f.String("ollama-url", "", "URL of the Ollama server (default: OLLAMA_HOST, else http://127.0.0.1:11434)")
	f.String("model", d.Models[DefaultModel].Name, "model of every role that names none of its own")
	f.String("log-level", "", "debug, info, warn or error (default: info for up, else warn)")
	f.String("log-format", "text", "text or json")
}

// FlagValues returns what the flags of AddFlags can be, by flag, where that is
// known.
func FlagValues() map[string][]string {
	out, choices := map[string][]string{}, Choices()
	for flag, key := range flagKeys {
		if from := choices[key]; len(from) > 0 {
			out[flag] = from
		}
	}
	return out
}

const defaultConfigFile = "hopstream.yaml"

// serviceEnv matches the variables that Kubernetes sets for a service whose name
// begins with hopstream. They are not part of the configuration.
var serviceEnv = regexp.MustCompile(`^HOPSTREAM_([A-Z0-9_]+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT|PORT_\d+_(TCP|UDP)(_.+)?)$`)

// Load reads the configuration; flags are those of AddFlags, and preset, unless
// empty, is taken in place of the one that the user chose. It fails where a source
// cannot be read, or says what is wrong with the settings.
func Load(flags *pflag.FlagSet, preset string) (Config, error) { return LoadWith(flags, preset, nil) }

// LoadWith is Load where the program itself sets something, by key, in place of
// the user.
func LoadWith(flags *pflag.FlagSet, preset string, settings map[string]any) (Config, error) {
	user, from, err := userConfig(flags)
	if err != nil {
		return Config{}, err
	}
	for key, v := range settings {
		if err := user.Set(key, v); err != nil {
			return Config{}, err
		}
	}
	k := koanf.New(".")
	if err := k.Load(structs.Provider(Default(), "koanf"), nil); err != nil {
		return Config{}, err
	}
	s := StrategyConfig{
		Preset:    cmp.Or(preset, user.String("strategy.preset"), DefaultPreset),
		Retrieval: user.String("strategy.retrieval"), Align: user.String("strategy.align"),
	}
	expanded, err := expand(s, user.Exists)
	if err != nil {
		return Config{}, fmt.Errorf("configuration: %w", err)
	}
	if s.Preset == levelRAG {
		asLevelRAG(expanded, user)
	}
	for key, v := range expanded {
		if err := k.Set(key, v); err != nil {
			return Config{}, err
		}
	}
	if err := errors.Join(k.Merge(user), k.Set("strategy.preset", s.Preset)); err != nil {
		return Config{}, fmt.Errorf("configuration: %w", err)
	}
	return decodeConfig(k, from)
}

// userConfig is what the user set: the YAML file, the environment, flags. It
// returns the first two apart as well.
func userConfig(flags *pflag.FlagSet) (*koanf.Koanf, []source, error) {
	k := koanf.New(".")
	path, _ := flags.GetString("config")
	from := []source{{cmp.Or(path, defaultConfigFile), koanf.New(".")}, {"", koanf.New(".")}}
	name := from[0].name
	if err := from[0].keys.Load(file.Provider(name), yaml.Parser()); err != nil && (path != "" || !errors.Is(err, fs.ErrNotExist)) {
		return nil, nil, fmt.Errorf("configuration %s: %w", name, err)
	}
	err := from[1].keys.Load(env.Provider(".", env.Opt{Prefix: envPrefix, TransformFunc: func(key, v string) (string, any) {
		if serviceEnv.MatchString(key) {
			return "", nil
		}
		key = strings.ToLower(strings.TrimPrefix(key, envPrefix))
		return strings.ReplaceAll(key, "__", "."), v
	}}), nil)
	if err != nil {
		return nil, nil, fmt.Errorf("environment: %w", err)
	}
	for _, s := range from {
		if err := k.Merge(s.keys); err != nil {
			return nil, nil, fmt.Errorf("configuration: %w", err)
		}
	}
	err = k.Load(posflag.ProviderWithFlag(flags, ".", k, func(f *pflag.Flag) (string, any) {
		key, ok := flagKeys[f.Name]
		if !ok || !f.Changed {
			return "", nil
		}
		return key, f.Value.String()
	}), nil)
	if err != nil {
		return nil, nil, err
	}
	return k, from, nil
}

// decodeConfig makes a Config of settings and checks it; error messages name
// where an unknown key came from.
func decodeConfig(k *koanf.Koanf, from []source) (Config, error) {
	var c Config
	var read mapstructure.Metadata
	err := k.UnmarshalWithConf("", &c, koanf.UnmarshalConf{DecoderConfig: &mapstructure.DecoderConfig{
		Result: &c, TagName: "koanf", WeaklyTypedInput: true, Metadata: &read,
		DecodeHook: mapstructure.ComposeDecodeHookFunc(durations(), unsigned, mapstructure.StringToWeakSliceHookFunc(",")),
	}})
	if err != nil {
		_, why, _ := strings.Cut(err.Error(), "error(s):")
		return Config{}, fmt.Errorf("configuration: %s", cmp.Or(strings.TrimSpace(why), err.Error()))
	}
	if len(read.Unused) > 0 {
		return Config{}, unknown(read.Unused, from)
	}
	c.FillIn()
	return c, c.validate()
}
