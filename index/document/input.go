package document

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"hopstream/index/document/draft"
)

// maxHeld is the most bytes of a file that are held in memory; a longer one is
// read in place.
const maxHeld = 4 << 20

// input is a file being read. What is read of it through Read is told as
// progress.
type input struct {
	io.Reader
	file *os.File // nil for stdin
	size int64
}

// again returns the file in a form that can be read several times, and at any
// place. What is read is told as progress once.
func (in *input) again() (draft.File, error) {
	if in.file != nil && in.size > maxHeld {
		return &inPlace{File: in.file, in: in}, nil
	}
	b, err := readAll(in, in.size, maxHeld)
	if err != nil {
		return nil, err
	}
	return bytes.NewReader(b), nil
}

// readAll reads what is expected to have size bytes, and at most limit.
func readAll(from io.Reader, size int64, limit int) ([]byte, error) {
	b := bytes.NewBuffer(make([]byte, 0, min(max(size, 0), int64(limit))+bytes.MinRead))
	n, err := b.ReadFrom(io.LimitReader(from, int64(limit)+1))
	if err != nil {
		return nil, err
	}
	if n > int64(limit) {
		return nil, fmt.Errorf("has more than %d MB: split it into several files", limit>>20)
	}
	return b.Bytes(), nil
}

// inPlace reads a file without holding it.
type inPlace struct {
	*os.File
	in       *input
	at, most int64 // read, by now and at most
}

func (p *inPlace) Size() int64 { return p.in.size }

func (p *inPlace) Read(b []byte) (int, error) {
	n, err := p.File.Read(b)
	p.at += int64(n)
	if p.at > p.most {
		p.in.tell(p.at - p.most)
		p.most = p.at
	}
	return n, err
}

func (p *inPlace) Seek(offset int64, whence int) (int64, error) {
	at, err := p.File.Seek(offset, whence)
	if err == nil {
		p.at = at
	}
	return at, err
}

// finish tells as progress what was not read.
func finish(s draft.File) {
	if p, ok := s.(*inPlace); ok && p.most < p.in.size {
		p.in.tell(p.in.size - p.most)
		p.most = p.in.size
	}
}

// tell counts n bytes as read.
func (in *input) tell(n int64) {
	if c, ok := in.Reader.(*counter); ok {
		_, _ = (&counter{r: c.r, from: told(n)}).Read(nil)
	}
}

// told is a read of n bytes that took place elsewhere.
type told int64

func (t told) Read([]byte) (int, error) { return int(t), nil }
