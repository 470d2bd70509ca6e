package builtin

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	perClass      = 1500 // at most, in the balanced set
	accuracyFloor = 84   // percent
	typingLoss    = 1.5  // points that the way of typing may cost
	boundaryLoss  = 3    // and leaving out what ends the sentences within
)

// TestRouterAccuracy measures the router on questions that nothing was fitted
// on: as many of each class, and of each set of a class.
func TestRouterAccuracy(t *testing.T) {
	if testing.Short() {
		t.Skip("reads eleven question sets")
	}
	lessons, held := readExamples(t, dataRoot(t))
	if *train {
		began := time.Now()
		classWeights = fitRouter(lessons)
		classModel = newLinear(classWeights)
		writeClassWeights(t, classWeights)
		t.Logf("fitted %d traits to %d questions in %v", len(classWeights), len(lessons), time.Since(began).Round(time.Millisecond))
	}
	few := balanced(held)
	r := route(few, plain)
	r.log(t, "balanced, held out")
	if a := r.accuracy(); a < accuracyFloor {
		t.Errorf("accuracy is %.2f %%, want at least %d", a, accuracyFloor)
	}
	all := route(held, plain)
	all.log(t, "all that is held out")
	for _, set := range slices.Sorted(maps.Keys(all.sets)) {
		row := all.sets[set]
		t.Logf("%-16s %5d questions %6.1f %6.1f %6.1f %6.1f", set, row.questions(), row.shares()[0], row.shares()[1], row.shares()[2], row.shares()[3])
	}
	for _, name := range slices.Sorted(maps.Keys(typings)) {
		typed := typings[name]
		a, moved := route(few, typed).accuracy(), 0
		for _, e := range few {
			if classify(typed(e.text)) != classify(e.text) {
				moved++
			}
		}
		t.Logf("%-13s %6.2f %%, %d questions of another class", name, a, moved)
		loss := typingLoss
		if name == "no marks" {
			loss = boundaryLoss
		}
		if math.Abs(a-r.accuracy()) > loss {
			t.Errorf("%s: accuracy is %.2f %%, as written %.2f", name, a, r.accuracy())
		}
	}
}

func plain(q string) string { return q }

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
	"no quotes": func(q string) string { return quotes.Replace(q) },
	"all of them": func(q string) string {
		q = marksApart.ReplaceAllString(strings.ToLower(quotes.Replace(q)), " $1 ")
		return strings.TrimRight(strings.Join(strings.Fields(q), " "), " ?.!")
	},
}

var (
	marksApart = regexp.MustCompile(`([,;:?!()"“”]|['’]s\b|n't\b)`)
	quotes     = strings.NewReplacer(`"`, "", "“", "", "”", "", "``", "", "''", "", "‘", "")
)
