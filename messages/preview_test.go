package messages

import (
	"strings"
	"testing"
)

func TestPreviewOnTheWire(t *testing.T) {
	t.Parallel()
	p := Preview{ID: "q", N: 2, Attempt: 1760000000000, Text: "in “Tarnby”"}
	const wire = `{"id":"q","n":2,"attempt":1760000000000,"text":"in “Tarnby”"}`
	if got := string(p.Encode()); got != wire {
		t.Errorf("written as %s", got)
	}
	if got, err := DecodePreview([]byte(wire)); err != nil || *got != p {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"", "no JSON", `{"id":"q","n":0,"attempt":1}`, `{"n":1,"attempt":1}`, `{"id":"q","n":1}`} {
		if _, err := DecodePreview([]byte(bad)); err == nil || !strings.Contains(err.Error(), "preview") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if s := DefaultNames().Text("q"); s != "hop.text.q" {
		t.Errorf("under %s", s)
	}
}
