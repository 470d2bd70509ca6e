package archive

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// file is a file of the archive that is being written.
type file struct {
	dir    string
	kind   string // answers or traces
	gzip   bool
	out    *os.File
	buffer *bufio.Writer
	zip    *gzip.Writer // nil where the file is not compressed
	to     io.Writer
	bytes  int64 // before compression
}

func create(dir, kind string, compress bool) (*file, error) {
	out, err := os.Create(filepath.Join(dir, kind+"new"+partial))
	if err != nil {
		return nil, err
	}
	f := &file{dir: dir, kind: kind, gzip: compress, out: out, buffer: bufio.NewWriterSize(out, 1<<16)}
	f.to = f.buffer
	if compress {
		f.zip = gzip.NewWriter(f.buffer)
		f.to = f.zip
	}
	return f, nil
}

// line writes one line.
func (f *file) line(text []byte) error {
	n, err := f.to.Write(append(text[:len(text):len(text)], '\n'))
	f.bytes += int64(n)
	return err
}

// discard ends a file that is not wanted. One that was put in its place stays.
func (f *file) discard() {
	_ = f.out.Close()
	_ = os.Remove(f.out.Name())
}

// place brings the file to the disk, and puts it in its place.
func (f *file) place(at time.Time, first, last uint64) error {
	var err error
	if f.zip != nil {
		err = f.zip.Close()
	}
	if err = errors.Join(err, f.buffer.Flush()); err == nil {
		err = f.out.Sync()
	}
	if err = errors.Join(err, f.out.Close()); err != nil {
		return err
	}
	name := fmt.Sprintf("%s%s-%012d-%012d.jsonl", f.kind, at.UTC().Format(stampForm), first, last)
	if f.gzip {
		name += ".gz"
	}
	if err := os.Rename(f.out.Name(), filepath.Join(f.dir, name)); err != nil {
		return err
	}
	dir, err := os.Open(f.dir)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
