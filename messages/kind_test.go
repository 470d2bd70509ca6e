package messages

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestKinds holds that a kind's row and its type agree.
func TestKinds(t *testing.T) {
	t.Parallel()
	seen := map[Kind]bool{}
	for _, r := range kinds {
		if seen[r.kind] {
			t.Errorf("%s has two rows", r.kind)
		}
		seen[r.kind] = true
		m := r.empty()
		if m.Kind() != r.kind {
			t.Errorf("the row of %s makes a %s", r.kind, m.Kind())
		}
		if _, ok := m.(Carrier); r.inner && !ok {
			t.Errorf("%s is inner and carries no head", r.kind)
		}
		if r.empty() == m {
			t.Errorf("the row of %s makes one message twice", r.kind)
		}
	}
	for _, k := range []Kind{"", "nonsense"} {
		if m, err := New(k); err == nil || k.Inner() {
			t.Errorf("%q is a kind: %v", k, m)
		}
	}
}

// TestKindsSubjects holds that the messages of a kind have subjects of the
// form that its row tells, and that there is one of each in testdata.
func TestKindsSubjects(t *testing.T) {
	t.Parallel()
	n := DefaultNames()
	for _, r := range kinds {
		// "<id>[.<round>]" becomes [^.]+(\.[^.]+)?
		form := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(strings.NewReplacer(".", `\.`, "[", "(", "]", ")?").Replace(r.key), "[^.]+")
		want := regexp.MustCompile(`^hop\.v1\.` + string(r.kind) + `\.` + form + `$`)
		files, err := filepath.Glob("testdata/v*/" + string(r.kind) + "*.json")
		if err != nil || len(files) == 0 {
			t.Errorf("testdata has no %s (%v)", r.kind, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m, err := Decode(r.kind, data)
			if err != nil {
				t.Fatal(err)
			}
			s := n.Of(m)
			if !want.MatchString(s) {
				t.Errorf("%s: its subject %s is not of the form %s", file, s, r.key)
			}
			if kind, key, err := n.Parse(s); err != nil || kind != r.kind || key != m.Key() {
				t.Errorf("%s: Parse(%s) = %s, %+v, %v", file, s, kind, key, err)
			}
		}
	}
}
