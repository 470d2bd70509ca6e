package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Client speaks to one model on one server. It neither queues nor retries:
// it makes one request and says of every error what class of fault it is
// (package fault), so that whoever retries knows what to do. It is safe for
// concurrent use.
type Client interface {
	// Chat asks for one reply. A reply that arrived whole is returned however
	// useless its content is.
	Chat(ctx context.Context, r *Chat) (*Reply, error)
	// Embed returns one vector per text.
	Embed(ctx context.Context, texts []string) (*Vectors, error)
	// Check asks the server whether it is there and has the model. The errors
	// are those of Chat.
	Check(ctx context.Context) error
}

// Chat is one request for a reply.
type Chat struct {
	Messages []Message
	// Schema is the JSON schema the reply is held to; empty means free text.
	Schema json.RawMessage
	// MaxTokens bounds the reply.
	MaxTokens int
	// Text, if not nil, gets the reply's text piece by piece as it comes, without
	// the thinking that the server tells apart, and before Chat returns. It must
	// not block. What does not stream gives it once or never, and a reply that was
	// kept, or that another caller asked for, never: nobody may depend on it.
	Text func(piece string)
}

// Message is a turn of a chat.
type Message struct {
	Role string // system, user or assistant
	Text string
}

// Reply is what a model said.
type Reply struct {
	Text string
	// Thinking is how many bytes the model thought aloud; they are not kept.
	Thinking int
	// Cut is set where the reply ended at MaxTokens, or because the model
	// began to repeat itself and the server gave it up.
	Cut bool
	// PromptTokens and CompletionTokens are the server's count; 0 where it
	// does not tell.
	PromptTokens, CompletionTokens int
	// Tokens are the reply's tokens with their log probabilities, where the
	// server gives them.
	Tokens []Token
}

// Token is a piece of a reply.
type Token struct {
	Text    string
	Logprob float64 // natural logarithm
}

// Vectors are embeddings, all of one length.
type Vectors struct {
	Vectors      [][]float32
	PromptTokens int
}

// ErrTooLong says that the server refused a prompt because it does not fit
// the model's context. It is a permanent fault.
var ErrTooLong = errors.New("the prompt does not fit the model's context")

// UnknownModelError says that a server does not have a model. It is a
// permanent fault.
type UnknownModelError struct {
	Model, Server string
	Remedy        string // what to do about it, such as "ollama pull NAME"
}

// Error names the model, the server and the remedy.
func (e *UnknownModelError) Error() string {
	return fmt.Sprintf("%s has no model %q: %s", e.Server, e.Model, e.Remedy)
}
