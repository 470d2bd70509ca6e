package engines

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/telemetry"
	"hopstream/index/searcher"
	"hopstream/messages/fault"
	"hopstream/stages"
	"hopstream/stages/assembly"
	"hopstream/stages/engine/builtin"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/ollama"
	"hopstream/stages/engine/openai"
)

// Engines are who answers the questions of this process's stages: the builtin
// engine, and the models of the roles that have one.
//
//	role ─▶ builtin
//	     └▶ ollama ─▶ model (shared by roles) ─▶ client ─▶ server
type Engines struct {
	assembly.Engine
	searchRoles
	Equivalence // the builtin engine's: a model that judges is opened by who asks it
	Models      map[ollama.Role]*model.Model
}

// Equivalence judges whether a prediction means the same as one of the gold
// answers (MGA-RAG's accuracy).
type Equivalence interface {
	Equivalent(ctx context.Context, question, prediction string, golds []string) (bool, error)
}

// searchRoles are the roles that searchers ask.
type searchRoles struct {
	searcher.Rewriter
	searcher.Operators
	searcher.Verifier
	searcher.Expander
	searcher.Hypothesiser
}

// New puts together the engine that the configuration asks for.
func New(c *config.Config, table []stages.Stage, reg prometheus.Registerer, log *slog.Logger) (*Engines, error) {
	plain := builtin.New(builtin.Options{Keep: c.Filter.Keep})
	out := &Engines{Engine: plain, searchRoles: searchRoles{plain, plain, plain, plain, plain}, Equivalence: plain}
	roles := c.WithOwnStrategies(table, c.ModelRoles(table))
	if len(roles) == 0 {
		return out, nil
	}
	var observe model.Observer
	if reg != nil {
		observe = telemetry.NewModelMetrics(reg)
	}
	var err error
	if out.Models, err = NewModels(c, roles, observe, log); err != nil {
		return nil, err
	}
	o := ollama.Options{PerPassage: c.Filter.PerPassage, Observe: observe}
	if !c.Models[config.DefaultModel].NoFallback {
		o.Fallback = plain
	}
	asked := ollama.New(out.Models, o)
	parts := assembly.Roles{Classifier: plain, Splitter: plain, Refiner: plain, Planner: plain, Reviser: plain, Supplementer: plain,
		Relevance: plain, Embedder: plain, Answerer: plain, Fuser: plain, Summariser: plain, Synthesizer: plain, Director: plain, Sufficiency: plain}
	for r := range out.Models {
		switch r {
		case ollama.Router:
			parts.Classifier = asked
		case ollama.Decomposer:
			parts.Splitter = asked
		case ollama.Refiner:
			parts.Refiner = asked
		case ollama.Planner:
			parts.Planner = asked
		case ollama.Reviser:
			parts.Reviser = asked
		case ollama.Supplementer:
			parts.Supplementer = asked
		case ollama.Relevance:
			parts.Relevance = asked
		case ollama.Embedder:
			parts.Embedder = asked
		case ollama.Answerer, ollama.ScaleAnswerer:
			parts.Answerer = asked
		case ollama.Fusion:
			parts.Fuser = asked
		case ollama.Summariser:
			parts.Summariser = asked
		case ollama.Synthesis:
			parts.Synthesizer = asked
		case ollama.Direct:
			parts.Director = asked
		case ollama.Judge:
			parts.Sufficiency = asked
		case ollama.Keywords:
			out.Rewriter = asked
		case ollama.Refinement:
			out.Operators = asked
		case ollama.Verifier:
			out.Verifier = asked
		case ollama.PseudoDocument:
			out.Expander = asked
		case ollama.Hypothesiser:
			out.Hypothesiser = asked
		}
	}
	out.Engine = parts
	return out, nil
}

// NewModels returns the roles' models. Roles of one model share it; different
// settings of one model on one server share its slots.
func NewModels(c *config.Config, roles []ollama.Role, observe model.Observer, log *slog.Logger) (map[ollama.Role]*model.Model, error) {
	out := map[ollama.Role]*model.Model{}
	made := map[string]*model.Model{}
	slots := map[string]*model.Slots{}
	for _, r := range roles {
		m := c.Model(r)
		spec := fmt.Sprint(m)
		if made[spec] == nil {
			client, err := newModelClient(&m)
			if err != nil {
				return nil, fmt.Errorf("models.%s: %w", r, err)
			}
			at := m.String()
			if slots[at] == nil {
				slots[at] = model.NewSlots(m.Concurrency)
				if o, ok := observe.(*telemetry.ModelMetrics); ok {
					o.Concurrency(m.Name, m.Concurrency)
				}
			}
			thinking := 0
			if m.Thinks() {
				thinking = m.ThinkTokens
			}
			made[spec] = model.New(client, model.Options{
				Name: m.Name, Server: config.RedactURL(m.URL), NumCtx: m.NumCtx, Slots: slots[at], MaxTokens: m.MaxTokens, Thinking: thinking,
				Timeout: m.Timeout, Batch: m.Batch, Cache: m.Cache, CacheTTL: m.CacheTTL, Observe: observe, Log: log,
			})
		}
		out[r] = made[spec]
		if o, ok := observe.(*telemetry.ModelMetrics); ok {
			o.Begin(string(r), m.Name)
		}
	}
	return out, nil
}

// newModelClient returns the client of the model's protocol.
func newModelClient(m *config.ModelConfig) (model.Client, error) {
	if m.API == config.APIOpenAI {
		return openai.NewClient(openai.Spec{Model: m.Name, URL: m.URL, APIKey: m.APIKey, Options: m.Options, Logprobs: !m.NoLogprobs, Think: m.Think})
	}
	return ollama.NewClient(ollama.Spec{Model: m.Name, URL: m.URL, NumCtx: m.NumCtx, Options: m.Options, KeepAlive: m.KeepAlive, Think: m.Think, Logprobs: !m.NoLogprobs})
}

// Close waits for requests whose callers have left.
func (e *Engines) Close() {
	if e == nil {
		return
	}
	for _, m := range e.Models {
		m.Close()
	}
}

// CheckTime bounds the questions asked of a server before work starts.
const CheckTime = 15 * time.Second

// Check asks the servers for every model, all at once. The errors say what to
// do; away are those of servers that may come back.
func (e *Engines) Check(ctx context.Context) (wrong, away error) {
	ctx, cancel := context.WithTimeout(ctx, CheckTime)
	defer cancel()
	asked := map[*model.Model]bool{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, m := range e.Models {
		if asked[m] {
			continue
		}
		asked[m] = true
		wg.Go(func() {
			if err := m.Check(ctx); err != nil {
				mu.Lock()
				defer mu.Unlock()
				if class, _ := fault.Of(err); class == fault.Permanent {
					wrong = errors.Join(wrong, err)
				} else {
					away = errors.Join(away, err)
				}
			}
		})
	}
	wg.Wait()
	return wrong, away
}
