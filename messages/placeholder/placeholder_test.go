package placeholder

import (
	"slices"
	"testing"
)

func TestReferences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		part, question string
		want           []int
	}{
		{"When was $1 born?", "", []int{1}},
		{"$2's and $1's and $2's father", "", []int{2, 1}},
		{"$1, $2.", "", []int{1, 2}},
		{"Who paid $2.50 or $2,000 or $20k or $123?", "", nil},
		{"Who won $5 in $1?", "Who won $5?", []int{1}},
		{"$", "", nil},
		{"$$3", "", []int{3}},
	} {
		if got := References(c.part, c.question); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.part, got, c.want)
		}
	}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	got := Replace("Is $2 of $1 or $1.50 older than $3?", "… $3 …", func(n int) string { return "<" + Of(n) + ">" })
	if want := "Is <$2> of <$1> or $1.50 older than $3?"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNormalize(t *testing.T) {
	t.Parallel()
	const question = "Where was the singer of the #1 hit of 1999 born (2), for $3?"
	for part, want := range map[string]string{
		"Where was $1 born?":                            "Where was $1 born?",
		"Where was $ANSWER 1 born?":                     "Where was $1 born?",
		"Where was $ANSWER1 born?":                      "Where was $1 born?",
		"Where was $answer_1 born?":                     "Where was $1 born?",
		"Where was ${1} born?":                          "Where was $1 born?",
		"Where was {1} born?":                           "Where was $1 born?",
		"Where was {{answer_1}} born?":                  "Where was $1 born?",
		"Where was {answer 1}'s wife born?":             "Where was $1's wife born?",
		"Where was [1] born?":                           "Where was $1 born?",
		"Where was [answer 1] born?":                    "Where was $1 born?",
		"Where was [the answer to question 1] born?":    "Where was $1 born?",
		"Where was [Answer of sub-question #1] born?":   "Where was $1 born?",
		"Where was <answer 1> born?":                    "Where was $1 born?",
		"Where was (answer 1) born?":                    "Where was $1 born?",
		"Where was ANSWER_1 born?":                      "Where was $1 born?",
		"Where was #answer1 born?":                      "Where was $1 born?",
		"Is #3 older than #1?":                          "Is $3 older than #1?", // which the question says itself
		"2. Where was #3 born?":                         "Where was $3 born?",
		"Q2: Where was {3} born?":                       "Where was $3 born?",
		"$2 = Where was {3} born?":                      "Where was $3 born?",
		"Where was {3} born? -> $2":                     "Where was $3 born?",
		"Where was {3} born? = $2":                      "Where was $3 born?",
		"Who sang #2?":                                  "Who sang #2?", // its own
		"Who sang #9?":                                  "Who sang #9?", // of none
		"Who was born in 1999 (aged 27) for $20 or 1%?": "Who was born in 1999 (aged 27) for $20 or 1%?",
		"2.5 miles from where?":                         "2.5 miles from where?",
		"2 Fast 2 Furious was shot where?":              "2 Fast 2 Furious was shot where?",
		"Which towns does the London road (A1) pass?":   "Which towns does the London road (A1) pass?",
		"a [x] (1999) #hashtag {} $ #":                  "a [x] (1999) #hashtag {} $ #",
	} {
		if got := Normalize([]string{"Who?", part, "What?", "When?"}, question)[1]; got != want {
			t.Errorf("%q becomes %q, want %q", part, got, want)
		}
	}
}

func FuzzNormalize(f *testing.F) {
	f.Add("Where was [answer 1] born? = $2", "Where?")
	f.Add("$ANSWER 1 {{2}} #3 (answer 1)", "#3")
	f.Add("$$1 = [[1]]", "")
	f.Fuzz(func(t *testing.T, part, question string) {
		parts := []string{"Who?", part, "What?"}
		once := Normalize(parts, question)
		if parts[1] != part || len(once) != 3 || len(once[1]) > len(part) {
			t.Fatalf("%q becomes %q", parts, once)
		}
	})
}
