package main

import "hopstream/stages/engine/ollama"

// searcherRoles are the roles that the retriever's searchers ask.
var searcherRoles = map[string][]ollama.Role{
	searchSparse:   {ollama.Keywords, ollama.Refinement, ollama.Verifier},
	searchDense:    {ollama.Embedder, ollama.PseudoDocument, ollama.Verifier},
	searchWeaviate: {ollama.Embedder},
	searchIntents:  {ollama.Hypothesiser},
}
