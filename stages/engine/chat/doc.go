// Package ollama is the engine that asks a language model: one file per role,
// each a prompt, the smallest schema that holds its answer, and what to make
// of the reply. The models stand behind Ollama's API (client.go), or any other
// that model.Client is written for.
package chat
