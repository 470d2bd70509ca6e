package secret_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/cmd/internal/secret"
)

func TestRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "token")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := secret.Read(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	for _, text := range []string{"first\n", " second ", "third"} { // a file that is replaced is read again
		write(text)
		if got, err := secret.Read(path); err != nil || got != strings.TrimSpace(text) {
			t.Errorf("%q is read as %q, %v", text, got, err)
		}
	}
	write(" \n")
	if _, err := secret.Read(path); !errors.Is(err, secret.ErrEmpty) {
		t.Errorf("nothing: %v", err)
	}
	for _, text := range []string{"hidden word", "hidden\nword", "hiddén", strings.Repeat("hidden", 20_000)} {
		write(text)
		if got, err := secret.Read(path); err == nil || got != "" || strings.Contains(err.Error(), "hidd") {
			t.Errorf("%.20q is read as %.20q, %.200v", text, got, err)
		}
	}
}
