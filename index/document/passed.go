package document

import "path/filepath"

// Why a file or folder was not read. A format may have reasons of its own.
const (
	Hidden        = "hidden"
	UnknownEnding = "unknown ending"
	Empty         = "empty"
	Binary        = "binary"
	Unreadable    = "unreadable"
	NoFile        = "not a regular file"
	BrokenLink    = "broken link"
	Cycle         = "symlink cycle"
	Twice         = "read under another name"
	BadName       = "name is not UTF-8"
)

// Ending returns the ending that a file of an unknown one is counted by; it is
// empty where there is none.
func Ending(path string) string {
	if ext := filepath.Ext(path); ext != "." {
		return ext
	}
	return ""
}

// note tells of a file or folder that is not read, and why.
func (r *reading) note(path, reason string) {
	if reason != Hidden {
		r.stats.Skipped++
	}
	if r.passedOver != nil {
		r.passedOver(path, reason)
	}
}
