// Package train fits what the built-in engine learned: which unit of the
// passages answers a question, which span of it, what form the answer has, and
// how far it can be trusted; of which class a question is, and what it nests.
//
//	run.go      Run: reading, fitting, measuring, writing
//	example.go  Example: a question, what is right, and the passages found
//	public.go   examples of a data set
//	docs.go     examples of questions over documents as people have them
//	gold.go     what of the passages is right
//	fit.go      Fit: all weights from examples
//	routes.go   Routes, FitRouter: the router, on data sets of the four classes
//	draw.go     what is drawn from a question set
//	nests.go    Nests, FitNests: how questions are taken apart, on sets that say their steps
//	routed.go   MeasureRouter: what it is worth
//	report.go   Measure: what they are worth on examples that they did not see
//
// Everything is fitted by linear.Fit. The trust in answers is fitted on what
// weights say that were fitted on other examples: on their own they are surer
// than they may be.
package train
