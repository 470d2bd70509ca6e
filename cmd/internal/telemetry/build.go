package telemetry

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"

	"hopstream/messages"
)

// The linker sets these where a program is built without its history, as in an
// image: -ldflags "-X hopstream/cmd/internal/telemetry.version=v1.2.3 …".
var version, revision, built string

// BuildInfo says what a program was built from.
type BuildInfo struct {
	Program  string `json:"program"`
	Version  string `json:"version"`            // of the module; unknown where none was given
	Revision string `json:"revision,omitempty"` // the commit
	Modified bool   `json:"modified,omitempty"` // it was built with changes that are not committed
	Time     string `json:"time,omitempty"`     // of the commit, or of the image's build
	Wire     int    `json:"wire"`               // the wire version that it writes, and the highest it reads
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Build returns what a program was built from: what the linker was told, and
// otherwise what the Go command knew.
func Build(program string) BuildInfo {
	b := BuildInfo{Program: program, Version: version, Revision: revision, Time: built, Wire: messages.Version,
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Version = cmp.Or(b.Version, info.Main.Version)
		set := map[string]string{}
		for _, s := range info.Settings {
			set[s.Key] = s.Value
		}
		b.Revision, b.Time = cmp.Or(b.Revision, set["vcs.revision"]), cmp.Or(b.Time, set["vcs.time"])
		b.Modified, _ = strconv.ParseBool(set["vcs.modified"])
	}
	b.Version = cmp.Or(b.Version, "unknown")
	return b
}

// String is the build in one line.
func (b BuildInfo) String() string {
	text := fmt.Sprintf("%s %s %s %s wire %d", b.Program, b.Version, b.Go, b.Platform, b.Wire)
	if b.Revision != "" {
		text += " revision " + b.Revision
	}
	if b.Modified {
		text += " (modified)"
	}
	return text
}

// Version is that of the program's module, or unknown.
func Version() string { return Build("").Version }
