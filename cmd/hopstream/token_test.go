package main

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"hopstream/cmd/internal/cmdtest"
)

// TestToken has metrics want the token, and probes none.
func TestToken(t *testing.T) {
	t.Parallel()
	token := cmdtest.TempFile(t, "token", "first-token\n")
	w := up(t, t.TempDir(), "--config", cmdtest.TempFile(t, "h.yaml", "http: {token_file: "+token+"}"))
	status := func(path, authorization string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.HTTP+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	expect := func(path, authorization string, want int) {
		t.Helper()
		if got := status(path, authorization); got != want {
			t.Errorf("%s with %q: %d, want %d", path, authorization, got, want)
		}
	}
	for _, path := range []string{"/metrics", "/", "/healthz/../metrics", "/healthz/"} {
		for _, none := range []string{"", "Bearer", "Bearer ", "Bearer first-toke", "Bearer first-token2", "first-token", "Basic first-token"} {
			expect(path, none, http.StatusUnauthorized)
		}
	}
	expect("/metrics", "Bearer first-token", http.StatusOK)
	expect("/healthz", "", http.StatusOK)
	cmdtest.Eventually(t, "readiness", func() bool { return status("/readyz", "") == http.StatusOK })
	cmdtest.WriteFile(t, token, "second-token")
	expect("/metrics", "Bearer first-token", http.StatusUnauthorized)
	expect("/metrics", "Bearer second-token", http.StatusOK)
	if err := os.Remove(token); err != nil {
		t.Fatal(err)
	}
	expect("/metrics", "Bearer second-token", http.StatusInternalServerError)
	if said := w.Err.String(); strings.Contains(said, "-token") {
		t.Errorf("the token is logged: %s", said)
	}
}

// TestOpenAddress holds that an address which others can reach is served with a token,
// or where somebody said that the network is closed.
func TestOpenAddress(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0"} {
		hopstream(t, "", "up", "--listen", "127.0.0.1:0", "--http", addr).Exits(2).Says("http.token_file", "HOPSTREAM_HTTP__TOKEN_FILE", "http.open")
	}
	empty := cmdtest.TempFile(t, "h.yaml", "http: {token_file: "+cmdtest.TempFile(t, "token", "\n")+"}")
	hopstream(t, "", "up", "--listen", "127.0.0.1:0", "--http", "0.0.0.0:0", "--config", empty).Exits(2).Says("http.token_file", "empty")
	token := "http: {token_file: " + cmdtest.TempFile(t, "token", "x") + "}"
	for _, settings := range []string{"http: {open: true}", token} {
		w := up(t, t.TempDir(), "--http", "0.0.0.0:0", "--config", cmdtest.TempFile(t, "h.yaml", settings))
		if code := w.End(); code != 0 {
			t.Errorf("%s: exits %d", settings, code)
		}
	}
}
