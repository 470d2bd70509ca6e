// Package storage bounds what the pipeline keeps, and tells how much that is.
//
//	group.go  Group: streams that are kept alike; Groups: all of them, and their bounds
//	usage.go  Usage: what a group holds
//	trim.go   Trimmer: drops the oldest of what is over its bound
//
// Age alone bounds nothing: a trace kept for an hour is as large as the hour was
// busy. So traces, answers and dead letters have a bound in bytes and one in
// messages too (each message costs the server memory, as long as it is stored).
//
// A server's own bound would not do. Where it drops the oldest messages it does
// not know which questions are still open; where it refuses new ones it stops the
// questions at work too. So the oldest messages are dropped from here, whole
// traces at a time, and only what nobody needs any more:
//
//   - of a trace, what was stored before the oldest question that is open
//   - of the answers, none younger than inner messages get, none of an open
//     question, and none that a scheduled archive has yet to write
//
// What remains over the bound all the same closes the router's gate, so that
// further questions wait and then are refused, until there is room. What is
// accepted is never lost.
package storage
