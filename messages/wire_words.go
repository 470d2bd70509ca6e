package messages

import "encoding/binary"

// Most of a message is text whose bytes stand for themselves. The reader and
// the writer pass over it eight bytes at a time.

func load8(s string) uint64 { return binary.LittleEndian.Uint64([]byte(s[:8])) }

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// zero has the high bit of some byte set where a byte of w is 0, and only then.
func zero(w uint64) uint64 { return (w - ones) &^ w & highs }

// plainWord reports whether plainByte has all eight bytes of w.
func plainWord(w uint64) bool {
	control := (w - ' '*ones) &^ w & highs // a byte below the space
	return control|zero(w^'"'*ones)|zero(w^'\\'*ones) == 0
}

// safePrefix returns how many bytes s begins with that safeByte has; seven
// fewer at most.
func safePrefix(s string) (n int) {
	for n+8 <= len(s) {
		w := load8(s[n:])
		angle := w&^(2*ones) ^ '<'*ones // < and > differ in that bit
		if ((w-' '*ones)&^w|w|zero(w^'"'*ones)|zero(w^'\\'*ones)|zero(angle)|zero(w^'&'*ones))&highs != 0 {
			break
		}
		n += 8
	}
	return n
}
