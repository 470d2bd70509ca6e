package main

import "hopstream/stages/engine/ollama"

// The searchers that ask an engine for more than vectors.
const (
	searchSparse  = "sparse"  // keywords, refined until they suffice
	searchIntents = "intents" // a query per statement of a hypothetical answer
)

// searcherRoles are the roles that the retriever's searchers ask.
var searcherRoles = map[string][]ollama.Role{
	searchSparse:  {ollama.Keywords, ollama.Refinement, ollama.Verifier},
	searchDense:   {ollama.PseudoDocument, ollama.Verifier},
	searchIntents: {ollama.Hypothesiser},
}
