package office

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"

	"hopstream/index/document/draft"
)

const (
	// maxUnpacked is the most bytes that are unpacked of a file.
	maxUnpacked = 512 << 20
	// maxRatio is how many times its size a file may be unpacked, from
	// freeUnpacked on.
	maxRatio     = 250
	freeUnpacked = 16 << 20
)

var errEncrypted = errors.New("is encrypted: save it without a password")

// archive is a zip file.
type archive struct {
	files    map[string]*zip.File
	size     int64
	unpacked int64
}

// open opens a zip file that holds part, by which its kind is told.
func open(from draft.File, part, kind string) (*archive, error) {
	head := make([]byte, 8)
	n, _ := from.ReadAt(head, 0)
	switch {
	case bytes.Equal(head[:n], []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return nil, fmt.Errorf("is encrypted, or of an old format: save it as %s, without a password", kind)
	case from.Size() > maxUnpacked:
		return nil, fmt.Errorf("has more than %d MB: take its pictures and films out", maxUnpacked>>20)
	}
	z, err := zip.NewReader(from, from.Size())
	if err != nil {
		return nil, fmt.Errorf("not readable as %s: %w: it may be cut off", kind, err)
	}
	a := &archive{files: map[string]*zip.File{}, size: from.Size()}
	for _, f := range z.File {
		a.files[f.Name] = f
	}
	if a.files[part] == nil {
		return nil, fmt.Errorf("is no %s: it holds no %s", kind, part)
	}
	return a, nil
}

// part opens a part; a missing one is nil.
func (a *archive) part(name string) (io.ReadCloser, error) {
	f := a.files[name]
	if f == nil {
		return nil, nil
	}
	if f.Flags&1 != 0 {
		return nil, errEncrypted
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be unpacked: %w", name, err)
	}
	return &unpacking{r, a}, nil
}

// unpacking counts what is unpacked.
type unpacking struct {
	io.ReadCloser
	a *archive
}

func (u *unpacking) Read(b []byte) (int, error) {
	n, err := u.ReadCloser.Read(b)
	u.a.unpacked += int64(n)
	if t := u.a.unpacked; t > maxUnpacked || t > freeUnpacked && t > maxRatio*u.a.size {
		return n, fmt.Errorf("unpacks to more than %d MB from %d kB: this is no document, or it must be split", t>>20, u.a.size>>10)
	}
	return n, err
}
