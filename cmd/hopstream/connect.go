package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
)

// link is a connection to a NATS server, which may be this process's own.
type link struct {
	nc    *nats.Conn
	js    jetstream.JetStream
	names messages.Names
	url   string // empty for an embedded server that does not listen
	// own is set when this process runs the server: then nobody else works
	// on its streams, and this process must.
	own bool

	embedded *server.Server
	lock     *flock.Flock
	record   string // file that tells others our URL
	cleanup  func()
}

// connect finds the server: the one configured, one an `up` recorded in the
// data folder, or a new embedded one, which listens on listen if that is not
// empty.
func (a *app) connect(ctx context.Context, listen string) (*link, error) {
	if a.cfg.NATS.URL != "" {
		return dial(ctx, a.cfg, a.cfg.NATS.URL, a.log)
	}
	if url, ok := recorded(a.cfg.Data); ok {
		if l, err := dial(ctx, a.cfg, url, a.log); err == nil {
			if listen != "" {
				l.close()
				return nil, fmt.Errorf("the data folder %s is in use by a server at %s: connect to it with --nats %s, or choose another folder with --data", a.cfg.Data, url, url)
			}
			return l, nil
		}
	}
	return embed(a.cfg, listen, a.log)
}

// temporary starts an embedded server on a store that is removed on close.
func (a *app) temporary() (*link, error) {
	dir, err := os.MkdirTemp("", "hopstream-")
	if err != nil {
		return nil, err
	}
	cfg := a.cfg
	cfg.Data = dir
	l, err := embed(cfg, "", a.log)
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	l.cleanup = func() { _ = os.RemoveAll(dir) }
	return l, nil
}

func dial(ctx context.Context, cfg Config, url string, log *slog.Logger) (*link, error) {
	opts := append(natsOptions(log), nats.Timeout(3*time.Second))
	if cfg.NATS.Credentials != "" {
		opts = append(opts, nats.UserCredentials(cfg.NATS.Credentials))
	}
	nc, err := nats.Connect(url, opts...)
	if err != nil {
		return nil, fmt.Errorf("no NATS server answers at %s (%w): start one with `hopstream up` or `nats-server -js`, or leave out --nats to use the embedded one", redact(url), err)
	}
	l, err := newLink(nc, cfg)
	if err != nil {
		nc.Close()
		return nil, err
	}
	l.url = url
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, err := l.js.AccountInfo(ctx); err != nil {
		nc.Close()
		return nil, fmt.Errorf("the NATS server at %s has no JetStream (%w): start it with -js", redact(url), err)
	}
	return l, nil
}

func embed(cfg Config, listen string, log *slog.Logger) (*link, error) {
	if err := os.MkdirAll(cfg.Data, 0o755); err != nil {
		return nil, fmt.Errorf("data folder: %w: choose another with --data", err)
	}
	lock := flock.New(filepath.Join(cfg.Data, "lock"))
	if ok, err := lock.TryLock(); err != nil {
		return nil, fmt.Errorf("lock %s: %w", lock.Path(), err)
	} else if !ok {
		return nil, fmt.Errorf("another hopstream process uses the data folder %s: wait for it, choose another folder with --data, or run `hopstream up` once and let the others share it", cfg.Data)
	}
	l, err := startServer(cfg, listen, log)
	if err != nil {
		_ = lock.Unlock()
		return nil, err
	}
	l.lock = lock
	return l, nil
}

func startServer(cfg Config, listen string, log *slog.Logger) (*link, error) {
	opts := &server.Options{
		ServerName: "hopstream", JetStream: true, StoreDir: filepath.Join(cfg.Data, "nats"),
		DontListen: listen == "", NoSigs: true, NoLog: true, MaxPayload: 8 << 20,
	}
	if cfg.NATS.Sync > 0 {
		opts.SyncInterval = cfg.NATS.Sync
	}
	if listen != "" {
		host, port, err := net.SplitHostPort(listen)
		if err != nil {
			return nil, usagef("--listen %q: want HOST:PORT, such as 127.0.0.1:4222", listen)
		}
		if opts.Port, err = strconv.Atoi(port); err != nil {
			return nil, usagef("--listen %q: %q is no port", listen, port)
		}
		if opts.Port == 0 {
			opts.Port = server.RANDOM_PORT
		}
		opts.Host = host
		// The server itself would end the process on a port in use.
		probe, err := net.Listen("tcp", net.JoinHostPort(host, port))
		if err != nil {
			return nil, fmt.Errorf("cannot listen on %s: %w: choose another address with --listen", listen, err)
		}
		_ = probe.Close()
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return nil, fmt.Errorf("embedded NATS server: %w", err)
	}
	fatal := newServerLog(log)
	s.SetLoggerV2(fatal, false, false, false)
	s.Start()
	stop := func() {
		s.Shutdown()
		s.WaitForShutdown()
	}
	if !s.ReadyForConnections(15 * time.Second) {
		stop()
		return nil, fmt.Errorf("the embedded NATS server did not start on %s: %s", opts.StoreDir, fatal.last())
	}
	if !s.JetStreamEnabled() {
		stop()
		return nil, fmt.Errorf("the embedded NATS server could not open its store %s: %s", opts.StoreDir, fatal.last())
	}
	nc, err := nats.Connect("", append(natsOptions(log), nats.InProcessServer(s))...)
	if err != nil {
		stop()
		return nil, err
	}
	l, err := newLink(nc, cfg)
	if err != nil {
		stop()
		return nil, err
	}
	l.own, l.embedded = true, s
	if listen != "" {
		l.url = s.ClientURL()
		l.record = filepath.Join(cfg.Data, recordFile)
		if err := writeRecord(l.record, l.url); err != nil {
			l.close()
			return nil, err
		}
	}
	return l, nil
}

func newLink(nc *nats.Conn, cfg Config) (*link, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	names, err := messages.NewNames(cfg.NATS.Prefix)
	if err != nil {
		return nil, usageError{err}
	}
	return &link{nc: nc, js: js, names: names}, nil
}

func natsOptions(log *slog.Logger) []nats.Option {
	return []nats.Option{
		nats.Name("hopstream"), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("NATS connection lost; reconnecting", "error", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) { log.Info("NATS connection is back", "url", redact(c.ConnectedUrl())) }),
		nats.ErrorHandler(func(_ *nats.Conn, s *nats.Subscription, err error) {
			subject := ""
			if s != nil {
				subject = s.Subject
			}
			log.Warn("NATS", "error", err, "subject", subject)
		}),
	}
}

// close disconnects, and stops the embedded server if there is one.
func (l *link) close() {
	l.nc.Close()
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

// recordFile tells other commands where the data folder's server listens.
const recordFile = "server.json"

type serverRecord struct {
	URL string `json:"url"`
	PID int    `json:"pid"`
}

func writeRecord(path, url string) error {
	b, err := json.Marshal(serverRecord{url, os.Getpid()})
	if err != nil {
		return err
	}
	tmp := path + ".tmp"
	return errors.Join(os.WriteFile(tmp, append(b, '\n'), 0o644), os.Rename(tmp, path))
}

func recorded(data string) (string, bool) {
	b, err := os.ReadFile(filepath.Join(data, recordFile))
	if err != nil {
		return "", false
	}
	var r serverRecord
	if json.Unmarshal(b, &r) != nil || r.URL == "" {
		return "", false
	}
	return r.URL, true
}

// redact hides what a URL tells of passwords and tokens.
func redact(raw string) string {
	urls := strings.Split(raw, ",")
	for i, one := range urls {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil {
			urls[i] = "(unreadable URL)"
			continue
		}
		if u.User != nil {
			u.User = url.User("redacted")
		}
		urls[i] = u.String()
	}
	return strings.Join(urls, ",")
}
