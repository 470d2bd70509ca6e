package sim

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Start serves a simulated model on a free port of this machine's own address. It
// returns the server's URL, and what stops it and waits for its end.
func Start(o Options) (url string, stop func() error, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("simulate a model: %w", err)
	}
	server := &http.Server{Handler: New(o), ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	return "http://" + l.Addr().String(), func() error {
		err := server.Close()
		if served := <-done; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
		return err
	}, nil
}
