package records

import (
	"fmt"
	"strings"
	"testing"

	"hopstream/index/document/draft"
)

func collect() (*draft.Writer, *[]draft.Part) {
	var parts []draft.Part
	return draft.New(0, func(p draft.Part) error { parts = append(parts, p); return nil }), &parts
}

func TestCSV(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, want, fault string }{
		{"comma", "\uFEFFname,age\r\n\"Smith, J\",\"4\"\"2\"\r\n\r\nx,,more\n", "name: Smith, J\nage: 4\"2\n\f\nname: x\nColumn 3: more", ""},
		{"semicolon", "a;b\n1,5;\"x\ny\"\n2;z", "a: 1,5\nb: x\ny\n\f\na: 2\nb: z", ""},
		{"no header", "1\tx\n2\ty\n", "Column 1: 1\nColumn 2: x\n\f\nColumn 1: 2\nColumn 2: y", ""},
		{"quote within", "a|b\n5\" pipe|x\n", "a: 5\" pipe\nb: x", ""},
		{"open quote", "a,b\nx,y\n\"z,1\n", "a: x\nb: y", "line 3 is not closed"},
	} {
		w, parts := collect()
		err := CSV(w, strings.NewReader(test.in))
		if _, cerr := w.Close(); cerr != nil || (err == nil) != (test.fault == "") || err != nil && !strings.Contains(err.Error(), test.fault) {
			t.Errorf("%s: %v %v", test.name, err, cerr)
		}
		if got := (*parts)[0].Text; got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	w, parts := collect()
	if err := CSV(w, strings.NewReader("a,b\nx,\"1\n2\"\ny,3\n")); err != nil {
		t.Fatal(err)
	}
	_, _ = w.Close()
	if p := (*parts)[0]; p.Lines.At(0) != 2 || p.Lines.At(4) != 4 {
		t.Errorf("%q %v", p.Text, p.Lines)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, in string
		fields   Fields
		want     string // records, then the file's own document
		fault    string
	}{
		{"list", "\uFEFF[{\"id\":1e3,\"name\":\"N\",\"body\":\"B\",\"date\":\"2020-01-02\"},\n{\"x\":{\"y\":[1,2]},\"z\":[{\"a\":true},null]}]", nil,
			"1:1e3|N|B|2020-01-02 2:|||x.y: 1, 2\nz.0.a: true", ""},
		{"mapped", `[{"a":{"n":7},"t":"T","one":"1","two":["x","y"]}]`, Fields{"id": {"a.n"}, "title": {"t"}, "text": {"one", "two"}}, "1:7|T|1\n\nx\n\ny|", ""},
		{"wrapped", `{"total":2,"items":[{"title":"A","text":"a"},{"title":"B","text":"b"}]}`, nil, "1:|A|a| 1:|B|b| total: 2", ""},
		{"object", "{\n\"title\":\"T\",\n\"deps\":{\"x\":\"^1\"},\n\"tags\":[\"a\",\"b\"],\"text\":\"See\\n\\n# H\"}", nil, "T: deps.x: ^1\ntags: a, b\n\nSee\n\n# H", ""},
		{"scalars", `["a", 2, [3]]`, nil, ": 3\n\na, 2", ""},
		{"broken", `[{"id":"a","text":"x"},{"id":`, nil, "1:a||x|", "breaks off"},
		{"rubbish", "{\"a\":\n try}", nil, "", "in line 2"},
		{"two", `{"a":1}{"a":2}`, nil, ": a: 1", "more than one value"},
		{"deep", strings.Repeat("[", 500) + strings.Repeat("]", 500), nil, "", "more than 200 deep"},
		{"empty", " ", nil, "", "no text"},
	} {
		var got []string
		w, parts := collect()
		err := JSON(w, strings.NewReader(test.in), test.fields, func(r Record, n, line int) error {
			if r.ID == "" && r.Title == "" {
				got = append(got, fmt.Sprintf("%d:|||%s", n, r.Text))
				return nil
			}
			got = append(got, fmt.Sprintf("%d:%s|%s|%s|%s", line, r.ID, r.Title, r.Text, r.Date))
			return nil
		})
		if _, over := err.(draft.PassedOver); over {
			err = nil
		}
		_, _ = w.Close()
		for _, p := range *parts {
			got = append(got, strings.TrimPrefix(p.Title+": ", ": ")+p.Text)
			if p.Title == "" && test.name != "wrapped" {
				got[len(got)-1] = ": " + p.Text
			}
		}
		if (err == nil) != (test.fault == "") || err != nil && !strings.Contains(err.Error(), test.fault) {
			t.Errorf("%s: %v", test.name, err)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %q", test.name, strings.Join(got, " "), test.want)
		}
	}
}
