// Package grants says what each user of the NATS server may do, and no more: the
// subjects that it may publish and subscribe to. The stages' follow from the
// pipeline's table, so that a new stage has its user at once. Everything that is
// not granted is refused.
//
// The files, in reading order:
//
//	grant.go   Grant and User; the users that there are
//	stage.go   what a stage needs, a row per need
//	people.go  likewise clients, who writes documents, operators, metrics, setup
//	names.go   the subjects of JetStream
//	conf.go    the users as a block of the server's configuration
//
// A user has an inbox of its own, _INBOX.NAME: nobody else receives what is replied
// to it.
package grants
