// Package web searches the open web through a SearXNG server of the
// operator's: what other engines show of a page becomes a passage (LevelRAG's
// web searcher). Pages themselves are never fetched.
//
//	query ─▶ without commands ─▶ rate limit ─▶ GET /search?format=json ─▶ results, infoboxes
//	                                                       ─▶ plain text, each address once ─▶ passages
//
// Everything that comes back was written by strangers: it is bounded, taken
// out of its HTML and rid of control characters, and only http and https
// addresses pass.
//
// In reading order:
//
//	web.go      New, Client, Search
//	text.go     what strangers wrote, as plain text
//	request.go  one request, limited in rate, time and size
//	decode.go   the server's JSON as passages
//	fault.go    what should happen after an error
package web
