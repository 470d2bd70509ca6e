// Package telemetry is what a process shows of itself as Prometheus metrics, beside
// those of the stages' runner.
//
//	registry.go  a registry with the figures of the process and its build
//	lag.go       how far stages and index are behind, read at each scrape
//	models.go    calls of models
//	searches.go  searches
package telemetry
