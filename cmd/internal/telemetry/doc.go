// Package telemetry is what a process shows of itself: Prometheus metrics, beside
// those of the stages' runner, and OpenTelemetry spans.
//
//	registry.go  a registry with the figures of the process and its build
//	build.go     what the program was built from
//	lag.go       how far stages and index are behind, read at each scrape
//	storage.go   what the server stores, read at each scrape
//	models.go    calls of models
//	searches.go  searches
//	tracing.go   spans exported over OTLP, as configured
//	tail.go      those of questions that are not sampled, kept until they end
//	exported.go  an exporter that says when it cannot
//	spans.go     the spans of searches and of calls of models
//	logs.go      a question's ID and trace in the lines of the log
package telemetry
