package records

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"hopstream/index/document/draft"
)

// CSV reads a table whose fields are parted by commas, semicolons, tabs or
// bars, which is found out. Each row becomes a passage of its own that names the
// columns. A first row that holds a number is no header; the columns are numbered
// then. What is wrong with a row ends the reading.
func CSV(w *draft.Writer, from io.ReadSeeker) error {
	if err := draft.Text(from); err != nil {
		return err
	}
	b := bufio.NewReaderSize(from, 64<<10)
	if mark, err := b.Peek(3); err == nil && string(mark) == "\uFEFF" {
		_, _ = b.Discard(3)
	}
	head, _ := b.Peek(16 << 10)
	r := rows{from: b, comma: comma(string(head)), line: 1}
	var names []string
	for first := true; w.Err() == nil; {
		fields, line, err := r.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if blankRow(fields) {
			continue
		}
		if first {
			first = false
			if isHeader(fields) {
				names = fields
				continue
			}
		}
		writeRow(w, names, fields, line)
	}
	return nil
}

func blankRow(fields []string) bool {
	for _, f := range fields {
		if strings.TrimSpace(f) != "" {
			return false
		}
	}
	return true
}

// isHeader reports whether fields are names: none is a number.
func isHeader(fields []string) bool {
	for _, f := range fields {
		if _, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(f), ",", "."), 64); err == nil {
			return false
		}
	}
	return true
}

// writeRow writes the fields of a row that are not empty, each with the name of
// its column.
func writeRow(w *draft.Writer, names, fields []string, line int) {
	w.Break()
	for i, f := range fields {
		name := ""
		if i < len(names) {
			name = strings.TrimSpace(names[i])
		}
		if name == "" {
			name = "Column " + strconv.Itoa(i+1)
		}
		pair(w, name, f, line)
	}
}

// pair writes a name with a value, which may have several lines.
func pair(w *draft.Writer, name, value string, line int) {
	for s := range strings.Lines(strings.TrimSpace(value)) {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		if name != "" {
			s = name + ": " + s
			name = ""
		}
		w.Line(s, line)
	}
}
