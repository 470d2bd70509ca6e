package openai

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// TestKeyOfEachRequest replaces the key between two requests: each carries the one
// that there is then, no error tells it, and without one nothing is asked.
func TestKeyOfEachRequest(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var came []string
	key, gone := "sk-one", errors.New("the file is gone")
	var fails error
	c := client(t, Spec{Key: func() (string, error) { return key, fails }}, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		came = append(came, r.Header.Get("Authorization"))
		http.Error(w, "who is "+r.Header.Get("Authorization")+"?", http.StatusBadRequest)
	})
	for _, key = range []string{"sk-one", testKey} {
		if _, err := c.Chat(t.Context(), hello); err == nil || strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), "[key]") {
			t.Errorf("with %s: %v", key, err)
		}
	}
	fails = gone
	if _, err := c.Chat(t.Context(), hello); !errors.Is(err, gone) {
		t.Errorf("without a key: %v", err)
	}
	mu.Lock()
	defer mu.Unlock()
	if want := "Bearer sk-one, Bearer " + testKey; strings.Join(came, ", ") != want {
		t.Errorf("the server saw %v, want %s", came, want)
	}
}
