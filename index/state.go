package index

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// format is the version of how passages are stored. A store of another format
// is emptied when it is opened, and filled again from the stream.
const format = 1

// Position is how far a store has read the document stream.
type Position struct {
	// Stream identifies the stream: a stream that was deleted and made again
	// counts its messages from 1 again.
	Stream string `json:"stream"`
	// Sequence is that of the last message applied.
	Sequence uint64 `json:"sequence"`
}

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

func (p Position) encode() []byte {
	b, err := json.Marshal(p)
	if err != nil {
		panic(err) // a string and a number
	}
	return b
}

func decodePosition(b []byte) Position {
	var p Position
	if json.Unmarshal(b, &p) != nil {
		return Position{} // read the stream from the start: always right, only slower
	}
	return p
}

// formatOf says what the passages of a store depend on besides the documents.
func formatOf(o Options) string {
	return fmt.Sprintf("%d english %s", format, o.Cut())
}
