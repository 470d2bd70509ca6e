// Package docstream keeps all documents in one JetStream stream, and stores of
// passages up to date with it.
//
// Into the stream:
//
//	stream.go      Config, Ensure: what the stream is; what JetStream's errors ask for
//	publish.go     Publish, Publisher: documents stored, unchanged ones skipped
//	write.go       one document stored: its message, who may replace it, retries
//	stored.go      Stored, Publisher.Look: what the stream holds under an ID
//	list.go        the IDs of what it holds, all or parts of documents only
//
// Out of it, into one store:
//
//	follow.go      Follower: follows until it is told to end, through all faults
//	session.go     from one fault to the next: a consumer, batches, Apply
//	catchup.go     past messages at the stream's end that are gone
//	progress.go    Progress: how far the store is, and waiting for it
//
// Where several processes share a store:
//
//	lease.go       Lease: one of them at a time fills it
//	lease_hold.go  while it is held: renewed, lost, given back
//
// A store notes its position in the same batch as the documents, so a follower
// that is killed goes on where the store is. A stream that was deleted, purged
// or made anew has another identity or an earlier end: then the store is
// emptied and filled again.
package docstream
