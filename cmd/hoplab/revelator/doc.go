// Package revelator makes HANRAG's training data out of public
// question-answering sets: what is needed to tune one model, the paper's
// Revelator, for the roles of router, decomposer, refiner, relevance filter
// and ending judge.
//
// An example is the very prompt that the engine asks, system text and user
// turn, and the very reply that it reads, so that a tuned model takes its
// place by its name in the configuration alone.
//
//	DataOptions, the command's                       data.go, folder.go
//	 │
//	Set ── questions, their gold, a corpus           set.go, chain.go, relation.go
//	 │
//	 ├─▶ Splits: what shares a document or a text    split.go, package draw
//	 │           stays together
//	 ├─▶ one maker per role                          router.go, decomposer.go, refiner.go,
//	 │     └─▶ Examples                              relevance.go, ending.go, example.go
//	 └─▶ Build ─▶ Made ─▶ Write                      build.go, write.go, recipe.go, manifest.go
//
// Package routing measures a router on the held-out questions.
//
// Which passages help is known of the gold, or labelled by a model (labels.go).
//
// A second product is the paper's benchmark of compound questions, made of simple
// ones about one thing (benchmark.go). Gold questions are joined by rules:
// Compounds (compound.go, join.go, pronoun.go). Or a model, package teacher, writes
// them about titles and names (entity.go) in data sets and own documents (own.go):
// WriteCompounds (written.go).
//
// Everything is decided by hashes of the material and a seed: the same input
// gives the same bytes, whatever the order of the files.
package revelator
