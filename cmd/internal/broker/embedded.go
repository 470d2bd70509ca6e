package broker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
)

// Temporary starts an embedded server on a store that is removed on close.
func Temporary(cfg config.Config, log *slog.Logger) (*Conn, error) {
	dir, err := os.MkdirTemp("", "hopstream-")
	if err != nil {
		return nil, err
	}
	cfg.Data = dir
	l, err := embed(cfg, "", log)
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	l.cleanup = func() { _ = os.RemoveAll(dir) }
	return l, nil
}

// errInUse says that another process works on the data folder.
var errInUse = errors.New("in use")

// lockData takes the data folder for this process; it fails with errInUse.
func lockData(dir string) (*flock.Flock, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("data folder: %w: choose another with --data", err)
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	ok, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("data folder: %w: choose another with --data", err)
	}
	if !ok {
		return nil, fmt.Errorf("the data folder %s is %w", dir, errInUse)
	}
	return lock, nil
}

// Unused reports whether nothing was ever stored in the data folder; it is not
// known of a server elsewhere.
func Unused(cfg config.Config) bool {
	if cfg.NATS.URL != "" {
		return false
	}
	_, err := os.Stat(filepath.Join(cfg.Data, storeFolder))
	return errors.Is(err, fs.ErrNotExist)
}

// storeFolder is where the embedded server keeps its streams, in the data folder.
const storeFolder = "nats"

// embed starts a server on the data folder, which must be free.
func embed(cfg config.Config, listen string, log *slog.Logger) (*Conn, error) {
	lock, err := lockData(cfg.Data)
	if err != nil {
		return nil, err
	}
	_ = os.Remove(filepath.Join(cfg.Data, recordFile)) // of a process that was killed
	l, err := startServer(cfg, listen, log)
	if err != nil {
		_ = lock.Unlock()
		return nil, err
	}
	l.lock = lock
	return l, nil
}

func startServer(cfg config.Config, listen string, log *slog.Logger) (*Conn, error) {
	opts := &server.Options{
		ServerName: "hopstream", JetStream: true, StoreDir: filepath.Join(cfg.Data, storeFolder),
		DontListen: listen == "", NoSigs: true, NoLog: true, MaxPayload: 8 << 20,
		JetStreamMaxStore: cfg.NATS.MaxStore,
	}
	if cfg.NATS.Sync > 0 {
		opts.SyncInterval = cfg.NATS.Sync
	}
	if listen != "" {
		if err := listenOn(opts, listen); err != nil {
			return nil, err
		}
	}
	s, err := run(opts, log)
	if err != nil {
		return nil, err
	}
	l, err := connectTo(s, cfg, log)
	if err != nil {
		stop(s)
		return nil, err
	}
	if listen != "" {
		l.URL = s.ClientURL()
		l.record = filepath.Join(cfg.Data, recordFile)
		if err := writeRecord(l.record, l.URL); err != nil {
			l.Close()
			return nil, err
		}
	}
	return l, nil
}

// listenOn sets the server's address, which must be free.
func listenOn(opts *server.Options, listen string) error {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return cli.Usagef("--listen %q: want HOST:PORT, such as 127.0.0.1:4222", listen)
	}
	if opts.Port, err = strconv.Atoi(port); err != nil {
		return cli.Usagef("--listen %q: %q is no port", listen, port)
	}
	if opts.Port == 0 {
		opts.Port = server.RANDOM_PORT
	}
	opts.Host = host
	// The server itself would end the process on a port in use.
	probe, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w: choose another address with --listen", listen, err)
	}
	_ = probe.Close()
	return nil
}

// run starts a server and waits until it takes connections and has its store.
func run(opts *server.Options, log *slog.Logger) (*server.Server, error) {
	s, err := server.NewServer(opts)
	if err != nil {
		return nil, fmt.Errorf("embedded NATS server: %w", err)
	}
	fatal := newServerLog(log)
	s.SetLoggerV2(fatal, false, false, false)
	s.Start()
	if !s.ReadyForConnections(15 * time.Second) {
		stop(s)
		return nil, fmt.Errorf("the embedded NATS server did not start on %s: %s", opts.StoreDir, fatal.last())
	}
	if !s.JetStreamEnabled() {
		stop(s)
		return nil, fmt.Errorf("the embedded NATS server could not open its store %s: %s", opts.StoreDir, fatal.last())
	}
	return s, nil
}

func stop(s *server.Server) {
	s.Shutdown()
	s.WaitForShutdown()
}

// connectTo connects to a server in this process; closing the connection stops
// the server.
func connectTo(s *server.Server, cfg config.Config, log *slog.Logger) (*Conn, error) {
	nc, err := nats.Connect("", append(natsOptions(log), nats.InProcessServer(s))...)
	if err != nil {
		return nil, err
	}
	l, err := newConn(nc, cfg)
	if err != nil {
		return nil, err
	}
	l.Own, l.embedded = true, s
	return l, nil
}

// RoomForQuestions is how many bytes the embedded server's streams may hold
// while questions are still taken: what is left is for the questions at work
// and their answers. 0 means that it is not known.
func (l *Conn) RoomForQuestions() uint64 { return l.embeddedStore() / 4 * 3 }

// embeddedStore is how many bytes the embedded server may store; 0 without one.
func (l *Conn) embeddedStore() uint64 {
	if l.embedded == nil || l.embedded.JetStreamConfig() == nil {
		return 0
	}
	return uint64(max(0, l.embedded.JetStreamConfig().MaxStore))
}

// Folder is where the embedded server keeps its streams; empty without one.
func (l *Conn) Folder() string {
	if l.embedded == nil {
		return ""
	}
	return l.embedded.StoreDir()
}

// Store returns how many bytes JetStream holds for this account, and how many it
// may hold. A limit of 0 means that the server does not tell: an account without
// one of its own may use what the server has. It fails as the server does.
func (l *Conn) Store(ctx context.Context) (used, limit uint64, err error) {
	info, err := l.JS.AccountInfo(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("the account: %w", err)
	}
	limit = uint64(max(0, info.Limits.MaxStore))
	if own := l.embeddedStore(); own > 0 {
		limit = own
	}
	return info.Store, limit, nil
}
