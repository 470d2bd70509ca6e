package seeds_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nkeys"

	"hopstream/cmd/internal/seeds"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "seeds")
	d := seeds.Folder(dir)
	keys := func() []string {
		t.Helper()
		all, err := d.Keys("router")
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range all {
			if !nkeys.IsValidPublicUserKey(k) {
				t.Errorf("%q is no public key of a user", k)
			}
		}
		return all
	}
	if err := d.Next("router"); err == nil {
		t.Error("a seed that is not there has a next one")
	}
	first := keys()
	if again := keys(); len(first) != 1 || !slices.Equal(first, again) {
		t.Errorf("%v, and then %v", first, again)
	}
	for path, mode := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "router.nk"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s is %v, %v", path, info.Mode(), err)
		}
	}
	if err := d.Replace("router"); err == nil || !strings.Contains(err.Error(), "rotate router") {
		t.Errorf("replaced by nothing: %v", err)
	}
	for range 2 {
		if err := d.Next("router"); err != nil {
			t.Fatal(err)
		}
	}
	both := keys()
	if len(both) != 2 || both[0] != first[0] || both[1] == first[0] {
		t.Errorf("%v beside %v", both, first)
	}
	if err := d.Replace("router"); err != nil {
		t.Fatal(err)
	}
	if now := keys(); !slices.Equal(now, both[1:]) {
		t.Errorf("%v instead of %v", now, both[1:])
	}
	if err := os.WriteFile(filepath.Join(dir, "judge.nk"), []byte("SUhiddenseed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Keys("judge"); err == nil || strings.Contains(err.Error(), "hidden") {
		t.Errorf("a file that holds no seed: %v", err)
	}
}
