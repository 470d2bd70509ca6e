// Package eval measures the pipeline's answers on data sets.
//
//	eval.go      Options; Run: every data set with every system
//	ablation.go  systems: a preset, and presets with a part left out
//	run.go       one system on one data set: ask, measure, keep the records
//	live.go      a pipeline over a data set's passages
//	trail.go     what each stage did for a question, read from its messages
//	score.go     an answer, and what each stage left, compared with the gold
//	gold.go      what an answer has to name, and what retrieval has to find
//	judge.go     a model that judges whether answers mean the same
//	oracle.go    an engine that plans and reads by the gold
//	report.go    figures as table, JSON and page
package eval
