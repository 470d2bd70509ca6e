package subquestion

import (
	"testing"
)

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
