package rules

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const text = `package sample

import "strings"

// words are those that count.
var words = map[string]bool{"a": true}

var table = [...]string{"x", "y"}

type thing struct{ words int }

// Known reports whether a word counts.
func Known(w string) bool { return words[strings.ToLower(w)] }

func (t *thing) both() (int, error) {
	words := t.words // its own
	return words, nil
}

func named() (s string, err error) {
	for _, x := range table[:1] {
		s += x
	}
	return
}
`

// TestInstrument holds that every function has a switch that returns nothing, that
// lists have one where they are read, and that other names are left alone.
func TestInstrument(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "sample.go")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	files, rules, err := instrument(dir, "example", nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range rules {
		names = append(names, r.Name)
	}
	if got, want := strings.Join(names, " "), "sample.words sample.table sample.Known sample.thing.both sample.named"; got != want {
		t.Errorf("rules %s, want %s", got, want)
	}
	got := string(files[path])
	for _, want := range []string{
		`package sample; import hoplabswitch "example/hoplabswitch"`,
		`{ if hoplabswitch.Off(2) { return *new(bool) }; return hoplabswitch.List(0, words)[strings.ToLower(w)] }`,
		`{ if hoplabswitch.Off(3) { return *new(int), *new(error) };`,
		`{ if hoplabswitch.Off(4) { return };`,
		"words := t.words", "range table[:1]",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if _, err := parser.ParseFile(token.NewFileSet(), path, files[path], 0); err != nil {
		t.Error(err)
	}
}

// TestRow holds what a row of the table says.
func TestRow(t *testing.T) {
	t.Parallel()
	r := Result{Rule: Rule{Name: "lang.x", Place: "x.go:1", Lines: 3}, Effects: []Effect{
		{Set: "a", Came: 5, Changed: 2, Better: 1, Worse: 1}, {Set: "b", Came: 7}, {Set: "c", Came: 1, Changed: 1, Worse: 1}}}
	got := strings.Join(row(r, []Effect{{Set: "a", Came: 10}, {Set: "b", Came: 10}, {Set: "c", Came: 10}}), " ")
	if want := "lang.x x.go:1 3 13 3 2 1 2 2 0 1"; got != want {
		t.Errorf("row %s, want %s", got, want)
	}
}
