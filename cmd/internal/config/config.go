package config

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"hopstream/index/searcher"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/evidence"
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
		Scales  []int `koanf:"scales"`  // characters
		TopK    int   `koanf:"top_k"`   // stretches of each scale
		Windows bool  `koanf:"windows"` // answer from the windows, scale by scale
		Off     bool  `koanf:"off"`
	} `koanf:"aligner"`
	Answer struct {
		RequireEvidence bool    `koanf:"require_evidence"` // an answer that no passage supports is not given
		MinConfidence   float64 `koanf:"min_confidence"`   // 0 to 1; below it the answer is not given
	} `koanf:"answer"`
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
	Align     string `koanf:"align"`     // none, quotes, one or several
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

// Default returns the configuration where nothing is set. Stages are filled in
// by FillIn.
func Default() Config {
	c := Config{
		Data: ".hopstream", Engine: "builtin",
		NATS:    NATSConfig{Prefix: messages.DefaultPrefix, Replicas: 1},
		Engines: map[string]string{}, Models: map[string]ModelConfig{DefaultModel: modelDefaults()},
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
	c.Retriever = RetrieverConfig{TopK: 10, Searchers: []string{searcher.NameLinks}, Depth: 20, Timeout: 30 * time.Second, Refinements: 1, Verifications: 10}
	c.Web.PerSecond = 2
	c.Weaviate = weaviateDefaults()
	c.Strategy.Preset, c.Strategy.Complex = DefaultPreset, string(messages.Planned)
	c.Generator.Escalate = string(generator.EscalateOpen)
	c.Filter.Keep = 3
	c.Aligner.Scales, c.Aligner.TopK = evidence.Scales(), 4
	for _, s := range stages.Pipeline() {
		c.Stages[s.Name] = StageConfig{AckWait: s.AckWait, Attempts: s.Attempts}
	}
	return c
}

func (c *Config) validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	c.validateModels(bad)
	c.validateSearch(bad)
	if c.Data == "" {
		bad("data: name a folder")
	}
	c.NATS.validate(bad)
	c.validateStrategy(bad)
	c.agree(bad)
	c.validatePipeline(bad)
	if m := c.Answer.MinConfidence; m < 0 || m > 1 {
		bad("answer.min_confidence %v: between 0 and 1", m)
	}
	for _, s := range c.Aligner.Scales {
		if s < 20 || s > 10_000 {
			bad("aligner.scales: %d is not between 20 and 10,000 characters", s)
		}
	}
	if len(errs) > 0 {
		return fmt.Errorf("configuration: %w", errors.Join(errs...))
	}
	return nil
}

func (n *NATSConfig) validate(bad func(string, ...any)) {
	if _, err := messages.NewNames(n.Prefix); err != nil {
		bad("nats.prefix: %w", err)
	}
	if n.MaxStore < 0 || n.Replicas < 1 {
		bad("nats.max_store is at least 0, nats.replicas at least 1")
	}
}

// validateStrategy says what is wrong with how questions are pursued.
func (c *Config) validateStrategy(bad func(string, ...any)) {
	if c.Router.Force != "" && !messages.Class(c.Router.Force).Valid() {
		bad("router.force %q: choose from %v", c.Router.Force, messages.Classes())
	}
	if !messages.Strategy(c.Strategy.Complex).Valid() {
		bad("strategy.complex %q: choose from %v", c.Strategy.Complex, messages.Strategies())
	}
	if e := generator.Escalation(c.Generator.Escalate); e != generator.EscalateNever && e != generator.EscalateOpen && e != generator.EscalateJudged {
		bad("generator.escalate %q: choose never, unanswered or judged", c.Generator.Escalate)
	}
}

// validatePipeline says what is wrong with the pipeline and its stages.
func (c *Config) validatePipeline(bad func(string, ...any)) {
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
}

// Redacted is c without passwords and keys.
func (c Config) Redacted() Config {
	c.NATS.URL = RedactURL(c.NATS.URL)
	c.Web.URL, c.Weaviate.URL, c.Weaviate.APIKey = RedactURL(c.Web.URL), RedactURL(c.Weaviate.URL), ""
	c.Models = maps.Clone(c.Models)
	for role, m := range c.Models {
		m.APIKey, m.URL = "", RedactURL(m.URL)
		c.Models[role] = m
	}
	return c
}

// Table returns the rows of the pipeline named in list, as configured. It fails
// if there is no stage of a given name.
func (c *Config) Table(list string) ([]stages.Stage, error) {
	table, err := stages.Select(list)
	if err != nil {
		return nil, err
	}
	for i := range table {
		o := c.Stages[table[i].Name]
		table[i].Concurrency, table[i].AckWait = o.Concurrency, o.AckWait
		table[i].Timeout, table[i].Attempts = o.Timeout, o.Attempts
	}
	return table, nil
}
