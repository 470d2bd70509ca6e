// Package serve runs a node as a service, until a signal.
//
//	serve.go  Run: what starts when, and ends when
//	http.go   /metrics, /healthz, /readyz
//	token.go  what guards them
//	ask.go    the NATS micro service that answers questions
//	search.go likewise, for passages
//	refuse.go how either says no
package serve
