package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/providers/posflag"
	"github.com/knadh/koanf/providers/structs"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/generator"
)

// Config is the whole configuration. Later sources win: defaults, the YAML
// file, the environment (HOPSTREAM_, nesting by two underscores:
// HOPSTREAM_PIPELINE__MAX_OPEN), flags.
type Config struct {
	Data     string                 `koanf:"data"`
	Engine   string                 `koanf:"engine"`  // of every role: builtin or ollama
	Engines  map[string]string      `koanf:"engines"` // of single roles
	Models   map[string]ModelConfig `koanf:"models"`  // by role, and default
	NATS     NATSConfig             `koanf:"nats"`
	Log      LogConfig              `koanf:"log"`
	Pipeline PipelineConfig         `koanf:"pipeline"`
	Stages   map[string]StageConfig `koanf:"stages"`
	Index    IndexConfig            `koanf:"index"`
	Strategy StrategyConfig         `koanf:"strategy"`
	Router   struct {
		Force  string `koanf:"force"`  // route every question as this class
		Oracle bool   `koanf:"oracle"` // eval: route every question as its gold class
	} `koanf:"router"`
	Decomposer struct {
		NoRefiner bool `koanf:"no_refiner"`
		NoReviser bool `koanf:"no_reviser"`
	} `koanf:"decomposer"`
	Retriever RetrieverConfig `koanf:"retriever"`
	Web       WebConfig       `koanf:"web"`
	Weaviate  WeaviateConfig  `koanf:"weaviate"`
	Filter    struct {
		Keep       int  `koanf:"keep"`
		PerPassage bool `koanf:"per_passage"` // a model judges one passage per call
		Off        bool `koanf:"off"`
	} `koanf:"filter"`
	Aligner struct {
		Scales []int `koanf:"scales"`
		TopK   int   `koanf:"top_k"`
		Off    bool  `koanf:"off"`
	} `koanf:"aligner"`
	Generator struct {
		NoFusion bool   `koanf:"no_fusion"`
		Escalate string `koanf:"escalate"` // a single question goes on as complex: never, unanswered, judged
	} `koanf:"generator"`
	Judge struct {
		Off bool `koanf:"off"`
	} `koanf:"judge"`
}

// StrategyConfig says how questions are pursued. Preset sets everything the
// user does not; Retrieval and Align are short for settings of the retriever
// and the aligner.
type StrategyConfig struct {
	Preset    string `koanf:"preset"`
	Complex   string `koanf:"complex"`   // refine, plan or supplement
	Retrieval string `koanf:"retrieval"` // plain, links, sparse-refined, hybrid or many-intents
	Align     string `koanf:"align"`     // none, one or several
}

// NATSConfig says which server, and how streams are kept.
type NATSConfig struct {
	URL         string        `koanf:"url"`         // empty: the embedded server
	Credentials string        `koanf:"credentials"` // a .creds file
	Prefix      string        `koanf:"prefix"`
	Replicas    int           `koanf:"replicas"`
	Sync        time.Duration `koanf:"sync"`      // embedded server: fsync interval; 0: the server's own
	MaxStore    int64         `koanf:"max_store"` // embedded server: bytes on disk; 0: three quarters of what is free
}

// LogConfig shapes the log on standard error.
type LogConfig struct {
	Level  string `koanf:"level"`
	Format string `koanf:"format"`
}

// PipelineConfig bounds the pipeline and its questions.
type PipelineConfig struct {
	Retention time.Duration `koanf:"retention"` // of the trace
	MaxOpen   int64         `koanf:"max_open"`
	MaxLag    uint64        `koanf:"max_lag"`
	MaxBytes  uint64        `koanf:"max_bytes"`
	Deadline  time.Duration `koanf:"deadline"`
	Grace     time.Duration `koanf:"grace"`
	Budget    struct {
		Rounds     int `koanf:"rounds"`
		Branches   int `koanf:"branches"`
		ModelCalls int `koanf:"model_calls"`
		Tokens     int `koanf:"tokens"`
	} `koanf:"budget"`
}

// StageConfig overrides one row of the pipeline's table. Zero concurrency and
// timeout are filled in: by the table, or by the models the stage asks.
type StageConfig struct {
	Concurrency int           `koanf:"concurrency"`
	AckWait     time.Duration `koanf:"ack_wait"`
	Timeout     time.Duration `koanf:"timeout"`
	Attempts    int           `koanf:"attempts"`
}

// IndexConfig says where passages are kept, and how documents are cut.
type IndexConfig struct {
	Store        string  `koanf:"store"` // bleve: embedded, in every process; weaviate: one for all
	Memory       bool    `koanf:"memory"`
	K1           float64 `koanf:"k1"`
	B            float64 `koanf:"b"`
	ChunkSize    int     `koanf:"chunk_size"`
	ChunkOverlap int     `koanf:"chunk_overlap"`
}

func defaultConfig() Config {
	c := Config{
		Data: ".hopstream", Engine: "builtin",
		NATS:    NATSConfig{Prefix: messages.DefaultPrefix, Replicas: 1},
		Engines: map[string]string{}, Models: map[string]ModelConfig{defaultModel: modelDefaults()},
		Stages: map[string]StageConfig{},
		Pipeline: PipelineConfig{
			Retention: time.Hour, MaxOpen: 10_000, MaxLag: 50_000,
			Deadline: 5 * time.Minute, Grace: 10 * time.Second,
		},
		Index: IndexConfig{Store: storeBleve, K1: 1.2, B: 0.75, ChunkSize: 1600, ChunkOverlap: 200},
	}
	b := messages.DefaultBudget()
	c.Pipeline.Budget.Rounds, c.Pipeline.Budget.Branches = b.Rounds, b.Branches
	c.Pipeline.Budget.ModelCalls, c.Pipeline.Budget.Tokens = b.ModelCalls, b.Tokens
	c.Retriever = RetrieverConfig{TopK: 10, Searchers: []string{searchLinks}, Depth: 20, Timeout: 30 * time.Second, Refinements: 1, Verifications: 10}
	c.Web.PerSecond = 2
	c.Weaviate = weaviateDefaults()
	c.Strategy.Preset, c.Strategy.Complex = presetDefault, string(messages.Planned)
	c.Generator.Escalate = string(generator.EscalateOpen)
	c.Filter.Keep = 3
	c.Aligner.Off, c.Aligner.Scales, c.Aligner.TopK = true, []int{150, 250, 350}, 4
	for _, s := range stages.Pipeline() {
		c.Stages[s.Name] = StageConfig{AckWait: s.AckWait, Attempts: s.Attempts}
	}
	return c
}

// flagKeys maps global flags to configuration keys.
var flagKeys = map[string]string{
	"nats": "nats.url", "preset": "strategy.preset", "data": "data", "engine": "engine",
	"ollama-url": "models.default.url", "model": "models.default.name",
	"log-level": "log.level", "log-format": "log.format",
}

func globalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	d := defaultConfig()
	f.String("nats", "", "URL of a NATS server (default: that of a running hopstream up, else an embedded one)")
	f.String("data", d.Data, "folder of the embedded server and index")
	f.String("config", "", "YAML configuration file (default: hopstream.yaml, if there is one)")
	f.String("preset", d.Strategy.Preset, "strategy: "+strings.Join(presetNames(), ", "))
	f.String("engine", d.Engine, "who answers the stages' questions: builtin (no model) or ollama")
	f.String("ollama-url", "", "URL of the Ollama server (default: OLLAMA_HOST, else http://127.0.0.1:11434)")
	f.String("model", d.Models[defaultModel].Name, "model of every role that names none of its own")
	f.String("log-level", "", "debug, info, warn or error (default: info for up, else warn)")
	f.String("log-format", "text", "text or json")
}

const defaultConfigFile = "hopstream.yaml"

// serviceEnv is what Kubernetes sets for every service whose name begins with
// hopstream; it is none of our configuration.
var serviceEnv = regexp.MustCompile(`^HOPSTREAM_([A-Z0-9_]+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT|PORT_\d+_(TCP|UDP)(_.+)?)$`)

// loadConfig reads the configuration; preset, unless empty, is taken in place
// of the one that the user chose.
func loadConfig(cmd *cobra.Command, preset string) (Config, error) {
	user, name, err := userConfig(cmd)
	if err != nil {
		return Config{}, err
	}
	k := koanf.New(".")
	if err := k.Load(structs.Provider(defaultConfig(), "koanf"), nil); err != nil {
		return Config{}, err
	}
	s := StrategyConfig{
		Preset:    cmp.Or(preset, user.String("strategy.preset"), presetDefault),
		Retrieval: user.String("strategy.retrieval"), Align: user.String("strategy.align"),
	}
	expanded, err := expand(s, user.Exists)
	if err != nil {
		return Config{}, usagef("configuration: %w", err)
	}
	for key, v := range expanded {
		if err := k.Set(key, v); err != nil {
			return Config{}, err
		}
	}
	if err := errors.Join(k.Merge(user), k.Set("strategy.preset", s.Preset)); err != nil {
		return Config{}, usagef("configuration: %w", err)
	}
	return decodeConfig(k, name)
}

// userConfig is what the user set: the YAML file, the environment, flags. It
// returns the file's name as well.
func userConfig(cmd *cobra.Command) (*koanf.Koanf, string, error) {
	k := koanf.New(".")
	path, _ := cmd.Flags().GetString("config")
	name := path
	if name == "" {
		name = defaultConfigFile
	}
	if err := k.Load(file.Provider(name), yaml.Parser()); err != nil && (path != "" || !errors.Is(err, fs.ErrNotExist)) {
		return nil, "", usagef("configuration %s: %w", name, err)
	}
	err := k.Load(env.Provider(".", env.Opt{Prefix: "HOPSTREAM_", TransformFunc: func(key, v string) (string, any) {
		if serviceEnv.MatchString(key) {
			return "", nil
		}
		key = strings.ToLower(strings.TrimPrefix(key, "HOPSTREAM_"))
		return strings.ReplaceAll(key, "__", "."), v
	}}), nil)
	if err != nil {
		return nil, "", usagef("environment: %w", err)
	}
	err = k.Load(posflag.ProviderWithFlag(cmd.Root().PersistentFlags(), ".", k, func(f *pflag.Flag) (string, any) {
		key, ok := flagKeys[f.Name]
		if !ok || !f.Changed {
			return "", nil
		}
		return key, f.Value.String()
	}), nil)
	if err != nil {
		return nil, "", usageError{err}
	}
	return k, name, nil
}

// decodeConfig makes the configuration of its settings; name is the file that
// mistakes are said to be in.
func decodeConfig(k *koanf.Koanf, name string) (Config, error) {
	var c Config
	var read mapstructure.Metadata
	err := k.UnmarshalWithConf("", &c, koanf.UnmarshalConf{DecoderConfig: &mapstructure.DecoderConfig{
		Result: &c, TagName: "koanf", WeaklyTypedInput: true, Metadata: &read,
		DecodeHook: mapstructure.ComposeDecodeHookFunc(
			mapstructure.StringToTimeDurationHookFunc(), mapstructure.StringToWeakSliceHookFunc(",")),
	}})
	if err != nil {
		_, why, _ := strings.Cut(err.Error(), "error(s):")
		return Config{}, usagef("configuration: %s", cmp.Or(strings.TrimSpace(why), err.Error()))
	}
	if len(read.Unused) > 0 {
		slices.Sort(read.Unused)
		return Config{}, usagef("configuration: there is no %s, named in %s or in the environment (see: hopstream config)", strings.Join(read.Unused, ", "), name)
	}
	c.fillIn()
	return c, c.validate()
}

func (c *Config) validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	c.validateModels(bad)
	c.validateSearch(bad)
	if c.Data == "" {
		bad("data: name a folder")
	}
	if _, err := messages.NewNames(c.NATS.Prefix); err != nil {
		bad("nats.prefix: %w", err)
	}
	if c.NATS.MaxStore < 0 || c.NATS.Replicas < 1 {
		bad("nats.max_store is at least 0, nats.replicas at least 1")
	}
	if c.Router.Force != "" && !messages.Class(c.Router.Force).Valid() {
		bad("router.force %q: choose from %v", c.Router.Force, messages.Classes())
	}
	if !messages.Strategy(c.Strategy.Complex).Valid() {
		bad("strategy.complex %q: choose from %v", c.Strategy.Complex, messages.Strategies())
	}
	if e := generator.Escalation(c.Generator.Escalate); e != generator.EscalateNever && e != generator.EscalateOpen && e != generator.EscalateJudged {
		bad("generator.escalate %q: choose never, unanswered or judged", c.Generator.Escalate)
	}
	c.agree(bad)
	if c.Pipeline.Retention < time.Second {
		bad("pipeline.retention %v: at least a second", c.Pipeline.Retention)
	}
	for name, s := range c.Stages {
		if _, err := stages.Select(name); err != nil || name == "" || strings.Contains(name, ",") {
			bad("stages.%s: there is no such stage", name)
		}
		if s.Concurrency < 1 || s.Attempts < 1 || s.AckWait < 100*time.Millisecond || s.Timeout < 100*time.Millisecond {
			bad("stages.%s: concurrency and attempts are at least 1, ack_wait and timeout at least 100ms (concurrency and timeout 0: filled in)", name)
		}
	}
	for _, s := range c.Aligner.Scales {
		if s < 20 || s > 10_000 {
			bad("aligner.scales: %d is not between 20 and 10,000 characters", s)
		}
	}
	if len(errs) > 0 {
		return usagef("configuration: %w", errors.Join(errs...))
	}
	return nil
}

// redacted is c without passwords and keys.
func (c Config) redacted() Config {
	c.NATS.URL = redact(c.NATS.URL)
	c.Web.URL, c.Weaviate.URL, c.Weaviate.APIKey = redact(c.Web.URL), redact(c.Weaviate.URL), ""
	c.Models = maps.Clone(c.Models)
	for role, m := range c.Models {
		m.APIKey, m.URL = "", redact(m.URL)
		c.Models[role] = m
	}
	return c
}

// table returns the rows of the pipeline named in list, as configured.
func (c *Config) table(list string) ([]stages.Stage, error) {
	table, err := stages.Select(list)
	if err != nil {
		return nil, usageError{err}
	}
	for i := range table {
		o := c.Stages[table[i].Name]
		table[i].Concurrency, table[i].AckWait = o.Concurrency, o.AckWait
		table[i].Timeout, table[i].Attempts = o.Timeout, o.Attempts
	}
	return table, nil
}
