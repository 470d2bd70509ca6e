package lang

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write dictionary.bin from the public sets")

// inTexts is how many passages a stem is in, in small letters, to be in the
// dictionary.
const inTexts = 3

// TestDictionary holds that dictionary.bin is that of the public sets' passages:
//
//	go test ./index/lang -run TestDictionary -update
func TestDictionary(t *testing.T) {
	t.Parallel()
	data := os.Getenv("HOPSTREAM_DATA")
	if data == "" {
		data = "../../../shared/data"
	}
	count := map[string]int{}
	for _, set := range []string{"2wikimultihopqa", "hotpotqa", "musique", "nq", "popqa", "squad"} {
		err := countStems(filepath.Join(data, set, "corpus.jsonl"), count)
		if errors.Is(err, fs.ErrNotExist) {
			t.Skipf("no public sets at %s: name their folder in HOPSTREAM_DATA", data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	filter := make([]byte, 1<<dictionaryBits/8)
	words := 0
	for stem, n := range count {
		if n >= inTexts {
			words++
			a, b := dictionaryPlaces(stem)
			filter[a>>3] |= 1 << (a & 7)
			filter[b>>3] |= 1 << (b & 7)
		}
	}
	if *update {
		if err := os.WriteFile("dictionary.bin", filter, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(filter) != dictionary {
		t.Error("dictionary.bin is not that of the sets: run with -update")
	}
	set := 0
	for _, b := range filter {
		set += bits.OnesCount8(b)
	}
	full := float64(set) / (1 << dictionaryBits)
	if t.Logf("%d stems, %.1f %% of the bits, so %.2f %% of other words", words, 100*full, 100*full*full); full > 0.1 {
		t.Error("the filter is too small")
	}
}

// countStems counts for each stem the passages of a file that have it in small
// letters.
func countStems(file string, count map[string]int) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	var toks []Token
	for lines.Scan() {
		var p struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return err
		}
		toks = AppendTokens(toks[:0], p.Text)
		seen := map[string]bool{}
		for i := range toks {
			if t := &toks[i]; !t.Cap && !t.Num && !Character(t) && !seen[t.Stem] {
				seen[t.Stem] = true
				count[t.Stem]++
			}
		}
	}
	return lines.Err()
}
