package config

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/ollama/ollama/envconfig"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/engine/roles"
)

// ModelConfig is a model on a server. A role's zero fields are the default
// model's; the default model's are filled in.
type ModelConfig struct {
	Name        string         `koanf:"name" about:"Name of the model on its server."`
	URL         string         `koanf:"url" about:"URL of its server; empty: OLLAMA_HOST, else http://127.0.0.1:11434."`
	API         string         `koanf:"api" about:"ollama, or openai for servers compatible with it."`
	APIKey      string         `koanf:"api_key" about:"Key of an openai server. It is never printed."`
	APIKeyFile  string         `koanf:"api_key_file" about:"File with the key of an openai server, instead of api_key. It is read for each request, so that it can be replaced."`
	NumCtx      int            `koanf:"num_ctx" about:"Tokens of prompt and reply together."`
	MaxTokens   int            `koanf:"max_tokens" about:"Tokens of a reply, at most."`
	Concurrency int            `koanf:"concurrency" about:"Requests to the model at once; of those that wait the most urgent goes next."`
	Timeout     time.Duration  `koanf:"timeout" about:"Time for a reply, after which the server counts as hung; questions that have less left wait less."`
	KeepAlive   string         `koanf:"keep_alive" about:"How long the server keeps the model in memory, such as 10m; empty: as the server does."`
	Think       string         `koanf:"think" about:"Whether the model thinks first: false, true, low, medium or high; empty: as the server does."`
	ThinkTokens int            `koanf:"think_tokens" about:"Tokens on top of max_tokens, where the model thinks."`
	NoLogprobs  bool           `koanf:"no_logprobs" about:"Do not ask for the likelihoods of tokens."`
	NoFallback  bool           `koanf:"no_fallback" about:"An unusable reply fails its sub-query; else the builtin engine answers."`
	Batch       int            `koanf:"batch" about:"Texts per embedding request."`
	Cache       int            `koanf:"cache" about:"Replies and vectors kept in memory; 0: none."`
	CacheTTL    time.Duration  `koanf:"cache_ttl" about:"How long a cached reply is used; 0: until it is pushed out."`
	Price       ModelPrice     `koanf:"price" about:"What the model costs, in any one currency, per million tokens; 0: nothing."`
	Options     map[string]any `koanf:"options" about:"Options as the server names them: temperature, seed, and so on."`
}

// ModelPrice is what a model costs, per million tokens. The currency is the
// user's; all models' prices are in the same one.
type ModelPrice struct {
	Input  float64 `koanf:"input" about:"Price of a million tokens of prompts."`
	Output float64 `koanf:"output" about:"Price of a million tokens of replies."`
}

// What models and engines are called in the configuration.
const (
	DefaultModel  = "default" // the model whose settings other roles' models take over
	EngineBuiltin = "builtin"
	EngineOllama  = "ollama"
	apiOllama     = "ollama"
	APIOpenAI     = "openai"
)

func modelDefaults() ModelConfig {
	return ModelConfig{
		Name: "llama3.1:8b", API: apiOllama, NumCtx: 8192, MaxTokens: 1024, Concurrency: 8, Timeout: 2 * time.Minute,
		ThinkTokens: 2048, Batch: 64, Options: map[string]any{"temperature": 0},
	}
}

// Model returns the model of a role, with everything filled in.
func (c *Config) Model(r roles.Role) ModelConfig {
	m, d := c.Models[string(r)], c.Models[DefaultModel]
	if m.URL == "" && m.API != "" && m.API != d.API { // another kind of server is another server
		d.URL, d.APIKey, d.APIKeyFile = "", "", ""
	}
	if m.APIKey != "" || m.APIKeyFile != "" { // a role's key stands in one place
		d.APIKey, d.APIKeyFile = "", ""
	}
	m = m.or(d)
	if m.URL == "" && m.API == apiOllama {
		m.URL = envconfig.Host().String()
	}
	return m
}

// or fills m's zero fields from d.
func (m ModelConfig) or(d ModelConfig) ModelConfig {
	to, from := reflect.ValueOf(&m).Elem(), reflect.ValueOf(d)
	for i := range to.NumField() {
		if to.Field(i).IsZero() {
			to.Field(i).Set(from.Field(i))
		}
	}
	return m
}

// How many messages a process works on at once in a stage that asks a model. Nearly
// all of them wait for a slot of the model, which goes to the most urgent one; but
// only those that a worker holds can be compared. One in the queue behind them is
// not seen, however urgent it is, and its question may expire there.
//
// What is nearer to its answer goes first, so that what waits, waits before the
// router: it holds as many questions as a bulk run has open, and more. Behind it
// only the branches of questions under way wait.
//
// What a process holds, no other can work on. The server deals new messages out to
// the processes in turn, so that each gets its part of what comes; of what had
// piled up before, the process that starts first takes this many.
const (
	inSight          = 256
	questionsInSight = 1024
)

// FillIn completes settings that depend on others: concurrency and timeout of
// stages, and the default model. A stage that asks a model has all of a question's
// time: what a message may take of it is the runner's affair, and how long a server
// may be silent is the model's timeout.
func (c *Config) FillIn() {
	defer c.fillInWindow()
	c.Models[DefaultModel] = c.Models[DefaultModel].or(modelDefaults())
	for _, row := range stages.Pipeline() {
		s, ok := c.Stages[row.Name]
		if !ok {
			continue
		}
		concurrency, timeout := row.Concurrency, row.Timeout
		if asked := c.ModelRoles([]stages.Stage{row}); len(asked) > 0 {
			concurrency = inSight
			if row.Input == messages.KindQuestion {
				concurrency = questionsInSight
			}
			for _, r := range asked {
				m := c.Model(r)
				concurrency = max(concurrency, 4*m.Concurrency)
			}
			timeout = max(timeout, c.Pipeline.Retention) // which no question outlasts
		}
		s.Concurrency, s.Timeout = cmp.Or(s.Concurrency, concurrency), cmp.Or(s.Timeout, timeout)
		c.Stages[row.Name] = s
	}
}

// validateModels says what is wrong with engines and models.
func (c *Config) validateModels(bad func(string, ...any)) {
	engines := []string{EngineBuiltin, EngineOllama}
	if !slices.Contains(engines, c.Engine) {
		bad("engine %q: choose builtin or ollama", c.Engine)
	}
	names := roles.Names()
	for _, role := range slices.Sorted(maps.Keys(c.Engines)) {
		if !slices.Contains(names, roles.Role(role)) {
			bad("engines.%s: there is no such role: choose from %v", role, names)
		}
		if !slices.Contains(engines, c.Engines[role]) {
			bad("engines.%s: %q: choose builtin or ollama", role, c.Engines[role])
		}
	}
	if a, b := c.EngineOf(roles.Answerer), c.EngineOf(roles.ScaleAnswerer); a != b {
		bad("engines.answerer is %s and engines.scale_answerer is %s: they are one question asked of different texts; choose one engine for both", a, b)
	}
	for _, role := range slices.Sorted(maps.Keys(c.Models)) {
		if role != DefaultModel && !slices.Contains(names, roles.Role(role)) {
			bad("models.%s: there is no such role: choose from default, %v", role, names)
		}
	}
	same := map[string]ModelConfig{}
	of := map[string]roles.Role{}
	for _, r := range roles.Names() {
		if c.EngineOf(r) != EngineOllama {
			continue
		}
		m := c.Model(r)
		m.validate(func(format string, args ...any) { bad("models.%s: "+format, append([]any{r}, args...)...) })
		key := m.URL + " " + m.Name
		if o, ok := same[key]; ok && (o.NumCtx != m.NumCtx || o.Concurrency != m.Concurrency) {
			bad("models.%s and models.%s are one model on one server: give them the same num_ctx (another one makes the server load the model again) and the same concurrency", of[key], r)
		}
		same[key], of[key] = m, r
	}
}

func (m *ModelConfig) validate(bad func(string, ...any)) {
	if m.Name == "" {
		bad("name a model")
	}
	if m.API != apiOllama && m.API != APIOpenAI {
		bad("api %q: choose ollama or openai", m.API)
	}
	if _, ok := httpURL(m.URL); !ok {
		bad("url %q: want http://host:port", RedactURL(m.URL))
	}
	m.validateKey(bad)
	if m.NumCtx < 512 || m.MaxTokens < 16 || m.MaxTokens > m.NumCtx/2 {
		bad("num_ctx is at least 512, max_tokens between 16 and half of num_ctx")
	}
	if m.Concurrency < 1 || m.Batch < 1 || m.Cache < 0 || m.ThinkTokens < 0 || m.Timeout < 100*time.Millisecond {
		bad("concurrency and batch are at least 1, timeout at least 100ms")
	}
	if !(m.Price.Input >= 0 && m.Price.Output >= 0) { // NaN is neither
		bad("price: input and output are at least 0")
	}
	if !slices.Contains([]string{"", "false", "true", "low", "medium", "high"}, m.Think) {
		bad("think %q: choose false, true, low, medium or high", m.Think)
	}
	if m.Thinks() && m.MaxTokens+m.ThinkTokens > m.NumCtx*3/4 {
		bad("max_tokens and think_tokens leave less than a quarter of num_ctx for the prompt")
	}
}

func (m *ModelConfig) validateKey(bad func(string, ...any)) {
	if m.APIKey != "" && m.APIKeyFile != "" {
		bad("set api_key or api_key_file, not both")
	}
	if m.APIKeyFile != "" && m.API != APIOpenAI {
		bad("api_key_file: only an openai server takes a key")
	}
}

// EmbedderName names who makes vectors: vectors of different names do not compare.
func (c *Config) EmbedderName() string {
	if c.EngineOf(roles.Embedder) == EngineBuiltin {
		return EngineBuiltin
	}
	m := c.Model(roles.Embedder)
	return m.API + " " + m.Name
}

// WhoAnswers names the models that are asked, or says that there is none.
func (c *Config) WhoAnswers() string {
	seen := map[string]bool{}
	var names []string
	for _, r := range roles.Names() {
		if m := c.Model(r); c.EngineOf(r) == EngineOllama && !seen[m.String()] {
			seen[m.String()] = true
			names = append(names, m.String())
		}
	}
	if len(names) == 0 {
		return "the engine is builtin, no model"
	}
	return "the models are " + strings.Join(names, ", ")
}

// Manner says how the model is asked, as far as that decides what it replies:
// beside the model itself, its context, and how tokens are sampled.
func (m *ModelConfig) Manner() string {
	return fmt.Sprint(m.API, m.NumCtx, m.Think, m.Options) // maps are printed in order
}

// Repeatable reports whether the same request always gets the same reply: the
// likeliest token is taken every time.
func (m *ModelConfig) Repeatable() bool {
	t, ok := m.Options["temperature"]
	return ok && fmt.Sprint(t) == "0"
}

// Thinks reports whether the model thinks before it replies.
func (m *ModelConfig) Thinks() bool { return m.Think != "" && m.Think != "false" }

// String names model and server.
func (m *ModelConfig) String() string { return fmt.Sprintf("%s at %s", m.Name, RedactURL(m.URL)) }

// fillInWindow sets the least window, unless it is set: what keeps the slots of the
// busiest model busy, with as much again for each that is in another stage, and so on
// for a question's usual four, and 64 at least. Where no model is asked a question
// takes a millisecond or so, and the cost of fetches counts: twice as many make each
// worth more.
func (c *Config) fillInWindow() {
	if c.Admission.LeastWindow > 0 {
		return
	}
	asking, least := c.ModelRoles(stages.Pipeline()), 64
	if len(asking) == 0 {
		least = 128
	}
	for _, r := range asking {
		least = max(least, 4*c.Model(r).Concurrency)
	}
	c.Admission.LeastWindow = min(least, max(1, c.Admission.MostWindow))
}
