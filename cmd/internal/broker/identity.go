package broker

import (
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/secret"
)

// dialWait is how long a server may take to accept a connection.
const dialWait = 3 * time.Second

// identity returns by what a connection knows its server and shows who it is, as c
// says. Files are read again at every connection, so that a key, a password or a
// certificate that was replaced counts without a restart. known is called with the
// connection once there is one. It fails on files that cannot be read.
func identity(c *config.NATSConfig) (opts []nats.Option, known func(*nats.Conn), err error) {
	known = func(*nats.Conn) {}
	if c.TLS.CA != "" {
		opts = append(opts, nats.RootCAs(c.TLS.CA))
	}
	if c.TLS.Cert != "" {
		opts = append(opts, nats.ClientCert(c.TLS.Cert, c.TLS.Key))
	}
	switch {
	case c.NKey != "":
		k := &nkey{file: c.NKey}
		pair, err := k.pair()
		if err != nil {
			return nil, nil, err
		}
		public, err := pair.PublicKey()
		if err != nil {
			return nil, nil, err
		}
		opts = append(opts, nats.Nkey(public, pair.Sign), nats.SetCustomDialer(k))
		known = func(nc *nats.Conn) { k.conn.Store(nc) }
	case c.Credentials != "":
		opts = append(opts, nats.UserCredentials(c.Credentials))
	case c.User != "":
		if _, err := secret.Read(c.PasswordFile); err != nil {
			return nil, nil, fmt.Errorf("nats.password_file: %w", err)
		}
		opts = append(opts, nats.UserInfoHandler(func() (string, string) {
			password, _ := secret.Read(c.PasswordFile) // without it the server refuses, and is asked again
			return c.User, password
		}))
	case c.TokenFile != "":
		if _, err := secret.Read(c.TokenFile); err != nil {
			return nil, nil, fmt.Errorf("nats.token_file: %w", err)
		}
		opts = append(opts, nats.TokenHandler(func() string {
			token, _ := secret.Read(c.TokenFile)
			return token
		}))
	}
	if prefix := inbox(c); prefix != "" {
		opts = append(opts, nats.CustomInboxPrefix(prefix))
	}
	// A server may learn of a new key after its client, or the other way round:
	// neither is a reason to give up.
	return append(opts, nats.IgnoreAuthErrorAbort()), known, nil
}

// inbox is the prefix of the subjects on which the connection receives replies:
// as configured, or by the name of the seed's file, or the client library's own.
func inbox(c *config.NATSConfig) string {
	if c.Inbox != "" || c.NKey == "" {
		return c.Inbox
	}
	name := filepath.Base(c.NKey)
	return config.InboxOf(strings.TrimSuffix(name, filepath.Ext(name)))
}

// nkey is a key pair whose seed stands in a file. It dials for its connection, which
// gives it the key that the file has then: the client library reads a seed once.
type nkey struct {
	file string
	conn atomic.Pointer[nats.Conn] // nil while the first connection is made
}

// pair reads the file. The error does not tell what is in it.
func (k *nkey) pair() (nkeys.KeyPair, error) {
	seed, err := secret.Read(k.file)
	if err != nil {
		return nil, fmt.Errorf("nats.nkey: %w", err)
	}
	pair, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return nil, fmt.Errorf("nats.nkey: %s holds no seed of an nkey (hopstream nats users makes them)", k.file)
	}
	return pair, nil
}

// Dial connects, after it has given the connection the key that the file has now.
// The client library calls it with the connection's lock held, just before it
// reads these options.
func (k *nkey) Dial(network, address string) (net.Conn, error) {
	if nc := k.conn.Load(); nc != nil {
		pair, err := k.pair()
		if err != nil {
			return nil, err
		}
		if nc.Opts.Nkey, err = pair.PublicKey(); err != nil {
			return nil, err
		}
		nc.Opts.SignatureCB = pair.Sign
	}
	return net.DialTimeout(network, address, dialWait)
}
