package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/evidence"
	"hopstream/stages/filter"
	"hopstream/stages/generator"
)

// Config is the whole configuration. Later sources win: defaults, the YAML
// file, the environment (HOPSTREAM_, nesting by two underscores:
// HOPSTREAM_PIPELINE__MAX_OPEN), flags. A field's tags are its key and what it
// means, which `hopstream config` prints.
type Config struct {
	Data      string                 `koanf:"data" about:"Folder of the embedded server and index."`
	Engine    string                 `koanf:"engine" about:"Who answers the stages' questions: no model (builtin), or the models below, whatever their API (ollama)."`
	Engines   map[string]string      `koanf:"engines" about:"Engines of single roles, in place of engine, by role."`
	Builtin   BuiltinConfig          `koanf:"builtin" about:"The engine that needs no model."`
	Models    map[string]ModelConfig `koanf:"models" about:"Models by role; what a role does not set is default's."`
	NATS      NATSConfig             `koanf:"nats" about:"The NATS server, and how streams are kept."`
	HTTP      HTTPConfig             `koanf:"http" about:"Metrics, probes and the API by HTTP."`
	Log       LogConfig              `koanf:"log" about:"The log on standard error."`
	Tracing   TracingConfig          `koanf:"tracing" about:"OpenTelemetry spans of the questions."`
	Pipeline  PipelineConfig         `koanf:"pipeline" about:"Bounds of the pipeline and its questions."`
	Admission AdmissionConfig        `koanf:"admission" about:"How questions are admitted, by tenants and priorities."`
	Storage   StorageConfig          `koanf:"storage" about:"How much is kept. What is over a bound is dropped, the oldest first, as soon as no open question needs it."`
	Archive   ArchiveConfig          `koanf:"archive" about:"Answers written to files, before they are dropped."`
	Memory    MemoryConfig           `koanf:"memory" about:"Memory of a process of hopstream up."`
	Stages    map[string]StageConfig `koanf:"stages" about:"Workers, by stage."`
	Index     IndexConfig            `koanf:"index" about:"Where passages are kept, and how documents are cut."`
	Strategy  StrategyConfig         `koanf:"strategy" about:"How questions are pursued."`
	Router    struct {
		Force  string `koanf:"force" about:"Route every question as this class; empty: as the router finds."`
		Oracle bool   `koanf:"oracle" about:"In evaluation, route every question as its gold class."`
	} `koanf:"router" about:"The router, which tells the classes of questions apart."`
	Decomposer struct {
		NoRefiner bool `koanf:"no_refiner" about:"Ask the question itself in every round, not a refined one."`
		NoReviser bool `koanf:"no_reviser" about:"Follow plans as they are written, unchecked."`
		NoRepair  bool `koanf:"no_repair" about:"A plan that leads no further is not planned anew: the question is answered from what was found."`
		NoReduce  bool `koanf:"no_reduce" about:"Judge and synthesise a question whose first plan has one part like any other, not as a single one."`
	} `koanf:"decomposer" about:"The decomposer, which takes questions apart."`
	Retriever RetrieverConfig `koanf:"retriever" about:"How passages are searched for."`
	Web       WebConfig       `koanf:"web" about:"The web searcher: a SearXNG server that answers in JSON."`
	Weaviate  WeaviateConfig  `koanf:"weaviate" about:"The Weaviate server, where index.store is weaviate."`
	Filter    struct {
		Keep       int    `koanf:"keep" about:"Passages of a sub-query that are kept, at most."`
		PerPassage bool   `koanf:"per_passage" about:"Have a model judge one passage per call."`
		IfNone     string `koanf:"if_none" about:"Where no passage is judged relevant: the best-ranked stay (best), the sub-query stays unanswered (none), or it is answered without passages (direct)."`
		Off        bool   `koanf:"off" about:"Keep the best-ranked passages unread."`
	} `koanf:"filter" about:"The filter, which keeps the relevant passages."`
	Aligner struct {
		Scales  []int `koanf:"scales" about:"Lengths of the stretches, in characters."`
		TopK    int   `koanf:"top_k" about:"Stretches of each scale."`
		Windows bool  `koanf:"windows" about:"Answer from sliding windows, each scale for itself, instead of from whole passages."`
		Plain   bool  `koanf:"plain" about:"Keep the best-scored windows, those that overlap included, by their text alone, without its title."`
		Off     bool  `koanf:"off" about:"Look for no stretches: only for the words of an answer."`
	} `koanf:"aligner" about:"The aligner, which finds the stretches of passages nearest to a sub-query."`
	Answer struct {
		RequireEvidence bool    `koanf:"require_evidence" about:"Give no answer that no passage supports."`
		MinConfidence   float64 `koanf:"min_confidence" about:"Give no answer whose confidence, from 0 to 1, is below. -1 is 0.16 where the built-in engine answers, whose confidence is fitted, and 0 where a model does."`
	} `koanf:"answer" about:"When an answer is given."`
	Generator struct {
		NoFusion bool   `koanf:"no_fusion" about:"Take the most confident scale's answer instead of fusing them."`
		Escalate string `koanf:"escalate" about:"When a single question goes on as complex: never (then a straightforward one is not looked up either), unanswered, or judged (if a judge finds its answer wanting)."`
	} `koanf:"generator" about:"The generator, which answers."`
	Judge struct {
		First bool `koanf:"first" about:"By strategy refine, judge before the first round too: where nothing has to be looked up, answer directly."`
		Off   bool `koanf:"off" about:"Go on for all rounds."`
	} `koanf:"judge" about:"The judge, which says whether a round suffices."`
}

// StrategyConfig says how questions are pursued. Preset sets everything the
// user does not; Retrieval and Align are short for settings of the retriever
// and the aligner.
type StrategyConfig struct {
	Preset    string `koanf:"preset" about:"Sets everything that is not set here."`
	Complex   string `koanf:"complex" about:"Strategy of complex questions."`
	Retrieval string `koanf:"retrieval" about:"Short for settings of retriever.searchers."`
	Align     string `koanf:"align" about:"Short for settings of the aligner: none, quotes (passages whole), or one or several scales of windows."`
}

// NATSConfig says which server, and how streams are kept.
type NATSConfig struct {
	URL         string `koanf:"url" about:"URL of a server; empty: that of a running hopstream up on the data folder, else an embedded one."`
	Credentials string `koanf:"credentials" about:"A .creds file for the server."`
	NKey        string `koanf:"nkey" about:"A file with the seed of this user's nkey, read again at every connection (see: hopstream nats users)."`
	User        string `koanf:"user" about:"User of the server, with password_file."`
	// The two that follow name files: what is in them is nowhere in a Config.
	PasswordFile string        `koanf:"password_file" about:"A file with the user's password, read again at every connection."`
	TokenFile    string        `koanf:"token_file" about:"A file with the server's token, read again at every connection."`
	Inbox        string        `koanf:"inbox" about:"Prefix of the subjects on which replies are received, which nobody else may read; empty: _INBOX.NAME with nkey NAME.nk, else _INBOX."`
	TLS          TLSConfig     `koanf:"tls" about:"Certificates of the connection to the server."`
	Prefix       string        `koanf:"prefix" about:"First part of all subjects and streams."`
	Replicas     int           `koanf:"replicas" about:"Copies of each stream; more than 1 needs a cluster of servers. 0: those that there are; a new stream gets 1."`
	Sync         time.Duration `koanf:"sync" about:"Embedded server: time between two writes to disk; 0: the server's own, 2 minutes."`
	MaxStore     int64         `koanf:"max_store" about:"Embedded server: bytes on disk; 0: three quarters of what is free."`
}

// LogConfig shapes the log on standard error.
type LogConfig struct {
	Level  string `koanf:"level" about:"From which level on lines are written; empty: info for up, else warn."`
	Format string `koanf:"format" about:"How lines are written; empty: text."`
}

// PipelineConfig bounds the pipeline and its questions.
type PipelineConfig struct {
	Retention time.Duration `koanf:"retention" about:"How long the inner messages of a question are kept."`
	MaxOpen   int64         `koanf:"max_open" about:"Questions open at once; more are refused."`
	MaxLag    uint64        `koanf:"max_lag" about:"Messages that a stage may have to do before new questions wait."`
	MaxBytes  uint64        `koanf:"max_bytes" about:"Bytes stored in all streams before new questions wait; 0: by the server's store."`
	Deadline  time.Duration `koanf:"deadline" about:"Time to answer a question that names no deadline."`
	Grace     time.Duration `koanf:"grace" about:"Time to finish what is in flight when workers stop."`
	// KeepReplies and ShareWork concern models alone.
	KeepReplies int64  `koanf:"keep_replies" about:"Bytes of models' replies that are kept, so that an attempt which is repeated does not ask again; 0: none."`
	ShareWork   string `koanf:"share_work" about:"Whether questions that ask the same sub-query share the work on it; auto: where a model answers it."`
	Budget      struct {
		Rounds     int `koanf:"rounds" about:"Rounds of retrieval of a question, at most."`
		Branches   int `koanf:"branches" about:"Sub-queries of a round, at most."`
		ModelCalls int `koanf:"model_calls" about:"Calls of models for a question, embeddings not counted, at most."`
		Tokens     int `koanf:"tokens" about:"Tokens of models for a question, at most."`
	} `koanf:"budget" about:"What a question may use that names no budget of its own."`
}

// AdmissionConfig says how questions are admitted.
type AdmissionConfig struct {
	Fair        bool `koanf:"fair" about:"Give tenants their shares and interactive questions room; else questions are worked on as they come."`
	LeastWindow int  `koanf:"least_window" about:"Questions that may at least be in the pipeline, all routers together; 0: what keeps models and workers busy."`
	MostWindow  int  `koanf:"most_window" about:"Questions that may at most be in the pipeline, however much more it answers with more."`
}

// StageConfig overrides one row of the pipeline's table. Zero concurrency and
// timeout are filled in: by the table, or by the models the stage asks.
type StageConfig struct {
	Concurrency int           `koanf:"concurrency" about:"Messages worked on at once; 0: filled in, more where a model is asked."`
	AckWait     time.Duration `koanf:"ack_wait" about:"Time after which a message goes to another worker, if its own is silent."`
	Timeout     time.Duration `koanf:"timeout" about:"Time to work on a message; 0: two minutes, or, where a model is asked, as much as the question has."`
	Attempts    int           `koanf:"attempts" about:"Tries before a message becomes a dead letter."`
}

// IndexConfig says where passages are kept, and how documents are cut.
type IndexConfig struct {
	Store        string  `koanf:"store" about:"Where passages are kept: embedded, in every process (bleve), or on a server, one for all (weaviate)."`
	Memory       bool    `koanf:"memory" about:"Keep the embedded index in memory, and build it anew at every start."`
	K1           float64 `koanf:"k1" about:"BM25: how much a word's frequency counts."`
	B            float64 `koanf:"b" about:"BM25: how much a passage's length counts, 0 to 1."`
	ChunkSize    int     `koanf:"chunk_size" about:"Longest passage, in characters."`
	ChunkOverlap int     `koanf:"chunk_overlap" about:"Characters that a passage repeats of the one before; 0: 200."`
}

// Default returns the configuration where nothing is set. Stages are filled in
// by FillIn.
func Default() Config {
	c := Config{
		Data: ".hopstream", Engine: "builtin",
		NATS:    NATSConfig{Prefix: messages.DefaultPrefix},
		Engines: map[string]string{}, Models: map[string]ModelConfig{DefaultModel: modelDefaults()},
		Stages: map[string]StageConfig{},
		Pipeline: PipelineConfig{
			Retention: time.Hour, MaxOpen: 10_000, MaxLag: 50_000,
			Deadline: 5 * time.Minute, Grace: 10 * time.Second,
			KeepReplies: 256 << 20, ShareWork: shareAuto,
		},
		Tracing:   TracingConfig{Sample: 0.1},
		Admission: AdmissionConfig{Fair: true, MostWindow: 4096},
		Index:     IndexConfig{Store: storeBleve, K1: 1.2, B: 0.75, ChunkSize: 1600, ChunkOverlap: 200},
	}
	c.Answer.MinConfidence = autoConfidence
	b := messages.DefaultBudget()
	c.Pipeline.Budget.Rounds, c.Pipeline.Budget.Branches = b.Rounds, b.Branches
	c.Pipeline.Budget.ModelCalls, c.Pipeline.Budget.Tokens = b.ModelCalls, b.Tokens
	c.Storage, c.Archive = storageDefaults(), archiveDefaults()
	c.Retriever = retrieverDefaults()
	c.Web.PerSecond = 2
	c.Weaviate = weaviateDefaults()
	c.Strategy.Preset, c.Strategy.Complex = DefaultPreset, string(messages.Planned)
	c.Generator.Escalate = string(generator.EscalateOpen)
	c.Filter.Keep, c.Filter.IfNone = 3, string(filter.IfNoneBest)
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
	c.Tracing.validate(bad)
	c.validateStrategy(bad)
	c.agree(bad)
	c.validatePipeline(bad)
	if m := c.Answer.MinConfidence; (m < 0 || m > 1) && m != autoConfidence {
		bad("answer.min_confidence %v: between 0 and 1, or %v", m, autoConfidence)
	}
	c.validateLimits(bad)
	c.validateStorage(bad)
	c.validateArchive(bad)
	if c.Aligner.TopK < 1 {
		bad("aligner.top_k %d: at least 1", c.Aligner.TopK)
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
	n.validateIdentity(bad)
	if n.MaxStore < 0 || n.Replicas < 0 {
		bad("nats.max_store is at least 0, and so is nats.replicas")
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
	if f := filter.Fallback(c.Filter.IfNone); !slices.Contains(filter.Fallbacks(), f) {
		bad("filter.if_none %q: choose from %v", c.Filter.IfNone, filter.Fallbacks())
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
	c.NATS.URL, c.Tracing.Endpoint = RedactURL(c.NATS.URL), RedactURL(c.Tracing.Endpoint)
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
