// Package broker finds the NATS server of a command, or runs it.
//
//	connect.go    Conn; Connect: the server configured, one that runs on the data folder, or our own
//	identity.go   TLS, and as which user a connection comes
//	grants.go     what users may do where the pipeline is configured so
//	embedded.go   a server in this process, and the lock on its data folder
//	record.go     the file that tells other processes where that server listens
//	serverlog.go  what that server logs
package broker
