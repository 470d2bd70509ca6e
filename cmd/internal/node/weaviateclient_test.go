package node

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hopstream/cmd/internal/config"
)

// TestWeaviateKeyFile replaces the key in its file between two requests: each carries
// the one that stands there then. A file that is away is said.
func TestWeaviateKeyFile(t *testing.T) {
	t.Parallel()
	var came []string
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { came = append(came, r.Header.Get("Authorization")) }))
	defer srv.Close()
	file := filepath.Join(t.TempDir(), "key")
	cfg := &config.WeaviateConfig{URL: srv.URL, APIKeyFile: file, Timeout: 10 * time.Second}
	if _, err := weaviateClient(cfg); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "weaviate.api_key_file") {
		t.Errorf("without the file: %v", err)
	}
	var client *http.Client
	for _, key := range []string{"one", "two"} {
		if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if client == nil {
			var err error
			if client, err = weaviateClient(cfg); err != nil {
				t.Fatal(err)
			}
		}
		resp, err := client.Get(srv.URL)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if resp, err := client.Get(srv.URL); err == nil {
		_ = resp.Body.Close()
		t.Error("a request is made without its key")
	}
	client.CloseIdleConnections()
	if got := strings.Join(came, ", "); got != "Bearer one, Bearer two" {
		t.Errorf("the server saw %s", got)
	}
}
