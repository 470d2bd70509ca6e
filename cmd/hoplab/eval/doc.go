// Package eval measures the pipeline's answers on data sets.
//
//	eval.go      Options; Run: every data set with every system
//	ablation.go  systems: a preset, and presets with a part left out
//	run.go       one system on one data set: ask, measure, keep the records
//	trail.go     what a question's messages tell of its way
//	score.go     an answer and its way against the gold
//	gold.go      what is wanted of a question
//	judge.go     a model that judges whether answers mean the same
//	oracle.go    the gold in place of whoever plans and reads
//	report.go    figures as table, JSON and page
package eval
