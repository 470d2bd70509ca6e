package messages

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// DefaultPrefix is the first token of every subject unless configured.
const DefaultPrefix = "hop"

const (
	// MaxID is the longest question ID, in bytes.
	MaxID = 128
	// MaxDocID is the longest document ID, in bytes.
	MaxDocID = 512
	// MaxBranches is the largest round: as many sub-answers as one read of
	// the log returns together.
	MaxBranches = 512
)

// Key places a message among those of its kind: a question's ID, round and
// branch; zero parts are left out of the subject. For a document, ID is the
// document's; for a dead letter, Stage says where it died.
type Key struct {
	Stage  string
	ID     string
	Round  int
	Branch int
	Seq    uint64 // of a dead message in the stream it came from
	Lane   Lane   // of a question, before its ID
}

// Names derives every subject and stream name from one prefix. The zero value
// is not usable: take NewNames or DefaultNames.
type Names struct{ prefix string }

// NewNames returns the names under prefix; an empty one means DefaultPrefix.
// It fails if prefix cannot be one subject token and part of a stream name.
func NewNames(prefix string) (Names, error) {
	if prefix == "" {
		prefix = DefaultPrefix
	}
	for _, r := range prefix {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-') {
			return Names{}, fmt.Errorf("prefix %q: use letters, digits, - and _ only", prefix)
		}
	}
	return Names{prefix}, nil
}

// DefaultNames returns the names under DefaultPrefix.
func DefaultNames() Names { return Names{DefaultPrefix} }

// Prefix returns the first subject token.
func (n Names) Prefix() string { return n.prefix }

// Subject returns the subject of kind k at key, such as
// hop.v1.align.<id>.<round>.<branch>. An ID that may be any text (a document's,
// a dead letter's) is escaped. Stage and ID may be "*", for a wildcard.
func (n Names) Subject(k Kind, key Key) string {
	b := make([]byte, 0, 96)
	b = append(b, n.prefix...)
	b = append(b, ".v1."...)
	b = append(b, k...)
	if key.Stage != "" {
		b = append(b, '.')
		b = append(b, key.Stage...)
	}
	if key.Lane != (Lane{}) {
		b = append(b, '.')
		b = append(b, key.Lane.Tenant...)
		b = append(b, '.')
		b = append(b, key.Lane.Priority...)
	}
	b = append(b, '.')
	if rows[k].anyID && !(key.Stage == "*" && key.ID == "*") { // the wildcard of both is no ID
		b = append(b, escape(key.ID)...)
	} else {
		b = append(b, key.ID...)
	}
	if key.Seq > 0 {
		b = strconv.AppendUint(append(b, '.'), key.Seq, 10)
	}
	if key.Round > 0 {
		b = strconv.AppendInt(append(b, '.'), int64(key.Round), 10)
		if key.Branch > 0 {
			b = strconv.AppendInt(append(b, '.'), int64(key.Branch), 10)
		}
	}
	return string(b)
}

// Of returns the subject of m.
func (n Names) Of(m Message) string { return n.Subject(m.Kind(), m.Key()) }

// Stream returns the name of the stream that holds kind k.
func (n Names) Stream(k Kind) string { return n.prefix + "-v1-" + string(k) }

// Filter returns the wildcard subject of all messages of kind k.
func (n Names) Filter(k Kind) string { return n.prefix + ".v1." + string(k) + ".>" }

// Ask is the subject of the request-reply service.
func (n Names) Ask() string { return n.prefix + ".ask" }

// Search is the subject of the service that finds passages.
func (n Names) Search() string { return n.prefix + ".search" }

// Positions is the subject on which every index publishes up to which sequence
// of the document stream it has read.
func (n Names) Positions() string { return n.prefix + ".positions" }

// Bounds is the subject on which processes that route questions tell how much they
// keep.
func (n Names) Bounds() string { return n.prefix + ".bounds" }

// DeliveriesBucket is the bucket that records, by subject, the last delivery
// which failed for a reason outside its message, such as a model that was away.
func (n Names) DeliveriesBucket() string { return n.prefix + "-v1-excused" }

// RepliesBucket is the bucket that keeps models' replies, so that an attempt
// that is repeated does not ask again.
func (n Names) RepliesBucket() string { return n.prefix + "-v1-replies" }

// WorkBucket is the bucket in which the sub-queries that are being worked on are
// claimed, so that questions which share one share its work.
func (n Names) WorkBucket() string { return n.prefix + "-v1-work" }

// PauseBucket is the bucket that says whether questions are taken.
func (n Names) PauseBucket() string { return n.prefix + "-v1-pause" }

// Drain is the subject on which workers are asked to finish what they have and
// end, or how much that is.
func (n Names) Drain() string { return n.prefix + ".drain" }

// ArchiveBucket is the bucket that says which process archives answers, and how far
// it came.
func (n Names) ArchiveBucket() string { return n.prefix + "-v1-archive" }

// Text is the subject on which the text of a question's answer is published
// while a model writes it, as a Preview. Nothing is stored under it.
func (n Names) Text(id string) string { return n.prefix + ".text." + id }

// Cancelled is the subject on which a cancelled question is announced to
// running workers; the durable mark is its answer.
func (n Names) Cancelled(id string) string { return n.prefix + ".cancelled." + id }

// KeepTrace is the subject on which a question that ended badly is announced, so
// that every process exports what it kept of the question's trace. Nothing is stored
// under it.
func (n Names) KeepTrace(id string) string { return n.prefix + ".keeptrace." + id }

// Parse is the inverse of Subject. It fails on a subject under another prefix,
// with a wrong number of tokens, or with one that is no number where a number
// belongs; it then returns what could be read of kind and key. It does not
// check that the kind is known.
func (n Names) Parse(subject string) (Kind, Key, error) {
	rest, ok := strings.CutPrefix(subject, n.prefix+".v1.")
	if !ok {
		return "", Key{}, fmt.Errorf("subject %q is not under %s.v1", subject, n.prefix)
	}
	parts := strings.Split(rest, ".")
	kind, parts := Kind(parts[0]), parts[1:]
	var key Key
	row := rows[kind]
	if row.byStage && len(parts) > 1 {
		key.Stage, parts = parts[0], parts[1:]
	}
	if len(parts) == 0 || len(parts) > 3 {
		if len(parts) > 0 {
			key.ID = parts[0]
		}
		return kind, key, fmt.Errorf("subject %q has a wrong number of parts", subject)
	}
	if kind == KindQuestion && len(parts) == 3 {
		var err error
		key.ID = parts[2]
		if key.Lane, err = parseLane(parts[0], parts[1]); err != nil {
			return kind, key, fmt.Errorf("subject %q: %w", subject, err)
		}
		return kind, key, nil
	}
	key.ID = parts[0]
	if row.anyID {
		id, err := unescape(key.ID)
		if err != nil {
			return kind, key, fmt.Errorf("subject %q: %w", subject, err)
		}
		key.ID = id
	}
	if row.byStage && len(parts) == 2 {
		if key.Seq, ok = sequence(parts[1]); !ok {
			return kind, key, fmt.Errorf("subject %q: %q is not a sequence", subject, parts[1])
		}
		return kind, key, nil
	}
	for i, to := range []*int{&key.Round, &key.Branch}[:len(parts)-1] {
		if *to, ok = ordinal(parts[i+1]); !ok {
			return kind, key, fmt.Errorf("subject %q: %q is not a round or branch", subject, parts[i+1])
		}
	}
	return kind, key, nil
}

// sequence reads a number from 1, written as Subject writes it; 0 without one.
func sequence(s string) (uint64, bool) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil || n == 0 || strconv.FormatUint(n, 10) != s {
		return 0, false
	}
	return n, true
}

// ordinal is sequence for rounds and branches.
func ordinal(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || strconv.Itoa(n) != s {
		return 0, false
	}
	return n, true
}

// CheckID returns nil if id can be a question's ID: 1 to MaxID bytes of
// printable ASCII that make one subject token. Otherwise it says what is wrong.
func CheckID(id string) error {
	switch {
	case id == "":
		return errors.New("question ID is empty")
	case len(id) > MaxID:
		return fmt.Errorf("question ID has %d bytes; the limit is %d", len(id), MaxID)
	}
	for _, r := range id {
		if r <= ' ' || r >= 0x7f || r == '.' || r == '*' || r == '>' {
			return fmt.Errorf("question ID %q cannot be part of a NATS subject: use printable ASCII without spaces, dots, * or >", id)
		}
	}
	return nil
}

// CheckDocID returns nil if id can be a document's ID: any text of 1 to
// MaxDocID bytes.
func CheckDocID(id string) error {
	switch {
	case id == "":
		return errors.New("document ID is empty")
	case len(id) > MaxDocID:
		return fmt.Errorf("document ID has %d bytes; the limit is %d", len(id), MaxDocID)
	}
	return nil
}

const hexDigits = "0123456789ABCDEF"

func plain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// escape turns any document ID into one subject token: every byte but
// letters, digits, - and _ becomes %XX.
func escape(s string) string {
	n := 0
	for i := range len(s) {
		if !plain(s[i]) {
			n++
		}
	}
	if n == 0 {
		return s
	}
	b := make([]byte, 0, len(s)+2*n)
	for i := range len(s) {
		if c := s[i]; plain(c) {
			b = append(b, c)
		} else {
			b = append(b, '%', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return string(b)
}

func unescape(s string) (string, error) {
	if !strings.Contains(s, "%") {
		return s, nil
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b = append(b, s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", fmt.Errorf("%q ends inside an escape", s)
		}
		v, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return "", fmt.Errorf("%q holds a bad escape", s)
		}
		b = append(b, byte(v))
		i += 2
	}
	return string(b), nil
}
