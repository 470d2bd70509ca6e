package cli

import (
	"bytes"
	"testing"
)

func TestStyled(t *testing.T) {
	t.Parallel()
	if Styled(new(bytes.Buffer)) {
		t.Error("a buffer is no terminal")
	}
	for _, c := range []struct {
		term, noColour string
		want           bool
	}{{"xterm-256color", "", true}, {"", "", true}, {"dumb", "", false}, {"xterm", "1", false}} {
		env := map[string]string{"TERM": c.term, "NO_COLOR": c.noColour}
		if got := styled(func(name string) string { return env[name] }); got != c.want {
			t.Errorf("TERM=%q NO_COLOR=%q: %v", c.term, c.noColour, got)
		}
	}
}
