// Package papers holds tests that run each preset through the real pipeline and
// compare what it asks of models and searches for, call by call, with the
// algorithm of the paper that it stands for. There is no code in it but this map.
//
//	algorithm_test.go  steps of an algorithm as data, and whether calls follow them
//	calls_test.go      what is asked of a model's server and of the stores, as calls
//	script_test.go     a model that answers by the question's first word
//	rig_test.go        a preset as a running pipeline
//	presets_test.go    the papers' algorithms, and that the presets follow them
//	ablations_test.go  what changes where a part is left out
package papers
