package train

import (
	"bytes"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hopstream/stages/engine/builtin/weights"
)

const (
	accuracyFloor = 88  // percent
	typingLoss    = 1.5 // points that the way of typing may cost
	boundaryLoss  = 3   // and leaving out what ends the sentences within
)

// TestRouterAccuracy measures the shipped router on questions that nothing was
// fitted on, each set of a class counting alike, as they are and as others would
// type them.
func TestRouterAccuracy(t *testing.T) {
	if testing.Short() {
		t.Skip("reads eleven question sets")
	}
	root := os.Getenv("HOPSTREAM_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(filepath.Join(root, "musique", "questions.jsonl")); err != nil {
		t.Skipf("no question sets at %s: set HOPSTREAM_DATA to the folder that holds musique, nq, …", root)
	}
	_, held, err := Routes(root, "")
	if err != nil {
		t.Fatal(err)
	}
	w := weights.Shipped()
	as := MeasureRouter(w, held)
	var b bytes.Buffer
	if err := as.print(&b); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", b.String())
	if as.Accuracy < accuracyFloor {
		t.Errorf("accuracy is %.2f %%, want at least %d", as.Accuracy, accuracyFloor)
	}
	for _, name := range slices.Sorted(maps.Keys(typings)) {
		typed := slices.Clone(held)
		for i := range typed {
			typed[i].Text = typings[name](typed[i].Text)
		}
		a := MeasureRouter(w, typed).Accuracy
		t.Logf("%-13s %6.2f %%", name, a)
		loss := typingLoss
		if name == "no marks" {
			loss = boundaryLoss
		}
		if math.Abs(a-as.Accuracy) > loss {
			t.Errorf("%s: accuracy is %.2f %%, as written %.2f", name, a, as.Accuracy)
		}
	}
}

// typings are ways to type the same question.
var typings = map[string]func(string) string{
	"lower case": strings.ToLower,
	"upper case": strings.ToUpper,
	"no mark":    func(q string) string { return strings.TrimRight(q, " ?.!") },
	// Question marks within end sentences, which are content; the router still has
	// to see most of them by the words.
	"no marks": unmarked,
	"mark":     func(q string) string { return strings.TrimRight(q, " ?.!") + "?" },
	"token blanks": func(q string) string {
		return strings.Join(strings.Fields(marksApart.ReplaceAllString(q, " $1 ")), " ")
	},
	"no quotes": func(q string) string { return quoteMarks.Replace(q) },
	"all of them": func(q string) string {
		q = marksApart.ReplaceAllString(strings.ToLower(quoteMarks.Replace(q)), " $1 ")
		return strings.TrimRight(strings.Join(strings.Fields(q), " "), " ?.!")
	},
}

var (
	marksApart = regexp.MustCompile(`([,;:?!()"“”]|['’]s\b|n't\b)`)
	quoteMarks = strings.NewReplacer(`"`, "", "“", "", "”", "", "``", "", "''", "", "‘", "")
)
