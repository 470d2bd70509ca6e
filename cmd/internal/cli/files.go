package cli

import (
	"fmt"
	"io"
	"os"
)

// NopCloser is a writer that stays open.
type NopCloser struct{ io.Writer }

// Close does nothing: standard output is not ours to close.
func (NopCloser) Close() error { return nil }

// OpenIn opens a file of questions, or standard input for - or nothing.
func OpenIn(stdin io.Reader, path string) (io.ReadCloser, error) {
	if path == "-" || path == "" {
		return io.NopCloser(stdin), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("questions: %w", err)
	}
	return f, nil
}

// CountLines counts a regular file's lines for the progress bar; -1 means
// that the number is not known.
func CountLines(in io.Reader) int64 {
	f, ok := in.(*os.File)
	if !ok {
		return -1
	}
	c, err := os.Open(f.Name())
	if err != nil {
		return -1
	}
	defer c.Close()
	if info, err := c.Stat(); err != nil || !info.Mode().IsRegular() {
		return -1
	}
	n := int64(0)
	buf := make([]byte, 256<<10)
	for {
		k, err := c.Read(buf)
		for _, b := range buf[:k] {
			if b == '\n' {
				n++
			}
		}
		if err != nil {
			return n
		}
	}
}
