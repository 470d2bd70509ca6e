package score_test

import (
	"math"
	"testing"

	"hopstream/cmd/hoplab/score"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestEntities(t *testing.T) {
	t.Parallel()
	entities := [][]string{{"Mina Quist", "M. Quist"}, {"1808"}, {"Oslo"}}
	near(t, "two of three", score.Entities("M Quist printed it, in 1808.", entities), 2.0/3)
	near(t, "whole words", score.Entities("18080 Osloer", entities), 0)
	near(t, "none wanted", score.Entities("anything", [][]string(nil)), 0)
}

// A fact counts once, however many passages hold it; words of two passages
// make none.
func TestIRR(t *testing.T) {
	t.Parallel()
	passages := []string{"Donepezil treats it.", "Donepezil causes nausea, and muscle", "cramps of the hand."}
	near(t, "IRR", score.Found(passages, [][]string{{"donepezil"}, {"nausea"}, {"muscle cramps"}, {"galantamine", "the galantamin"}}), 2.0/4)
}

func TestLists(t *testing.T) {
	t.Parallel()
	golds := [][]string{{"Tavi Brandt", "Brandt"}, {"Ulla Renn"}, {"Oslo"}, {"Arlen"}}
	for _, c := range []struct {
		what     string
		given    []string
		aa, ac   float64
		sameList float64
	}{
		{"two of three right, two of four given", []string{"the Brandt", "Ulla Renn", "Bergen"}, 2.0 / 3, 2.0 / 4, 0},
		{"twice the same is one", []string{"Oslo", "oslo!", "Rome"}, 1.0 / 2, 1.0 / 4, 0},
		{"two names of one gold answer: both right, one covered", []string{"Tavi Brandt", "Brandt"}, 1, 1.0 / 4, 0},
		{"all in one answer", []string{"Brandt, Ulla Renn, Oslo and Arlen"}, 1, 1, 0},
		{"all, one by one", []string{"Arlen", "Oslo", "Ulla Renn", "Brandt"}, 1, 1, 1},
		{"all and one more", []string{"Arlen", "Oslo", "Ulla Renn", "Brandt", "Rome"}, 4.0 / 5, 1, 0},
		{"nothing", []string{"", "the"}, 0, 0, 0},
		{"none at all", nil, 0, 0, 0},
	} {
		aa, ac := score.Lists(c.given, golds)
		near(t, "AA: "+c.what, aa, c.aa)
		near(t, "AC: "+c.what, ac, c.ac)
		near(t, "EM: "+c.what, score.SameList(c.given, golds), c.sameList)
	}
}

func TestHMix(t *testing.T) {
	t.Parallel()
	// |1|/4 and |-3|/4: −¼·ln ¼ − ¾·ln ¾.
	near(t, "one query", score.HMix([][]float32{{1, -3}}), 0.25*math.Log(4)+0.75*math.Log(4.0/3))
	near(t, "two that have nothing in common", score.HMix([][]float32{{2, 0}, {0, -7}}), math.Ln2)
	near(t, "two alike", score.HMix([][]float32{{2, 0}, {5, 0}}), 0)
	// (1, 0, 0) and (½, ½, 0) mix to (¾, ¼, 0).
	near(t, "two that overlap", score.HMix([][]float32{{4, 0, 0}, {1, 1, 0}}), 0.25*math.Log(4)+0.75*math.Log(4.0/3))
	near(t, "zeros are no query", score.HMix([][]float32{{0, 0}, {1, 1}}), math.Ln2)
	near(t, "no query", score.HMix(nil), 0)
}

func TestConfusion(t *testing.T) {
	t.Parallel()
	c := score.Confusion{}
	for range 3 {
		c.Add("single", "single")
	}
	c.Add("single", "complex")
	c.Add("complex", "complex")
	c.Add("complex", "")
	near(t, "accuracy", c.Accuracy(), 4.0/6)
	near(t, "recall of single", c.Recall("single"), 3.0/4)
	near(t, "recall of complex", c.Recall("complex"), 1.0/2)
	near(t, "precision of complex", c.Precision("complex"), 1.0/2)
	near(t, "precision of single", c.Precision("single"), 1)
	if l := c.Labels("straightforward", "single", "complex"); len(l) != 3 || l[0] != "single" || l[1] != "complex" || l[2] != "" {
		t.Errorf("labels are %q", l)
	}
	near(t, "of nothing", score.Confusion{}.Accuracy(), 0)
}
