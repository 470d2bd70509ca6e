package score_test

import (
	"math"
	"testing"

	"hopstream/cmd/hoplab/score"
)

func TestNormalize(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"The Cat  sat, on a mat.": "cat sat on mat",
		"An apple":                "apple",
		"U.S.A.":                  "usa",
		"twenty-one":              "twentyone", // punctuation goes, no space comes
		"$5":                      "5",         // string.punctuation has $ and its like
		"a the an":                "",
		"Theatre":                 "theatre",
		"  ":                      "",
		"Beyoncé – “Halo”":        "beyoncé – “halo”", // only ASCII punctuation goes
		"1,234":                   "1234",
		"the\tA\nB":               "b",
	} {
		if got := score.Normalize(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// The values are those of the evaluation scripts of SQuAD and HotpotQA.
func TestMeasures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		prediction  string
		golds       []string
		em, f1, acc float64
	}{
		{"Denver Broncos", []string{"Denver Broncos", "The Broncos"}, 1, 1, 1},
		{"the Denver Broncos!", []string{"Denver Broncos"}, 1, 1, 1},
		{"Broncos", []string{"Denver Broncos"}, 0, 2.0 / 3, 0},                             // P 1, R 1/2
		{"It was the Denver Broncos", []string{"Denver Broncos"}, 0, 2 * .5 / (.5 + 1), 1}, // P 2/4, R 1
		{"Carolina Panthers", []string{"Denver Broncos"}, 0, 0, 0},
		{"b b c", []string{"b c c"}, 0, 2.0 / 3, 0}, // words count as often as in both
		{"", []string{"x"}, 0, 0, 0},
		{"", []string{""}, 1, 1, 0},
		{"the", []string{"a"}, 1, 1, 0}, // nothing is left of either
		{"x", nil, 0, 0, 0},
		{"Oslo", []string{"Bergen", "Oslo, Norway"}, 0, 2.0 / 3, 0}, // the best gold counts
		{"unhappy", []string{"happy"}, 0, 0, 0},                     // whole words
	} {
		for what, v := range map[string][2]float64{
			"EM": {score.EM(c.prediction, c.golds), c.em}, "F1": {score.F1(c.prediction, c.golds), c.f1}, "Acc": {score.Acc(c.prediction, c.golds), c.acc},
		} {
			if math.Abs(v[0]-v[1]) > 1e-9 {
				t.Errorf("%s of %q for %q is %v, want %v", what, c.prediction, c.golds, v[0], v[1])
			}
		}
	}
}

func TestRecall(t *testing.T) {
	t.Parallel()
	found := []string{"a", "b", "c"}
	for _, c := range []struct {
		gold []string
		k    int
		want float64
	}{
		{[]string{"a", "c"}, 2, .5}, {[]string{"a", "c"}, 3, 1}, {[]string{"a", "c"}, 10, 1},
		{[]string{"x"}, 10, 0}, {nil, 10, 0}, {[]string{"b"}, 1, 0},
	} {
		if got := score.Recall(found, c.gold, c.k); got != c.want {
			t.Errorf("recall@%d of %q is %v, want %v", c.k, c.gold, got, c.want)
		}
	}
}
