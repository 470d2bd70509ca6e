package draft

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"
)

// headSize is how much of a file tells its encoding.
const headSize = 1024

// File is a file that can be read at any place.
type File interface {
	io.ReadSeeker
	io.ReaderAt
	Size() int64
}

// Valid reads a file to its end and says whether it is UTF-8. It returns the
// file's beginning.
func Valid(from io.Reader) (head []byte, valid bool, err error) {
	buf := make([]byte, bufferSize(from))
	kept := 0 // bytes of a character that is not complete
	valid = true
	for {
		n, err := io.ReadFull(from, buf[kept:])
		b := buf[:kept+n]
		if head == nil {
			head = append([]byte{}, b[:min(len(b), headSize)]...)
		}
		last := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !last {
			return head, valid, err
		}
		end := len(b)
		for back := 1; !last && back < utf8.UTFMax && back <= len(b); back++ {
			if at := len(b) - back; utf8.RuneStart(b[at]) {
				if !utf8.FullRune(b[at:]) {
					end = at
				}
				break
			}
		}
		valid = valid && utf8.Valid(b[:end])
		if last || !valid && len(head) >= headSize {
			return head, valid, nil
		}
		kept = copy(buf, b[end:])
	}
}

// Text reads a file to its end and back to its start, and says what keeps it
// from being read as text.
func Text(from io.ReadSeeker) error {
	zero := &zeros{from: from}
	if b, ok := from.(interface{ Len() int }); ok {
		zero.left = b.Len()
	}
	_, valid, err := Valid(zero)
	switch {
	case err != nil:
		return err
	case !valid:
		return errors.New("not valid UTF-8: convert the file, for example with iconv -t UTF-8")
	case zero.found:
		return errors.New("holds zero bytes: this is no text")
	}
	_, err = from.Seek(0, io.SeekStart)
	return err
}

// zeros looks for zero bytes in what is read.
type zeros struct {
	from  io.Reader
	left  int
	found bool
}

// Len is how much is left, if that is known, else more than any buffer.
func (z *zeros) Len() int {
	if z.left > 0 {
		return z.left
	}
	return longestLine
}

func (z *zeros) Read(b []byte) (int, error) {
	n, err := z.from.Read(b)
	z.found = z.found || bytes.IndexByte(b[:n], 0) >= 0
	return n, err
}
