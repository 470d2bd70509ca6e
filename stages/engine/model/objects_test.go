package model

import (
	"strings"
	"testing"
)

func TestObjects(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]string{
		`{"x":[{"a":"1"},{"a":"2"}]}`:        "1 2",
		`{"x":[{"a":"1"},"no",{"a":3}]}`:     "1 3",
		`{"x":{"a":"1"}}`:                    "1",
		`{"x":[{"a":"1"},{"a":"2"},{"a":"4`:  "1 2",
		`{"x":[{"a":"1"},{"b":"2"},{"a":"3`:  "1",
		`{"x":[1,2]}`:                        "",
		`{"x":"{}"}`:                         "",
		`{"x":[]}`:                           "",
		`{"x":[{"a":1},{"a":2},{"a":3}]} ok`: "1 2 3",
	} {
		o, err := ReadObject(reply, "x")
		if err != nil {
			t.Errorf("%s: %v", reply, err)
			continue
		}
		var got []string
		for _, inner := range o.Objects("x", 3) {
			if s, err := inner.Text("a", 10); err == nil {
				got = append(got, s)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", reply, got, want)
		}
	}
	if o, _ := ReadObject(`{"x":[{},{},{}]}`, "x"); len(o.Objects("x", 2)) != 2 || len(o.Objects("y", 2)) != 0 {
		t.Error("count")
	}
	o, _ := ReadObject(`{"x":{"b":1,"a":[],"c":"cut`, "x")
	if keys := o.Objects("x", 1)[0].Keys(); strings.Join(keys, "") != "abc" {
		t.Error(keys)
	}
}
