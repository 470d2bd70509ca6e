// Package chat is the engine that asks language models.
//
//	Set ─▶ engine ─▶ ask ─▶ model.Ask ─▶ server
//	 │                 └ prompt with its data, form of the reply
//	 └▶ base, for the roles without a model and for replies that cannot be used
//
// The files, in reading order:
//
//	engine.go  New: which roles ask a model, and who answers in its place;
//	           ask: a prompt, asked of a role's model
//	form.go    the forms of replies: schema, longest reply, how it is read, and
//	           which words say that there is nothing
//	quotes.go  what an answer rests on: quotes and sources, none by default
//	items.go   answers that are lists, and what supports them
//	records.go items with fields, where several things are asked of each
//
// and a file for each role: the data that its prompt shows, the form of its
// reply, what is made of it, and when no model needs to be asked. In the order
// of the stages and searchers that ask:
//
//	router.go
//	decomposer.go, refiner.go, planner.go, reviser.go, atomiser.go,
//	supplementer.go
//	keywords.go, refinement.go, verifier.go, pseudo_document.go, hypothesiser.go,
//	statements.go
//	relevance.go
//	embedder.go
//	answerer.go, summariser.go, fusion.go, synthesis.go, direct.go
//	judge.go, completeness.go
//	equivalence.go
package chat
