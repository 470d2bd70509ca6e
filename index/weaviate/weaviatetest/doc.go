// Package weaviatetest starts a real Weaviate server for a test.
//
//	url := weaviatetest.Start(t)
//
//	s := weaviatetest.New(t, "AUTHENTICATION_APIKEY_ENABLED=true", …)
//	s.Stop()
//	s.Start() // at the same URL, with what it had stored
//
// Tests that use it carry the build tag real.
package weaviatetest
