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
	"hopstream/cmd/internal/secret"
	"hopstream/cmd/internal/telemetry"
	"hopstream/messages/fault"
	"hopstream/stages"
	"hopstream/stages/engine/builtin"
	"hopstream/stages/engine/builtin/weights"
	"hopstream/stages/engine/chat"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/model/ollama"
	"hopstream/stages/engine/model/openai"
	"hopstream/stages/engine/roles"
	"hopstream/stages/tracing"
)

// Engines are who answers the questions of this process's stages: the builtin
// engine, and the models of the roles that have one.
//
//	role ─▶ builtin
//	     └▶ chat ─▶ model (shared by roles) ─▶ client ─▶ server
type Engines struct {
	*roles.Set
	Models map[roles.Role]*model.Model
}

// New puts together the engine that the configuration asks for. The role of
// evaluation, equivalence, is the builtin engine's here: whoever wants a model to
// judge opens it with NewModels. Replies are kept in store, unless it is nil.
func New(c *config.Config, table []stages.Stage, reg prometheus.Registerer, tracer *tracing.Tracer, log *slog.Logger, store model.Store) (*Engines, error) {
	o := builtin.Options{Keep: c.Filter.Keep}
	if c.Builtin.Weights != "" {
		w, err := weights.Read(c.Builtin.Weights)
		if err != nil {
			return nil, fmt.Errorf("builtin.weights: %w", err)
		}
		o.Weights = w
	}
	out := &Engines{Set: builtin.New(o)}
	asked := c.WithOwnStrategies(table, c.ModelRoles(table))
	if len(asked) == 0 {
		return out, nil
	}
	var observe model.Observer
	if reg != nil || tracer.On() {
		models := &telemetry.Models{Tracer: tracer}
		if reg != nil {
			models.ModelMetrics = telemetry.NewModelMetrics(reg)
		}
		observe = models
	}
	var err error
	if out.Models, err = NewModels(c, asked, observe, log, store); err != nil {
		return nil, err
	}
	out.Set = chat.New(out.Set, out.Models, chat.Options{PerPassage: c.Filter.PerPassage, NoFallback: c.Models[config.DefaultModel].NoFallback, Observe: observe})
	return out, nil
}

// NewModels returns the roles' models. Roles of one model share it; different
// settings of one model on one server share its slots. Replies are kept in store,
// unless it is nil.
func NewModels(c *config.Config, asked []roles.Role, observe model.Observer, log *slog.Logger, store model.Store) (map[roles.Role]*model.Model, error) {
	out := map[roles.Role]*model.Model{}
	made := map[string]*model.Model{}
	slots := map[string]*model.Slots{}
	for _, r := range asked {
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
				if o, ok := observe.(*telemetry.Models); ok {
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
				Store: store, Settings: m.Manner(), Repeatable: m.Repeatable() && c.SharesWork(),
			})
		}
		out[r] = made[spec]
		if o, ok := observe.(*telemetry.Models); ok {
			o.Begin(string(r), m.Name)
			o.Price(string(r), m.Name, telemetry.Price{Prompt: m.Price.Input, Completion: m.Price.Output})
		}
	}
	return out, nil
}

// newModelClient returns the client of the model's protocol.
func newModelClient(m *config.ModelConfig) (model.Client, error) {
	if m.API == config.APIOpenAI {
		spec := openai.Spec{Model: m.Name, URL: m.URL, APIKey: m.APIKey, Options: m.Options, Logprobs: !m.NoLogprobs, Think: m.Think}
		if m.APIKeyFile != "" {
			spec.Key = func() (string, error) { return secret.Read(m.APIKeyFile) }
		}
		return openai.NewClient(spec)
	}
	return ollama.NewClient(ollama.Spec{Model: m.Name, URL: m.URL, NumCtx: m.NumCtx, Options: m.Options, KeepAlive: m.KeepAlive, Think: m.Think, Logprobs: !m.NoLogprobs})
}

// Close waits for requests that nobody waits for any more.
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

// Check asks the servers for every model, all at the same time. The errors say
// what to do. Those of servers that are away, and may come back, are in away.
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
