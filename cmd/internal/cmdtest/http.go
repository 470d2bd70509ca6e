package cmdtest

import (
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// Get returns status and body of url.
func Get(t *testing.T, url string) (int, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// Metrics returns the figures that workers serve at url.
func Metrics(t *testing.T, url string) string {
	t.Helper()
	client := &http.Client{Timeout: 5 * time.Second}
	defer client.CloseIdleConnections()
	resp, err := client.Get(url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Handler is a handler that can be replaced while it serves.
type Handler struct{ h atomic.Pointer[http.Handler] }

// Set has h serve from now on.
func (a *Handler) Set(h http.Handler) { a.h.Store(&h) }

// ServeHTTP serves with the handler set last.
func (a *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	(*a.h.Load()).ServeHTTP(w, r)
}
