package wordnet

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Write reduces the database in the folder dir, which has data.noun and the other
// files, and writes a line for each stem with the stems after it in the alphabet
// that are related to it. Files that are missing or malformed are an error.
func Write(w io.Writer, dir string) error {
	d, err := open(dir)
	if err != nil {
		return err
	}
	related := d.related()
	out := bufio.NewWriter(w)
	for _, stem := range slices.Sorted(maps.Keys(related)) {
		if _, err := fmt.Fprintf(out, "%s %s\n", stem, strings.Join(related[stem], " ")); err != nil {
			return err
		}
	}
	return out.Flush()
}
