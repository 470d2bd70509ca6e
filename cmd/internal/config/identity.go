package config

import (
	"regexp"
	"strings"
)

// TLSConfig names the certificates of a connection, which are PEM files and read
// again at every connection.
type TLSConfig struct {
	CA   string `koanf:"ca" about:"Certificates of the authorities that the server's is to be from; empty: the system's."`
	Cert string `koanf:"cert" about:"Certificate to show, where the server wants one; with key."`
	Key  string `koanf:"key" about:"Its private key."`
}

// InboxOf is the prefix of the subjects on which a user of the NATS server receives
// replies, and which no other user may read.
func InboxOf(user string) string { return "_INBOX." + user }

// inboxPrefix is what an inbox may begin with: tokens of a subject.
var inboxPrefix = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`)

// validateIdentity says what is wrong with how the server is told who comes.
func (n *NATSConfig) validateIdentity(bad func(string, ...any)) {
	var ways []string
	for _, way := range []struct{ key, value string }{
		{"nats.nkey", n.NKey}, {"nats.credentials", n.Credentials}, {"nats.user", n.User}, {"nats.token_file", n.TokenFile},
	} {
		if way.value != "" {
			ways = append(ways, way.key)
		}
	}
	if len(ways) > 1 {
		bad("%s: set one of them, the server knows a connection by one thing", strings.Join(ways, ", "))
	}
	if (n.User == "") != (n.PasswordFile == "") {
		bad("nats.user and nats.password_file go together")
	}
	if (n.TLS.Cert == "") != (n.TLS.Key == "") {
		bad("nats.tls.cert and nats.tls.key go together")
	}
	if n.Inbox != "" && !inboxPrefix.MatchString(n.Inbox) {
		bad("nats.inbox %q: want letters, digits, - and _, in parts separated by dots", n.Inbox)
	}
}
