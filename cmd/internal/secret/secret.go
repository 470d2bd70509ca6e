// Package secret reads what must not be printed: keys and tokens that stand in
// files. Nothing is kept: a file is read whenever its secret is needed, so that one
// which was replaced counts from then on.
package secret

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// maxBytes is how long a secret may be; what is longer is some other file.
const maxBytes = 64 << 10

// ErrEmpty says that there is nothing in the file.
var ErrEmpty = errors.New("the file is empty")

// Read returns the secret in a file, without white space around it. The errors name
// the file and never what is in it: that of reading, ErrEmpty, or that there is a
// character in it which no header can carry.
func Read(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(string(data))
	switch {
	case len(data) > maxBytes:
		return "", fmt.Errorf("%s has more than %d bytes: it holds no key", path, maxBytes)
	case text == "":
		return "", fmt.Errorf("%s: %w", path, ErrEmpty)
	case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", fmt.Errorf("%s holds a space or a character that no key has", path)
	}
	return text, nil
}
