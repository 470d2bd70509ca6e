package messages

import (
	"encoding/json"
	"errors"
	"fmt"
)

// MaxPreview bounds the texts of all previews that one attempt at an answer
// publishes together, in bytes.
const MaxPreview = 64 << 10

// Preview is a piece of the text of an answer, published under Names.Text while a
// model writes it. It is provisional, delivered at most once and never stored: the
// answer that is stored counts, and may have another text.
type Preview struct {
	ID string `json:"id"` // of the question
	// N numbers the pieces of a text, from 1. Where one is missing, so is a part
	// of the text.
	N int `json:"n"`
	// Attempt tells texts of the same question apart, such as that of a reply which
	// could not be used and that of the next. Of two attempts the greater counts,
	// and makes what was shown of the other void. It is about when the attempt
	// began, in milliseconds since 1970.
	Attempt int64 `json:"attempt"`
	// Text is what has come since the last piece. It may be empty in the first one,
	// which then says no more than that the text begins anew.
	Text string `json:"text"`
}

// Encode returns the preview's JSON.
func (p *Preview) Encode() []byte {
	b, err := json.Marshal(p)
	if err != nil {
		panic(err) // it has nothing that JSON cannot hold
	}
	return b
}

// DecodePreview reads a preview. It fails on what is no JSON, and where the ID,
// the number or the attempt is missing.
func DecodePreview(b []byte) (*Preview, error) {
	var p Preview
	if err := json.Unmarshal(b, &p); err != nil {
		return nil, fmt.Errorf("preview: %w", err)
	}
	if p.ID == "" || p.N < 1 || p.Attempt < 1 {
		return nil, errors.New("preview: without id, n or attempt")
	}
	return &p, nil
}
