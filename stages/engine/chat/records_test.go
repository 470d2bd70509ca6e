package chat

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"hopstream/messages"
)

// recordsOf are claims with their fields and sources, as a text.
func recordsOf(claims []messages.Claim) string {
	out := make([]string, len(claims))
	for i, c := range claims {
		out[i] = c.Text
		for _, f := range c.Fields {
			out[i] += fmt.Sprintf(" %s=%s", f.Name, f.Value)
		}
		for _, s := range c.Citations {
			out[i] += " @" + s.ID
		}
	}
	return strings.Join(out, " | ")
}

// TestRecordsAreRead holds that an answer's items have fields, whichever way a
// model writes them, and that the text says them too.
func TestRecordsAreRead(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]string{
		`[{"name":"length","value":"12 km"},{"name":"source","value":"Holm"}]`:               "Tarn length=12 km source=Holm",
		`{"length":"12 km","source":["Holm","Aune"]}`:                                        "Tarn length=12 km source=Holm, Aune",
		`[{"length":12},{"source":"Holm; Aune"}]`:                                            "Tarn length=12 source=Holm, Aune",
		`[{"name":"length","value":"not stated"},{"name":"source"},{"name":"source"}]`:       "Tarn length= source=",
		`[{"name":"length","value":null},{"name":"Length","value":"12 km"}]`:                 "Tarn length=12 km",
		`[{"name":"","value":"12 km"},{"name":"` + strings.Repeat("x", 81) + `","value":1}]`: "Tarn",
		`[{"name":"length","value":"` + strings.Repeat("x", 601) + `"}]`:                     "Tarn length=",
		`"none"`: "Tarn",
	} {
		e, _ := scripted(Options{}, `{"quotes":[],"answer":"","passages":[],"items":[{"passages":[1],"answer":"Tarn","fields":`+fields+`},{"passages":[2],"answer":"Aune"}]}`)
		f, err := e.Answer(t.Context(), "Which?", windows)
		if got := recordsOf(f.Claims); err != nil || got != want+" @a | Aune @b" {
			t.Errorf("%s: %s, %v, want %s", fields, got, err, want)
		}
	}
	e, _ := scripted(Options{}, `{"answer":"","items":[{"passages":[1],"answer":"Tarn","fields":[{"name":"length","value":"12 km"},{"name":"sou`)
	if f, err := e.Answer(t.Context(), "Which?", windows); err != nil || recordsOf(f.Claims) != "Tarn length=12 km @a" { // the reply broke off
		t.Error(f, err)
	}
	e, _ = scripted(Options{}, `{"answer":"","items":[{"passages":[1],"answer":"Tarn","fields":[{"name":"length","value":"12 km"},{"name":"depth","value":""},{"name":"source","value":"Holm"}]},{"passages":[2],"answer":"Aune","fields":[]}]}`)
	if f, err := e.Answer(t.Context(), "Which?", windows); err != nil || f.Text != "Tarn (length: 12 km, source: Holm); Aune" {
		t.Error(f.Text, err)
	}
	many := make([]string, messages.MaxFields+3)
	for i := range many {
		many[i] = fmt.Sprintf(`"f%d":"v"`, i)
	}
	e, _ = scripted(Options{}, `{"answer":"","items":[{"answer":"Tarn","fields":{`+strings.Join(many, ",")+`}}]}`)
	if f, err := e.Answer(t.Context(), "Which?", windows); err != nil || len(f.Claims) != 1 || len(f.Claims[0].Fields) != messages.MaxFields {
		t.Error(f, err)
	}
}

// TestRecordsAreFused holds that records of the same name are one, with the fields
// of each scale.
func TestRecordsAreFused(t *testing.T) {
	t.Parallel()
	record := func(source, name string, fields ...messages.Field) messages.Claim {
		return messages.Claim{Text: name, Fields: fields, Citations: []messages.Source{{ID: source}}}
	}
	length, spring := messages.Field{Name: "length", Value: "12 km"}, messages.Field{Name: "source", Value: "Holm"}
	tarn, aune := record("a", "Tarn", length, messages.Field{Name: "source"}), record("b", "Aune")
	again := record("c", "tarn", spring)
	for name, x := range map[string]struct {
		findings []messages.Finding
		reply    string
		want     string
		calls    int
	}{
		"the same names": {[]messages.Finding{listed([]messages.Claim{tarn, aune}), listed([]messages.Claim{aune, again})}, "", "Tarn length=12 km source=Holm @a @c | Aune @b", 0},
		"one name":       {[]messages.Finding{listed([]messages.Claim{tarn}), listed([]messages.Claim{again})}, "", "Tarn length=12 km source=Holm @a @c", 0},
		"other names": {[]messages.Finding{listed([]messages.Claim{tarn}), listed([]messages.Claim{again, aune})}, `{"readers":[2],"answer":"Tarn (source: Holm); Aune"}`,
			"Tarn length=12 km source=Holm @a @c | Aune @b", 1},
	} {
		e, s := scripted(Options{}, x.reply)
		f, err := e.Fuse(t.Context(), "Which?", x.findings, nil)
		if got := recordsOf(f.Claims); err != nil || got != x.want || len(s.Asked()) != x.calls {
			t.Errorf("%s: %s, %v, %d calls, want %s", name, got, err, len(s.Asked()), x.want)
		}
	}
	if !reflect.DeepEqual(tarn, record("a", "Tarn", length, messages.Field{Name: "source"})) { // what is given stays as it is
		t.Error(tarn)
	}
}

// TestRecordsAreComposed holds that the final answer may be records, which rest on
// what the findings do that they name.
func TestRecordsAreComposed(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]string{
		`{"findings":[1,2],"answer":"","items":[{"findings":[2],"answer":"Tarn","fields":[{"name":"length","value":"12 km"}]},{"findings":[1,3,9],"answer":"Aune"}]}`: "Tarn length=12 km @b @a | Aune @a",
		`{"findings":[1],"answer":null,"items":[{"findings":[1],"answer":"Tarn","fields":{"length":"12 km"}}]}`:                                                       "Tarn length=12 km @a",
		`{"findings":[1],"answer":"Tarn","items":[{"findings":[1],"answer":"Aune"}]}`:                                                                                 "",
	} {
		for _, class := range []messages.Class{messages.Complex, messages.Compound} {
			e, _ := scripted(Options{}, reply)
			f, err := e.Synthesize(t.Context(), "Which?", class, pairs)
			if got := recordsOf(f.Claims); err != nil || got != want || f.Text == "" || len(f.Sources) == 0 {
				t.Errorf("%s: %s, %+v, %v, want %s", reply, got, f, err, want)
			}
		}
	}
}
