package revelator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/internal/cli"
	"hopstream/index/document"
	"hopstream/messages"
)

// readOwn reads the files and folders at paths as hopstream indexes them, and
// what identifies their text. Documents too long for one message come in parts,
// here documents of their own. Files that cannot be read are told of and passed
// over.
func readOwn(ctx context.Context, a *cli.App, paths []string) (Set, []Input, error) {
	set := Set{Name: "docs"}
	var inputs []Input
	for _, path := range paths {
		h, before, bytes := sha256.New(), len(set.Documents), int64(0)
		_, err := document.Walk(ctx, []string{path}, func(d messages.Document) error {
			id, first, _ := document.Part(d.ID)
			if first > 0 {
				id = fmt.Sprintf("%s/%d", id, first)
			}
			set.Documents = append(set.Documents, dataset.Document{ID: id, Title: d.Title, Text: d.Text})
			fmt.Fprintf(h, "%s\x00%s\x00%s\x00", id, d.Title, d.Text)
			bytes += int64(len(d.Text))
			return nil
		}, func(path string, line int, err error) { a.Complain("%s:%d: %v", path, line, err) })
		if err != nil {
			return Set{}, nil, err
		}
		if len(set.Documents) == before {
			return Set{}, nil, fmt.Errorf("--docs %s holds no document", path)
		}
		inputs = append(inputs, Input{Path: filepath.ToSlash(path), Bytes: bytes, SHA256: hex.EncodeToString(h.Sum(nil))})
	}
	return set, inputs, nil
}
