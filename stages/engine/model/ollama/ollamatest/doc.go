// Package ollamatest starts a real Ollama server for a test, and gives it a
// model that needs no download: a tiny one of random weights, written here.
//
//	url := ollamatest.Start(t)
//	ollamatest.CreateTiny(t, url, "tiny")
//
// The model speaks noise, but in the shape it is asked for: a reply held to a
// schema is JSON of that schema. So the kit tests the wire, and that nonsense
// from a model breaks nothing.
//
//	server.go  Start: the server's process
//	tiny.go    CreateTiny: the model, and its layers
//	gguf.go    the file format that it is written in
//	words.go   its vocabulary
//
// Tests that use it carry the build tag real.
package ollamatest
