package architecture

import "testing"

// maxFiles is how many files a package may have, its tests not counted.
const maxFiles = 25

// larger are the packages that may have more, each with the reason.
var larger = map[string]struct {
	files int
	why   string
}{
	"hopstream/index/links":           {29, "its file format reads and writes the corpus's own tables field by field: apart, the package inside would have to show them all"},
	"hopstream/stages/engine/chat":    {29, "a small file for each role, which is read alone, beside the few that they share"},
	"hopstream/stages/engine/builtin": {32, "its inside is being replaced room by room; what is left is one room behind a small facade"},
}

// TestPackageSizes holds that a package can be held in the head.
func TestPackageSizes(t *testing.T) {
	t.Parallel()
	packages := tree(t)
	for pkg, files := range packages {
		limit := maxFiles
		if l, ok := larger[pkg]; ok {
			limit = l.files
		}
		if len(files) > limit {
			t.Errorf("%s has %d files, the limit is %d: split it by what it is about, or raise its limit with a reason", pkg, len(files), limit)
		}
	}
	for pkg, l := range larger {
		if n := len(packages[pkg]); n <= maxFiles || n < l.files || l.why == "" {
			t.Errorf("%s has %d files: it needs no limit of %d", pkg, n, l.files)
		}
	}
}
