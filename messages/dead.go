package messages

import (
	"errors"
	"time"
)

// KindDead is the kind of a Dead.
const KindDead Kind = "dead"

// Dead is the letter about a message that could not be processed: the whole
// message, the stage that gave up, why, and after how many deliveries.
type Dead struct {
	Envelope
	Stage      string    `json:"stage"`
	ID         string    `json:"id"`            // the question's, or the document's
	Seq        uint64    `json:"seq,omitempty"` // of the message in its stream
	Subject    string    `json:"subject"`
	Error      string    `json:"error"`
	Deliveries int       `json:"deliveries"`
	At         time.Time `json:"at"`
	// Data is the message as it was received (base64 in JSON, since it may
	// not be valid UTF-8).
	Data []byte `json:"data"`
}

// Kind returns KindDead.
func (*Dead) Kind() Kind { return KindDead }

// Key returns where the message died.
func (d *Dead) Key() Key { return Key{Stage: d.Stage, ID: d.ID, Seq: d.Seq} }

// Validate checks that stage and subject are given.
func (d *Dead) Validate() error {
	if d.Stage == "" || d.Subject == "" {
		return errors.New("dead letter names no stage or subject")
	}
	return nil
}
