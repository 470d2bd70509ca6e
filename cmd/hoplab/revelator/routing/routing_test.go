package routing

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/cmd/hoplab/score"
	"hopstream/messages"
)

// Each question is asked once, and an error ends the work.
func TestConfuse(t *testing.T) {
	t.Parallel()
	questions := []Question{{"a?", messages.Single}, {"b?", messages.Single}, {"c?", messages.Complex}, {"d?", messages.Compound}}
	steps := 0
	c, err := confuse(t.Context(), func(_ context.Context, q string) (messages.Class, error) {
		if q == "b?" {
			return messages.Complex, nil
		}
		return questions[q[0]-'a'].Class, nil
	}, questions, 2, func() { steps++ })
	if err != nil || steps != 4 || c.Accuracy() != 0.75 || c["single"]["complex"] != 1 {
		t.Errorf("%v after %d: %v", err, steps, c)
	}
	sick := errors.New("sick")
	if _, err := confuse(t.Context(), func(context.Context, string) (messages.Class, error) { return "", sick }, questions, 2, func() {}); !errors.Is(err, sick) {
		t.Errorf("%v", err)
	}
}

func TestPrint(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	r := Result{Router: "m", Questions: 4, Accuracy: 75, Confusion: score.Confusion{"single": {"single": 1, "complex": 1}, "complex": {"complex": 2}}}
	if err := r.print(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	if !strings.Contains(lines[0], "75.00 % of 4") || strings.Join(strings.Fields(lines[1]), " ") != "single complex" ||
		strings.Join(strings.Fields(lines[2]), " ") != "single 50.0 50.0" || strings.Join(strings.Fields(lines[3]), " ") != "complex 0.0 100.0" {
		t.Errorf("%s", b.String())
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), File)
	for text, want := range map[string]string{
		"":                                 "holds no question",
		`{"question":"a?","class":"odd"}`:  `class "odd"`,
		`{"question":"a?","class":"single`: File,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := read(path + "x"); err == nil || !strings.Contains(err.Error(), "revelator-data") {
		t.Errorf("%v", err)
	}
}
