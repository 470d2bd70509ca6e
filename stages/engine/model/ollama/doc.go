// Package ollama is a model.Client for servers that speak Ollama's HTTP API.
// It neither queues nor retries: it makes one request and says of every error
// what class of fault it is.
//
// The files, in reading order:
//
//	client.go   Spec, NewClient, Check: is the server there, has it the model
//	chat.go     Chat: one reply, streamed
//	stream.go   … put together, and given up where a model repeats itself
//	embed.go    Embed: vectors of texts
//	fault.go    what an error means: permanent, a while, transient
//	http.go     the transport
package ollama
