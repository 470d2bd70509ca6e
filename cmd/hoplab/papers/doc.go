// Package papers says how faithful the presets are to their papers, and measures
// them beside the published figures.
//
//	papers.go    Paper, Rule, Row: what is known of a paper, as data
//	hanrag.go, mgarag.go, levelrag.go, muisqa.go
//	             the four papers: their rules, our settings, their figures
//	fidelity.go  the table of rules; Check: do the presets hold them?
//	measure.go   the rows, run on the data sets that are there
//	beside.go    ours beside theirs
//	wire.go      without a model: the rows on samples, with a simulated one
//
// A rule names the setting that keeps it, which Check compares with the preset,
// and the tests that fail without it. Where we differ, it says why.
package papers
