package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxFile is the longest file that becomes one document: a page of HTML is
// several times as long as its text.
const maxFile = 8 * MaxDocument

// text reads a file as one document without title.
func (r *reading) text(s source, in *input) error {
	b, err := readFile(in, MaxDocument)
	if err != nil {
		return err
	}
	return r.emitFile(s, "", strings.TrimSpace(b))
}

// readFile reads a file of at most limit bytes of UTF-8.
func readFile(from io.Reader, limit int) (string, error) {
	b, err := readBytes(from, limit)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(b) {
		return "", errors.New("not valid UTF-8: convert the file, for example with iconv -t UTF-8")
	}
	if bytes.IndexByte(b, 0) >= 0 {
		return "", errors.New("holds zero bytes: this is no text")
	}
	return string(bytes.TrimPrefix(b, []byte("\uFEFF"))), nil
}

func readBytes(from io.Reader, limit int) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(from, int64(limit)+1))
	if err != nil {
		return nil, err
	}
	if len(b) > limit {
		return nil, fmt.Errorf("has more than %d bytes: split it into several files", limit)
	}
	return b, nil
}
