package wordnet

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// small is a database of few words, in the format of the real one.
var small = map[string]string{
	"data.verb": "  1 a licence\n" +
		"00000010 30 v 02 delete 0 erase 3 001 + 00000010 n 0101 01 + 08 00 | remove; \"delete it\"\n" +
		"00000020 30 v 02 rub_out 0 erase 1 000 01 + 08 00 | wipe\n",
	"index.verb": "  1 a licence\n" +
		"delete v 1 1 + 1 0 00000010  \n" +
		"erase v 2 0 2 0 00000010 00000020  \n" +
		"rub_out v 1 0 1 0 00000020  \n",
	"data.noun":  "00000010 04 n 01 deletion 0 001 + 00000010 v 0101 | removal\n",
	"index.noun": "deletion n 1 1 + 1 0 00000010  \n",
	"data.adj":   "00000010 00 s 02 quick(p) 0 fast 0 001 & 00000020 a 0000 | swift\n",
	"index.adj":  "quick a 1 1 & 1 0 00000010  \nfast a 1 0 1 0 00000010  \n",
	"data.adv":   "", "index.adv": "",
}

func folder(t *testing.T, all map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range all {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestWrite(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := Write(&out, folder(t, small)); err != nil {
		t.Fatal(err)
	}
	if want := "delet eras\nfast quick\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	for name, text := range map[string]string{"data.noun": "00000010 04 n 02 deletion 0\n", "index.verb": "delete v x\n"} {
		broken := map[string]string{}
		for n, s := range small {
			broken[n] = s
		}
		broken[name] = text
		if err := Write(&out, folder(t, broken)); err == nil || !strings.Contains(err.Error(), name+":1") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Write(&out, t.TempDir()); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// TestShipped writes the table that is shipped from the database that it was made of.
func TestShipped(t *testing.T) {
	t.Parallel()
	const installed = "/usr/share/wordnet" // as Debian's wordnet-base has it
	if _, err := os.Stat(filepath.Join(installed, "data.noun")); err != nil {
		t.Skip("WordNet is not installed:", err)
	}
	var out bytes.Buffer
	if err := Write(&out, installed); err != nil {
		t.Fatal(err)
	}
	const table = "../../../index/lang/related.txt"
	if shipped, err := os.ReadFile(table); err != nil || !bytes.Equal(shipped, out.Bytes()) {
		t.Errorf("not what hoplab wordnet writes: %v", err)
	}
}
