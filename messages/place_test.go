package messages_test

import (
	"reflect"
	"testing"

	"hopstream/messages"
)

// TestSearched: the headings above a passage are searched, but the one that it
// begins with only once.
func TestSearched(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ heading, text, above string }{
		{"", "# Dates\n\nIn May.", ""},
		{"", "In May.", ""},
		{"Dates", "In May.", "Dates"},
		{"Dates", "# Dates\n\nIn May.", ""},
		{"Approval › Dates", "## Dates ##\nIn May.", "Approval"},
		{"Approval › Dates", "## Days\nIn May.", "Approval\nDates"},
		{"Approval › a > b", "## a › b\nIn May.", "Approval"},
		{"Approval › Dates", "Dates\nIn May.", "Approval\nDates"},
	} {
		p := messages.Passage{Text: c.text, Place: messages.Place{Heading: c.heading}}
		want := c.text
		if c.above != "" {
			want = c.above + "\n" + c.text
		}
		if p.Above() != c.above || p.Searched() != want {
			t.Errorf("%q with %q: %q, %q", c.heading, c.text, p.Above(), p.Searched())
		}
	}
}

func TestPackPlace(t *testing.T) {
	t.Parallel()
	for packed, place := range map[string]messages.Place{
		"":                    {},
		`{"heading":"A › B"}`: {Heading: "A › B"},
		`{"heading":"A","lines":[[0,41],[2,45]],"pages":[[0,3]]}`: {Heading: "A", Lines: messages.Lines{{0, 41}, {2, 45}}, Pages: messages.Pages{{0, 3}}},
	} {
		if got := messages.PackPlace(place); got != packed {
			t.Errorf("%+v is packed as %s", place, got)
		}
		if got := messages.UnpackPlace(packed); !reflect.DeepEqual(got, place) {
			t.Errorf("%s is unpacked as %+v", packed, got)
		}
	}
	if got := messages.UnpackPlace(`{"heading":1}`); !reflect.DeepEqual(got, messages.Place{}) {
		t.Errorf("what is no place is unpacked as %+v", got)
	}
}
