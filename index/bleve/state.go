package bleve

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"hopstream/index"
)

// format is the version of how passages are stored: 2 has where they stand. A store of another format
// is emptied when it is opened, and filled again from the stream.
const format = 2

// totals are what BM25 needs to know of the corpus. They are kept exact, and
// are stored with every batch, so that a search reads those of its snapshot.
type totals struct {
	Passages  uint64
	Documents uint64
	Tokens    uint64 // of all passages
}

var (
	keyTotals   = []byte("hop.totals")
	keyPosition = []byte("hop.position")
	keyFormat   = []byte("hop.format")
)

func (t totals) encode() []byte {
	b := make([]byte, 0, 24)
	for _, v := range [...]uint64{t.Passages, t.Documents, t.Tokens} {
		b = binary.BigEndian.AppendUint64(b, v)
	}
	return b
}

func decodeTotals(b []byte) totals {
	if len(b) < 24 {
		return totals{}
	}
	return totals{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint64(b[16:])}
}

func encodePosition(p index.Position) []byte {
	b, err := json.Marshal(p)
	if err != nil {
		panic(err) // a string and a number
	}
	return b
}

func decodePosition(b []byte) index.Position {
	var p index.Position
	if json.Unmarshal(b, &p) != nil {
		return index.Position{} // read the stream from the start: always right, only slower
	}
	return p
}

// formatOf says what the passages of a store depend on besides the documents.
func formatOf(o Options) string {
	return fmt.Sprintf("%d english %s", format, o.Chunk.Cut())
}
