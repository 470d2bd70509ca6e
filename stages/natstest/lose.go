package natstest

import (
	"os"
	"path/filepath"
	"testing"
)

// LoseSum removes the checksum of a stream, or of a consumer of it, from the
// store of a server that was stopped. It is what a server leaves that was
// killed between writing a configuration and writing its checksum.
func LoseSum(t testing.TB, dir, stream string, consumer ...string) {
	t.Helper()
	if err := os.Remove(filepath.Join(Kept(dir, stream, consumer...), "meta.sum")); err != nil {
		t.Fatal(err)
	}
}

// Kept is the folder in which a server that runs on dir keeps a stream, or a
// consumer of it.
func Kept(dir, stream string, consumer ...string) string {
	path := filepath.Join(dir, "jetstream", "$G", "streams", stream)
	for _, c := range consumer {
		path = filepath.Join(path, "obs", c)
	}
	return path
}
