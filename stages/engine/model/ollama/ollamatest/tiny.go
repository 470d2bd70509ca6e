package ollamatest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ollama/ollama/api"
)

// The tiny model's measures.
const (
	// TinyContext is how many tokens the tiny model's context holds at most.
	TinyContext = 8192
	// TinyVector is the length of the tiny model's embeddings.
	TinyVector = 64

	heads       = 1
	headWide    = 16
	feedForward = 128
)

// template shows each message on a line. What the model makes of it does not
// matter; that each message gets there does.
const template = "{{ range .Messages }}{{ .Role }}: {{ .Content }}\n{{ end }}assistant: "

// CreateTiny makes the tiny model known under name to the server at url. The
// same model each time.
//
// A common word or a character of ASCII is one token of it, any other
// character one token per byte, and there are two more for the beginning.
func CreateTiny(t testing.TB, serverURL, name string) {
	t.Helper()
	base, err := url.Parse(serverURL)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	c := api.NewClient(base, &http.Client{Transport: transport})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()

	file := Tiny()
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(file))
	if err := c.CreateBlob(ctx, digest, bytes.NewReader(file)); err != nil {
		t.Fatalf("uploading the tiny model: %v", err)
	}
	request := &api.CreateRequest{Model: name, Files: map[string]string{"tiny.gguf": digest}, Template: template,
		// Threads that wait for each other at every step make a model of this
		// size a hundred times slower once the machine is busy.
		Parameters: map[string]any{"num_thread": 1, "repeat_penalty": 1.5}}
	if err := c.Create(ctx, request, func(api.ProgressResponse) error { return nil }); err != nil {
		t.Fatalf("creating %s of the tiny model: %v", name, err)
	}
}

// Tiny returns the tiny model's file, in the GGUF format: a llama of one layer
// with random weights and a vocabulary of single characters and bytes.
var Tiny = sync.OnceValue(func() []byte {
	tokens, kinds := vocabulary()
	const wide = TinyVector
	r := rand.New(rand.NewPCG(1, 2))
	random := func(name string, shape ...int) tensor {
		n := 1
		for _, d := range shape {
			n *= d
		}
		data := make([]float32, n)
		scale := 1 / math.Sqrt(float64(shape[0]))
		for i := range data {
			data[i] = float32(r.NormFloat64() * scale)
		}
		return tensor{name, shape, data}
	}
	// Every token has the same number in the first place. It comes through to
	// the output, where it makes a token as likely as likelihood says.
	embedding, output := random("token_embd.weight", wide, len(tokens)), random("output.weight", wide, len(tokens))
	for i := range tokens {
		embedding.data[i*wide] = 1
		for j := range wide {
			output.data[i*wide+j] *= 0.6
		}
		output.data[i*wide] = likelihood(tokens[i]) / 4
	}
	ones := func(name string) tensor {
		t := random(name, wide)
		for i := range t.data {
			t.data[i] = 1
		}
		return t
	}
	return writeGGUF([]setting{
		{"general.architecture", "llama"},
		{"general.name", "tiny"},
		{"general.file_type", uint32(0)},
		{"llama.context_length", uint32(TinyContext)},
		{"llama.embedding_length", uint32(wide)},
		{"llama.block_count", uint32(1)},
		{"llama.feed_forward_length", uint32(feedForward)},
		{"llama.attention.head_count", uint32(heads)},
		{"llama.attention.head_count_kv", uint32(heads)},
		{"llama.attention.key_length", uint32(headWide)},
		{"llama.attention.value_length", uint32(headWide)},
		{"llama.attention.layer_norm_rms_epsilon", float32(1e-5)},
		{"llama.rope.dimension_count", uint32(headWide)},
		{"llama.vocab_size", uint32(len(tokens))},
		{"tokenizer.ggml.model", "llama"},
		{"tokenizer.ggml.tokens", tokens},
		{"tokenizer.ggml.scores", scores(tokens)},
		{"tokenizer.ggml.token_type", kinds},
		{"tokenizer.ggml.unknown_token_id", uint32(0)},
		{"tokenizer.ggml.bos_token_id", uint32(1)},
		{"tokenizer.ggml.eos_token_id", uint32(2)},
		{"tokenizer.ggml.add_bos_token", true},
		{"tokenizer.ggml.add_eos_token", false},
	}, []tensor{
		embedding,
		ones("blk.0.attn_norm.weight"),
		random("blk.0.attn_q.weight", wide, heads*headWide),
		random("blk.0.attn_k.weight", wide, heads*headWide),
		random("blk.0.attn_v.weight", wide, heads*headWide),
		random("blk.0.attn_output.weight", heads*headWide, wide),
		ones("blk.0.ffn_norm.weight"),
		random("blk.0.ffn_gate.weight", wide, feedForward),
		random("blk.0.ffn_up.weight", wide, feedForward),
		random("blk.0.ffn_down.weight", feedForward, wide),
		ones("output_norm.weight"),
		output,
	})
})

// vocabulary returns the tokens and their kinds: three marks, all bytes, the
// visible characters of ASCII, with ▁ for the space as in SentencePiece, and the
// beginnings of common words. Other characters are encoded byte by byte.
func vocabulary() (tokens []string, kinds []int32) {
	const normal, unknown, control, single = 1, 2, 3, 6
	tokens = []string{"<unk>", "<s>", "</s>"}
	kinds = []int32{unknown, control, control}
	for b := range 256 {
		tokens = append(tokens, fmt.Sprintf("<0x%02X>", b))
		kinds = append(kinds, single)
	}
	for r := '!'; r <= '~'; r++ {
		tokens = append(tokens, string(r))
		kinds = append(kinds, normal)
	}
	tokens, kinds = append(tokens, "▁"), append(kinds, normal)
	for _, piece := range pieces() {
		tokens, kinds = append(tokens, piece), append(kinds, normal)
	}
	return tokens, kinds
}

// scores says which pieces a tokenizer joins first: the longest.
func scores(tokens []string) []float32 {
	out := make([]float32, len(tokens))
	for i, t := range tokens {
		if strings.HasPrefix(t, "▁") {
			out[i] = float32(len(t))
		}
	}
	return out
}

// likelihood is the natural logarithm of how likely a token is, compared to a
// digit. Replies of all tokens alike would have strings of hundreds of bytes
// before the quote that ends them, and no end if not held to a schema.
func likelihood(token string) float32 {
	var b byte
	switch {
	case strings.HasPrefix(token, "▁") && len(token) > len("▁"):
		return -1
	case token == "<unk>", token == "<s>":
		return -20
	case token == "</s>", token == "▁":
		return 3
	case token == `"`:
		return 3
	case len(token) == 1 && (token[0]|' ' >= 'a' && token[0]|' ' <= 'z'):
		return 1
	case len(token) == 1:
		return 0
	}
	fmt.Sscanf(token, "<0x%02X>", &b)
	if b >= 0x80 {
		return -2
	}
	return -4
}
