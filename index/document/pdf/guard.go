package pdf

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"time"
)

var (
	// errSlow says that a page takes longer than any real one.
	errSlow = errors.New("takes too long")
	// errDeep says that objects refer to each other or nest without end.
	errDeep = errors.New("objects are nested too deep, or refer to themselves: print the file to PDF anew")
)

// budget is a file whose reading ends after a time: every loop of references
// reads on and on.
type budget struct {
	from  io.ReaderAt
	until time.Time
	reads int
}

// maxReads is the most reads within the time of one page.
const maxReads = 200_000

func (b *budget) renew(d time.Duration) { b.until, b.reads = time.Now().Add(d), 0 }

func (b *budget) check() {
	if b.reads++; b.reads > maxReads || time.Now().After(b.until) {
		panic(errSlow)
	}
}

// ReadAt reads, or panics with errSlow.
func (b *budget) ReadAt(p []byte, at int64) (int, error) {
	b.check()
	return b.from.ReadAt(p, at)
}

// guarded calls fn and returns its panic as an error.
func guarded(fn func()) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case error:
			err = x
		default:
			err = fmt.Errorf("%v", x)
		}
	}()
	fn()
	return nil
}

// maxNesting is the most lists and dictionaries within each other.
const maxNesting = 20_000

// nested reports whether what is read opens more lists than any file would: the
// parser calls itself for each.
func nested(from io.Reader) (bool, error) {
	buf := make([]byte, 64<<10)
	depth := 0
	for {
		n, err := from.Read(buf)
		for _, c := range buf[:n] {
			switch c {
			case '[', '<':
				if depth++; depth > maxNesting {
					return true, nil
				}
			case ']', '>':
				depth = max(depth-1, 0)
			}
		}
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
}

var (
	xrefStream = regexp.MustCompile(`/Type\s*/XRef`)
	xrefWidths = regexp.MustCompile(`/W\s*\[\s*(\d)\s+(\d)\s+(\d)\s*\]`)
	xrefIndex  = regexp.MustCompile(`/Index\s*\[([\d\s]*)\]`)
	xrefPredic = regexp.MustCompile(`/Predictor\s+(\d+)`)
	number     = regexp.MustCompile(`\d+`)
)

// maxXref is the most bytes of a table of objects.
const maxXref = 64 << 20

// circular reports whether the tables of a file say of an object that holds
// others that it is itself held by one: the reader would call itself for good.
func circular(file []byte) bool {
	held, holders := map[int]bool{}, map[int]bool{}
	for _, at := range xrefStream.FindAllIndex(file, 1000) {
		from := bytes.LastIndex(file[:at[0]], []byte("obj"))
		length := bytes.Index(file[at[0]:], []byte("stream"))
		if from < 0 || length < 0 || length > 10_000 {
			continue
		}
		head := file[from : at[0]+length]
		body := bytes.TrimLeft(file[at[0]+length+len("stream"):], "\r\n")
		read(head, body, held, holders)
	}
	for h := range holders {
		if held[h] {
			return true
		}
	}
	return false
}

// read adds the entries of a table: objects held by others, and those that hold.
func read(head, body []byte, held, holders map[int]bool) {
	widths := xrefWidths.FindSubmatch(head)
	z, err := zlib.NewReader(bytes.NewReader(body))
	if widths == nil || err != nil {
		return
	}
	data, _ := io.ReadAll(io.LimitReader(z, maxXref))
	var w [3]int
	row := 0
	for i := range w {
		w[i] = int(widths[i+1][0] - '0')
		row += w[i]
	}
	if row == 0 {
		return
	}
	if p := xrefPredic.FindSubmatch(head); p != nil && len(p[1]) == 2 {
		data = unpredicted(data, row)
	}
	index := []int{0, len(data) / row}
	if m := xrefIndex.FindSubmatch(head); m != nil {
		index = nil
		for _, n := range number.FindAll(m[1], -1) {
			v, _ := strconv.Atoi(string(n))
			index = append(index, v)
		}
	}
	for i := 0; i+1 < len(index); i += 2 {
		for id := index[i]; id < index[i]+index[i+1] && len(data) >= row; id++ {
			kind := 1
			if w[0] > 0 {
				kind = value(data[:w[0]])
			}
			if kind == 2 {
				held[id] = true
				holders[value(data[w[0]:w[0]+w[1]])] = true
			}
			data = data[row:]
		}
	}
}

func value(b []byte) int {
	n := 0
	for _, c := range b {
		n = n<<8 | int(c)
	}
	return n
}

// unpredicted undoes the difference between rows (PNG's filter "up", the only
// one in use for tables).
func unpredicted(data []byte, row int) []byte {
	var out []byte
	last := make([]byte, row)
	for len(data) > row {
		for i := range last {
			if data[0] == 2 {
				last[i] += data[i+1]
			} else {
				last[i] = data[i+1]
			}
		}
		out = append(out, last...)
		data = data[row+1:]
	}
	return out
}
