package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/secret"
)

// Probes answer without a token: a kubelet sends none, and they say no more than
// whether the process is up and its index loaded.
var probes = []string{"/healthz", "/readyz"}

// guarded returns a handler that lets requests through that bring the token of c's
// file, as Authorization: Bearer TOKEN; probes always. Without a file it is next
// itself. The file is read at every request, so that a token that was replaced
// counts at once.
func guarded(c *config.HTTPConfig, next http.Handler) http.Handler {
	if c.TokenFile == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, path := range probes {
			if r.URL.Path == path {
				next.ServeHTTP(w, r)
				return
			}
		}
		want, err := secret.Read(c.TokenFile)
		if err != nil {
			http.Error(w, "the server cannot read its token", http.StatusInternalServerError)
			return
		}
		got, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		// Of equal length, so that the time tells nothing, not even that.
		a, b := sha256.Sum256([]byte(got)), sha256.Sum256([]byte(want))
		if !ok || subtle.ConstantTimeCompare(a[:], b[:]) != 1 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="hopstream"`)
			http.Error(w, "want the header Authorization: Bearer TOKEN, with the token of http.token_file", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// guardable fails, as wrong use, on an address that others can reach where nothing
// guards it, and on a token that cannot be read.
func guardable(addr string, c *config.HTTPConfig) error {
	if c.TokenFile != "" {
		if _, err := secret.Read(c.TokenFile); err != nil {
			return cli.Usagef("http.token_file: %w", err)
		}
		return nil
	}
	if c.Open || loopback(addr) {
		return nil
	}
	return cli.Usage(fmt.Errorf("--http %s: %w", addr, errOpen))
}

var errOpen = errors.New("others can reach this address: set http.token_file (HOPSTREAM_HTTP__TOKEN_FILE) to a file with a token that they have to send; or http.open: true (HOPSTREAM_HTTP__OPEN=true) where the network lets nobody else in; or serve on 127.0.0.1")

// loopback reports whether only this machine reaches the address.
func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return true // listening says what is wrong
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
