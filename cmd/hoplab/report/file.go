package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Head is the first line of a file of records: what it was measured with.
type Head struct {
	Version  int    `json:"hopstream_eval"` // of the records
	Data     string `json:"data"`
	Preset   string `json:"preset"`
	Engine   string `json:"engine"`
	Content  string `json:"content"`  // fingerprint of the data set
	Settings string `json:"settings"` // fingerprint of the configuration
}

// Version is the format of the records that this build writes and can resume.
const Version = 1

// ErrOther says that a file's records were measured with something else.
var ErrOther = errors.New("measured otherwise")

var errForeign = errors.New("holds no records of hoplab eval: name another folder")

// headMark is how every file begins.
const headMark = `{"hopstream_eval":`

// maxRecord bounds a line of a file of records, in bytes.
const maxRecord = 4 << 20

// File holds the records of a run, one line each after the head. A record is in
// the file when Add has returned, so a run that is killed loses no record that
// it had added.
type File struct {
	f    *os.File
	Done []Record // the records that the file held when it was opened
}

// Create starts a file. It fails with os.ErrExist if there is one.
func Create(path string, h Head) (*File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	h.Version = Version
	file := &File{f: f}
	if err := file.write(h); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return file, nil
}

// Resume opens a file to go on with, or starts it. It fails with ErrOther if
// its head is not h. A last line that was cut off is dropped.
func Resume(path string, h Head) (*File, error) {
	h.Version = Version
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	file := &File{f: f}
	end, err := file.read(h)
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil && end == 0 {
		err = file.write(h)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return file, nil
}

// read takes the records in and returns where the last whole line ends.
func (f *File) read(want Head) (end int64, err error) {
	in := bufio.NewReaderSize(f.f, 64<<10)
	seen := map[string]int{}
	for n := 1; ; n++ {
		line, err := readLine(in)
		if errors.Is(err, io.EOF) {
			if n == 1 && !bytes.HasPrefix([]byte(headMark), line[:min(len(line), len(headMark))]) {
				return 0, errForeign
			}
			return end, nil // the rest is a line that was cut off
		}
		if err != nil {
			return 0, fmt.Errorf("line %d: %w", n, err)
		}
		end += int64(len(line))
		if n == 1 {
			var h Head
			if err := json.Unmarshal(line, &h); err != nil || h.Version == 0 {
				return 0, errForeign
			}
			if err := h.same(want); err != nil {
				return 0, err
			}
			continue
		}
		var r Record
		if err := json.Unmarshal(line, &r); err != nil || r.ID == "" {
			return 0, fmt.Errorf("line %d is no record: name another folder", n)
		}
		if i, again := seen[r.ID]; again {
			f.Done[i] = r
			continue
		}
		seen[r.ID] = len(f.Done)
		f.Done = append(f.Done, r)
	}
}

// readLine returns the next line with its newline; io.EOF for a last line without.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxRecord {
			return nil, fmt.Errorf("longer than %d bytes", maxRecord)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// same returns an error that names the first field in which h differs from want.
func (h Head) same(want Head) error {
	for _, c := range []struct{ what, is, want string }{
		{"data set", h.Data, want.Data}, {"preset", h.Preset, want.Preset}, {"engine", h.Engine, want.Engine},
		{"content of the data set", h.Content, want.Content}, {"settings", h.Settings, want.Settings},
		{"format", fmt.Sprint(h.Version), fmt.Sprint(want.Version)},
	} {
		if c.is != c.want {
			return fmt.Errorf("%w: its %s is %s, this run's %s: name another folder, or remove the file", ErrOther, c.what, c.is, c.want)
		}
	}
	return nil
}

// Add appends one record.
func (f *File) Add(r Record) error { return f.write(r) }

// write appends v as one line, in one write.
func (f *File) write(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := f.f.Write(b.Bytes())
	return err
}

// Close ends the file.
func (f *File) Close() error { return f.f.Close() }
