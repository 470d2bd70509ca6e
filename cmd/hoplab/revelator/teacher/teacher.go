package teacher

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/engines"
	"hopstream/messages/fault"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

// role is whose model is asked: that of evaluation, which no stage asks. So the
// teacher can be another model than those that are trained.
const role = roles.Equivalence

// Configured reports whether there is a model to ask.
func Configured(c *config.Config) bool { return c.EngineOf(role) == config.EngineOllama }

// Teacher is a model that writes and labels. It is safe for concurrent use.
type Teacher struct {
	m       *model.Model
	journal *Journal
	atOnce  int
	pause   func(ctx context.Context, d time.Duration) error
}

// New returns a teacher that asks m, atOnce requests at a time, and keeps the
// replies in journal; nil keeps none.
func New(m *model.Model, atOnce int, journal *Journal) *Teacher {
	return &Teacher{m: m, journal: journal, atOnce: atOnce, pause: pause}
}

// Open returns the teacher that is configured, with its replies in the journal at
// path. It fails if the model is not on its server, or the journal cannot be used.
func Open(ctx context.Context, a *cli.App, path string) (*Teacher, error) {
	models, err := engines.NewModels(&a.Config, []roles.Role{role}, nil, a.Log, nil)
	if err != nil {
		return nil, err
	}
	m := models[role]
	check, cancel := context.WithTimeout(ctx, engines.CheckTime)
	defer cancel()
	err = m.Check(check)
	var journal *Journal
	if err == nil {
		journal, err = OpenJournal(path)
	}
	if err != nil {
		m.Close()
		return nil, err
	}
	settings := a.Config.Model(role)
	return New(m, settings.Concurrency, journal), nil
}

// Name returns the model's name.
func (t *Teacher) Name() string { return t.m.Name() }

// AtOnce is how many requests the model is to work on at a time.
func (t *Teacher) AtOnce() int { return t.atOnce }

// Close waits for requests that nobody waits for any more and closes the journal.
func (t *Teacher) Close() error {
	t.m.Close()
	return t.journal.Close()
}

// ask returns the value of the model's reply to a prompt, from the journal if it
// was asked before. ok is false if the model gave no usable one.
func ask[T any](ctx context.Context, t *Teacher, name string, d prompts.Data, q model.Question[T]) (value T, ok bool, err error) {
	p := prompts.Render(name, d)
	key := keyOf(t.m.Name(), p)
	if raw, known := t.journal.get(key); known {
		if string(raw) == "null" {
			return value, false, nil
		}
		if err := json.Unmarshal(raw, &value); err != nil {
			return value, false, fmt.Errorf("the journal's reply %s: %w", key, err)
		}
		return value, true, nil
	}
	q.Role = name
	q.Messages = func(int) []model.Message {
		return []model.Message{{Role: "system", Text: p.System}, {Role: "user", Text: p.User}}
	}
	reply, err := patiently(ctx, t, q)
	_, unusable := errors.AsType[*model.ReplyError](err)
	if err != nil && !unusable && !errors.Is(err, model.ErrTooLong) {
		return value, false, err
	}
	if err != nil {
		return value, false, t.journal.put(key, nil)
	}
	return reply.Value, true, t.journal.put(key, reply.Value)
}

// tries is how often a request is made at most while its server is away or busy.
const tries = 6

// patiently asks again, after a pause that doubles, where a server is away.
func patiently[T any](ctx context.Context, t *Teacher, q model.Question[T]) (model.Answer[T], error) {
	wait := time.Second
	for n := 1; ; n++ {
		reply, err := model.Ask(ctx, t.m, q)
		class, after := fault.Of(err)
		if err == nil || n == tries || class != fault.Unavailable && class != fault.Transient {
			return reply, err
		}
		if err := t.pause(ctx, max(wait, after)); err != nil {
			return reply, err
		}
		wait *= 2
	}
}

// pause waits for d, or until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
