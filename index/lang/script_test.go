package lang

import (
	"strings"
	"testing"
)

// TestScripts has texts in scripts that put no space between words.
func TestScripts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"NATS服务器的端口是4222。":      "NATS 服 务 器 (的) 端 口 (是) 4222",
		"図書館はサーバーにあります。":        "図 書 館 (は) サーバー (に) (あ) (り) (ま) (す)",
		"ＡＰＩ（版本２）":              "ＡＰＩ (版 本 ２",
		"die Größe der Dateien": "die Größe der Dateien",
		"Москва это город":      "Москва это город",
		"서울은 수도이다":              "서울은 수도이다",
	} {
		var got []string
		for _, tok := range Tokens(text) {
			s := tok.Text
			switch {
			case tok.Stop:
				s = "(" + s + ")"
			case tok.Sep.Any(Open):
				s = "(" + s
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", text, s, want)
		}
		sc := Scan(text)
		for i, tok := range Tokens(text) {
			if !sc.Next() || sc.Start != tok.Start || sc.End != tok.End || sc.Hash(&Wanted{}) != 0 && sc.Hash(&Wanted{}) != tok.Hash {
				t.Errorf("%s: token %d is another to a scanner", text, i)
			}
		}
	}
	toks := Tokens("他来了。她走了！谁？API")
	if !toks[3].First || !toks[6].First || !toks[7].First || toks[4].First {
		t.Errorf("sentences of %+v", toks)
	}
	if toks := Tokens("ＡＰＩ"); toks[0].Norm != "api" {
		t.Errorf("%+v", toks)
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		most  int
		words int
		first string
	}{
		{"one two  three", 2, 3, "one two  "}, {"one", 5, 1, "one"}, {"", 3, 0, ""}, {" a-b c ", 1, 2, " a-b "},
		{"端口是四二二二", 2, 4, "端口是四"}, {"API端口", 1, 2, "API"}, {"用 API 吗", 9, 3, "用 API 吗"},
	} {
		if n, end := Words(c.text, c.most); n != c.words || c.text[:end] != c.first {
			t.Errorf("%q: %d words, the first %d are %q", c.text, n, c.most, c.text[:end])
		}
	}
}
