package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"hopstream/messages/fault"
	"hopstream/stages"
	"hopstream/stages/engine/builtin"
	"hopstream/stages/engine/chat"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/model/ollama"
	"hopstream/stages/engine/model/openai"
	"hopstream/stages/engine/roles"
)

// engines are who answers the questions of this process's stages: the builtin
// engine, and the models of the roles that have one.
//
//	role ─▶ builtin
//	     └▶ chat ─▶ model (shared by roles) ─▶ client ─▶ server
type engines struct {
	*roles.Set
	models map[roles.Role]*model.Model
}

// newEngines puts together the engine that the configuration asks for. The
// evaluation's role is the builtin engine's here: a model that judges is opened
// by who asks it.
func newEngines(c *Config, table []stages.Stage, reg prometheus.Registerer, log *slog.Logger) (*engines, error) {
	out := &engines{Set: builtin.New(builtin.Options{Keep: c.Filter.Keep})}
	asked := c.withOwnStrategies(table, c.modelRoles(table))
	if len(asked) == 0 {
		return out, nil
	}
	var observe model.Observer
	if reg != nil {
		observe = observed{newModelMetrics(reg)}
	}
	var err error
	if out.models, err = newModels(c, asked, observe, log); err != nil {
		return nil, err
	}
	out.Set = chat.New(out.Set, out.models, chat.Options{PerPassage: c.Filter.PerPassage, NoFallback: c.Models[defaultModel].NoFallback, Observe: observe})
	return out, nil
}

// newModels returns the roles' models. Roles of one model share it; different
// settings of one model on one server share its slots.
func newModels(c *Config, asked []roles.Role, observe model.Observer, log *slog.Logger) (map[roles.Role]*model.Model, error) {
	out := map[roles.Role]*model.Model{}
	made := map[string]*model.Model{}
	slots := map[string]*model.Slots{}
	for _, r := range asked {
		m := c.model(r)
		spec := fmt.Sprint(m)
		if made[spec] == nil {
			client, err := m.client()
			if err != nil {
				return nil, fmt.Errorf("models.%s: %w", r, err)
			}
			at := m.String()
			if slots[at] == nil {
				slots[at] = model.NewSlots(m.Concurrency)
				if o, ok := observe.(observed); ok {
					o.concurrency(m.Name, m.Concurrency)
				}
			}
			thinking := 0
			if m.thinks() {
				thinking = m.ThinkTokens
			}
			made[spec] = model.New(client, model.Options{
				Name: m.Name, Server: redact(m.URL), NumCtx: m.NumCtx, Slots: slots[at], MaxTokens: m.MaxTokens, Thinking: thinking,
				Timeout: m.Timeout, Batch: m.Batch, Cache: m.Cache, CacheTTL: m.CacheTTL, Observe: observe, Log: log,
			})
		}
		out[r] = made[spec]
		if o, ok := observe.(observed); ok {
			o.begin(string(r), m.Name)
		}
	}
	return out, nil
}

// client returns the client of the model's protocol.
func (m *ModelConfig) client() (model.Client, error) {
	if m.API == apiOpenAI {
		return openai.NewClient(openai.Spec{Model: m.Name, URL: m.URL, APIKey: m.APIKey, Options: m.Options, Logprobs: !m.NoLogprobs, Think: m.Think})
	}
	return ollama.NewClient(ollama.Spec{Model: m.Name, URL: m.URL, NumCtx: m.NumCtx, Options: m.Options, KeepAlive: m.KeepAlive, Think: m.Think, Logprobs: !m.NoLogprobs})
}

// close waits for requests whose callers have left.
func (e *engines) close() {
	if e == nil {
		return
	}
	for _, m := range e.models {
		m.Close()
	}
}

// checkTime bounds the questions asked of a server before work starts.
const checkTime = 15 * time.Second

// check asks the servers for every model, all at once. The errors say what to
// do; away are those of servers that may come back.
func (e *engines) check(ctx context.Context) (wrong, away error) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	asked := map[*model.Model]bool{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, m := range e.models {
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

// observed shows what a model's observer is told as metrics.
type observed struct{ *modelMetrics }

func (o observed) Call(c model.Call) {
	o.call(c.Role, c.Model, string(c.Outcome), c.Queue, c.Took, c.PromptTokens, c.CompletionTokens)
}

func (o observed) InFlight(name string, delta int) { o.inFlight(name, float64(delta)) }

func (o observed) Event(role, name string, e model.Event, n int) {
	switch e {
	case model.Repaired:
		o.repair(role, name)
	case model.Unusable:
		o.unusable(role, name)
	case model.Fallback:
		o.fallback(role)
	case model.Truncated:
		o.truncated(role, name)
	case model.Dropped:
		o.dropped(role, name, n)
	}
}
