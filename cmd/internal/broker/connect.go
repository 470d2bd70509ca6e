package broker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/messages"
)

// Conn is a connection to a NATS server, which may be this process's own.
type Conn struct {
	NC    *nats.Conn
	JS    jetstream.JetStream
	Names messages.Names
	URL   string // empty for an embedded server that does not listen
	// Own is set when this process runs the server. No other process then works
	// on its streams, so this one needs workers.
	Own bool

	embedded *server.Server // then set
	lock     *flock.Flock
	record   string // file that tells others our URL
	cleanup  func()
}

// joinWait is how long a data folder that is in use may take to say where its
// server listens, or to become free.
const joinWait = 3 * time.Second

// Connect finds the server: the one configured, the one of an `up` that works
// on the data folder, or a new embedded one, which listens on listen if that
// is not empty. The process that holds the folder's lock runs its server; a
// record without a lock was left behind by a process that was killed.
func Connect(ctx context.Context, cfg config.Config, listen string, log *slog.Logger) (*Conn, error) {
	if cfg.NATS.URL != "" {
		return dial(ctx, cfg, cfg.NATS.URL, log)
	}
	for start := time.Now(); ; {
		l, err := embed(cfg, listen, log)
		// The folder may be another user's, and its server still be usable.
		if err == nil || !errors.Is(err, errInUse) && !errors.Is(err, fs.ErrPermission) {
			return l, err
		}
		if listen != "" {
			if err := Unserved(cfg); err != nil {
				return nil, err
			}
		} else if url, ok := recorded(cfg.Data); ok {
			if l, derr := dial(ctx, cfg, url, log); derr == nil {
				return l, nil
			}
		}
		if !errors.Is(err, errInUse) {
			return nil, err
		}
		if time.Since(start) > joinWait {
			return nil, fmt.Errorf("%w by another hopstream process: wait for it, choose another folder with --data, or run `hopstream up` once and let the others share it", err)
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Unserved fails if another process's server runs on the data folder this one
// would run its own on.
func Unserved(cfg config.Config) error {
	if cfg.NATS.URL != "" {
		return nil
	}
	lock, err := lockData(cfg.Data)
	if url, ok := recorded(cfg.Data); ok && errors.Is(err, errInUse) {
		return fmt.Errorf("%w by a server at %s: connect to it with --nats %s, or choose another folder with --data", err, url, url)
	}
	if err == nil {
		return lock.Unlock()
	}
	return nil // connect waits, or tells
}

func dial(ctx context.Context, cfg config.Config, server string, log *slog.Logger) (*Conn, error) {
	who, known, err := identity(&cfg.NATS)
	if err != nil {
		return nil, err
	}
	nc, err := nats.Connect(server, slices.Concat(natsOptions(log), []nats.Option{nats.Timeout(dialWait)}, who)...)
	var unreadable *url.Error // which repeats the URL, password and all
	if errors.As(err, &unreadable) {
		return nil, cli.Usagef("--nats: cannot read the URL: %w: want nats://HOST:PORT", unreadable.Err)
	}
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired):
		return nil, fmt.Errorf("the NATS server at %s does not let this user in (%w): set nats.nkey, nats.credentials, nats.user or nats.token_file to one that it knows", config.RedactURL(server), err)
	case err != nil:
		return nil, fmt.Errorf("no NATS server answers at %s (%w): start one with `hopstream up` or `nats-server -js`, or leave out --nats to use the embedded one", config.RedactURL(server), err)
	}
	known(nc)
	l, err := newConn(nc, cfg)
	if err != nil {
		nc.Close()
		return nil, err
	}
	l.URL = server
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, err := l.JS.AccountInfo(ctx); err != nil {
		nc.Close()
		return nil, fmt.Errorf("the NATS server at %s has no JetStream (%w): start it with -js", config.RedactURL(server), err)
	}
	return l, nil
}

func newConn(nc *nats.Conn, cfg config.Config) (*Conn, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	names, err := messages.NewNames(cfg.NATS.Prefix)
	if err != nil {
		return nil, cli.Usage(err)
	}
	return &Conn{NC: nc, JS: js, Names: names}, nil
}

func natsOptions(log *slog.Logger) []nats.Option {
	return []nats.Option{
		nats.Name("hopstream"), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("NATS connection lost; reconnecting", "error", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) { log.Info("NATS connection is back", "url", config.RedactURL(c.ConnectedUrl())) }),
		nats.ErrorHandler(func(_ *nats.Conn, s *nats.Subscription, err error) {
			subject := ""
			if s != nil {
				subject = s.Subject
			}
			log.Warn("NATS", "error", err, "subject", subject)
		}),
	}
}

// Close disconnects, and stops the embedded server if there is one.
func (l *Conn) Close() {
	l.NC.Close()
	if l.embedded != nil {
		l.embedded.Shutdown()
		l.embedded.WaitForShutdown()
	}
	if l.record != "" {
		_ = os.Remove(l.record)
	}
	if l.lock != nil {
		_ = l.lock.Unlock()
	}
	if l.cleanup != nil {
		l.cleanup()
	}
}
