package runner

import (
	"encoding/hex"
	"math/rand/v2"
)

// childSpan returns the W3C traceparent of a new span under parent, or of a
// new trace if parent is none. Sampling follows the parent.
func childSpan(parent string) string {
	const shape = len("00-0123456789abcdef0123456789abcdef-0123456789abcdef-01")
	b := make([]byte, shape)
	if len(parent) == shape && parent[:3] == "00-" && parent[35] == '-' && parent[52] == '-' && parent[3:35] != zeroTrace {
		copy(b, parent)
	} else {
		copy(b, "00-")
		hex64(b[3:19])
		hex64(b[19:35])
		b[35] = '-'
		copy(b[52:], "-01")
	}
	hex64(b[36:52])
	return string(b)
}

const zeroTrace = "00000000000000000000000000000000"

func hex64(dst []byte) {
	var raw [8]byte
	v := rand.Uint64() | 1 // never all zero, which means invalid
	for i := range raw {
		raw[i] = byte(v >> (8 * i))
	}
	hex.Encode(dst, raw[:])
}
