package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
)

// Role is one kind of question that a model answers.
type Role string

// The roles, in the order a question meets them.
const (
	Router         Role = "router"
	Decomposer     Role = "decomposer"
	Refiner        Role = "refiner"
	Planner        Role = "planner"
	Reviser        Role = "reviser"
	Supplementer   Role = "supplementer"
	Keywords       Role = "keywords"
	Refinement     Role = "refinement" // of a search, by its three operators
	Verifier       Role = "verifier"
	PseudoDocument Role = "pseudo_document"
	Hypothesiser   Role = "hypothesiser"
	Relevance      Role = "relevance"
	Embedder       Role = "embedder"
	Answerer       Role = "answerer"       // from whole passages
	ScaleAnswerer  Role = "scale_answerer" // from the windows of one scale
	Summariser     Role = "summariser"
	Fusion         Role = "fusion"
	Synthesis      Role = "synthesis"
	Direct         Role = "direct"
	Judge          Role = "judge"
	Equivalence    Role = "equivalence" // of an answer and those known to be right: for evaluation
)

// Roles returns every role, in order.
func Roles() []Role {
	return []Role{Router, Decomposer, Refiner, Planner, Reviser, Supplementer,
		Keywords, Refinement, Verifier, PseudoDocument, Hypothesiser,
		Relevance, Embedder, Answerer, ScaleAnswerer, Summariser, Fusion, Synthesis, Direct, Judge, Equivalence}
}

// Options adjust an engine.
type Options struct {
	// PerPassage judges relevance in one call per passage instead of one for
	// all: HANRAG's way, surer and dearer.
	PerPassage bool
	// Fallback answers where a model's reply cannot be used; nil lets the
	// question fail there.
	Fallback Fallback
	Observe  model.Observer // nobody
}

// Fallback is an engine for all roles.
type Fallback interface {
	Classify(ctx context.Context, question string) (messages.Class, error)
	Split(ctx context.Context, question string) ([]string, error)
	Refine(ctx context.Context, question string, pairs []messages.Pair) (string, error)
	Plan(ctx context.Context, question string) ([]string, error)
	Revise(ctx context.Context, question string, plan []string, pairs []messages.Pair, problem string) ([]string, error)
	Supplement(ctx context.Context, question string, pairs []messages.Pair) ([]string, error)
	Keywords(ctx context.Context, query string) ([]string, error)
	Extend(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error)
	Emphasise(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error)
	Exclude(ctx context.Context, query string, keywords []string, found []messages.Passage) (string, error)
	Verify(ctx context.Context, query string, found []messages.Passage) (bool, error)
	PseudoDocument(ctx context.Context, query string, found []messages.Passage) (string, error)
	Hypothesise(ctx context.Context, question string) ([]string, error)
	Relevant(ctx context.Context, query string, passages []messages.Passage) ([]bool, error)
	Answer(ctx context.Context, question string, windows []messages.Window) (messages.Finding, error)
	Summarise(ctx context.Context, query string, windows []messages.Window) (messages.Finding, error)
	Fuse(ctx context.Context, question string, findings []messages.Finding) (messages.Finding, error)
	Synthesize(ctx context.Context, question string, class messages.Class, pairs []messages.Pair) (messages.Finding, error)
	Direct(ctx context.Context, question string) (messages.Finding, error)
	Enough(ctx context.Context, question string, pairs []messages.Pair) (bool, error)
	Equivalent(ctx context.Context, question, prediction string, golds []string) (bool, error)
}

// Engine asks models. It is safe for concurrent use.
type Engine struct {
	models map[Role]*model.Model
	opts   Options
}

// New returns an engine that asks models[role]; a role without a model fails
// when it is asked.
func New(models map[Role]*model.Model, o Options) *Engine {
	return &Engine{models: models, opts: o}
}

// Longest replies, in tokens.
const (
	verdictTokens = 64
	listTokens    = 512
	answerTokens  = 512
)

// ask asks the role's model; where its reply cannot be used, fallback answers.
func ask[T any](ctx context.Context, e *Engine, role Role, q model.Question[T], fallback func() (T, error)) (model.Answer[T], error) {
	m := e.models[role]
	if m == nil {
		return model.Answer[T]{}, fault.Permanentf("no model is configured for role %s", role)
	}
	q.Role = string(role)
	a, err := model.Ask(ctx, m, q)
	if _, unusable := errors.AsType[*model.ReplyError](err); unusable && e.opts.Fallback != nil {
		if e.opts.Observe != nil {
			e.opts.Observe.Event(string(role), m.Name(), model.Fallback, 1)
		}
		v, err := fallback()
		return model.Answer[T]{Value: v}, err
	}
	return a, err
}

// turns are a prompt as a chat.
func turns(p prompts.Prompt) []model.Message {
	return []model.Message{{Role: "system", Text: p.System}, {Role: "user", Text: p.User}}
}

// schema returns the JSON schema of an object with one property each for the
// pairs of name and definition, in that order, all required but those whose
// name ends with a question mark.
func schema(nameAndDefinition ...string) json.RawMessage {
	properties, required := "", ""
	for i := 0; i < len(nameAndDefinition); i += 2 {
		name, optional := strings.CutSuffix(nameAndDefinition[i], "?")
		if i > 0 {
			properties += ","
		}
		properties += fmt.Sprintf("%q:%s", name, nameAndDefinition[i+1])
		if optional {
			continue
		}
		if required != "" {
			required += ","
		}
		required += fmt.Sprintf("%q", name)
	}
	return json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":[` + required + `]}`)
}

// textList is the schema of an object that holds a list of least to most texts.
func textList(name string, least, most int) json.RawMessage {
	return schema(name, fmt.Sprintf(`{"type":"array","items":{"type":"string"},"minItems":%d,"maxItems":%d}`, least, most))
}

// numbers is the definition of a list of numbers from 1 to n.
func numbers(n int) string {
	all := ""
	for i := 1; i <= n; i++ {
		if i > 1 {
			all += ","
		}
		all += fmt.Sprint(i)
	}
	return fmt.Sprintf(`{"type":"array","items":{"enum":[%s]},"maxItems":%d}`, all, n)
}

// found are the pairs as a prompt shows them.
func found(pairs []messages.Pair) []prompts.Pair {
	out := make([]prompts.Pair, len(pairs))
	for i, p := range pairs {
		out[i].Question = p.Question
		if !p.Open() {
			out[i].Answer = p.Answer
		}
	}
	return out
}
