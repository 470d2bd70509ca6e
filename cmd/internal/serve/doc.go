// Package serve runs a node as a service, until a signal.
//
//	serve.go  Run: what starts when, and ends when
//	http.go   /metrics, /healthz, /readyz
//	ask.go    the NATS micro service that answers questions
//	search.go likewise, for passages
package serve
