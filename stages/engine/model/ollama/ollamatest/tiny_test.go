package ollamatest

import (
	"bytes"
	"encoding/binary"
	"testing"
)

func TestTiny(t *testing.T) {
	t.Parallel()
	file := Tiny()
	if len(file) < 300_000 || len(file) > 700_000 || len(file)%ggufAlign != 0 {
		t.Errorf("%d bytes", len(file))
	}
	if string(file[:4]) != "GGUF" || binary.LittleEndian.Uint32(file[4:]) != 3 || binary.LittleEndian.Uint64(file[8:]) != 12 {
		t.Errorf("begins with %q", file[:16])
	}
	for _, s := range []string{"tokenizer.ggml.tokens", "<0xFF>", "blk.0.ffn_down.weight"} {
		if !bytes.Contains(file, []byte(s)) {
			t.Errorf("%s is not in the file", s)
		}
	}
}

func TestVocabulary(t *testing.T) {
	t.Parallel()
	tokens, kinds := vocabulary()
	if len(tokens) != 354+len(pieces()) || len(kinds) != len(tokens) {
		t.Fatalf("%d tokens, %d kinds", len(tokens), len(kinds))
	}
	seen := map[string]bool{}
	for _, s := range tokens {
		if seen[s] {
			t.Errorf("%q is there twice", s)
		}
		seen[s] = true
	}
}
