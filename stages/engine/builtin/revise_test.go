package builtin

import (
	"slices"
	"testing"

	"hopstream/messages"
)

func TestReviseLooksOver(t *testing.T) {
	t.Parallel()
	const seat = "What is the seat of the county where Van Hook Township is located?"
	own := []string{"In which county is Van Hook Township located?", "What is the seat of $1?"}
	for name, c := range map[string]struct {
		question string
		plan     []string
		want     []string
	}{
		"sound":                     {seat, own, own},
		"sound, in other words":     {seat, []string{"Van Hook Township is in which county?", "$1 has which seat?"}, []string{"Van Hook Township is in which county?", "$1 has which seat?"}},
		"a name is lost":            {seat, []string{"In which county is the township?", "What is the seat of $1?"}, own},
		"a part says nothing":       {seat, []string{"Which county is it?", "What is the seat of Van Hook Township in $1?"}, own},
		"restates the question":     {seat, []string{seat, own[0], "What is the seat of $2?"}, own},
		"restates, and is used":     {seat, []string{seat, "Where is $1?"}, own},
		"asks twice":                {seat, []string{own[0], own[0], "What is the seat of $2?"}, own},
		"a part nobody uses":        {seat, []string{"Who founded Van Hook Township?", own[0], "What is the seat of $2?"}, own},
		"a number is lost":          {"Who is the spouse of the man who won the 1984 race?", []string{"Who won the race?", "Who is the spouse of $1?"}, []string{"Who won the 1984 race?", "Who is the spouse of $1?"}},
		"both sides are of use":     {"Who was born later, Gideon Pillow or Holm Jølsen?", []string{"When was Gideon Pillow born?", "When was Holm Jølsen born?"}, []string{"When was Gideon Pillow born?", "When was Holm Jølsen born?"}},
		"a quoted title is lost":    {"Who is the father of the author of \"Emma Brown\"?", []string{"Who is the author of the book?", "Who is the father of $1?"}, []string{"Who is the author of \"Emma Brown\"?", "Who is the father of $1?"}},
		"an empty question":         {" ", own, own},
		"nothing to be taken apart": {"Who wrote Hamlet?", []string{"Who is the writer?", "What about $1?"}, []string{"Who wrote Hamlet?"}},
	} {
		got, err := New(Options{}).Revise(t.Context(), c.question, c.plan, nil, "")
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q %v, want %q", name, got, err, c.want)
		}
	}
}

func TestReviseFindsAnotherWay(t *testing.T) {
	t.Parallel()
	const seat = "What is the seat of the county where Van Hook Township is located?"
	own := []string{"In which county is Van Hook Township located?", "What is the seat of $1?"}
	const film = "Which film has the director who died earlier, The Goose Woman or Silent Dust?"
	films := []string{"Who is the director of The Goose Woman?", "When did $1 die?", "Who is the director of Silent Dust?", "When did $3 die?"}
	for name, c := range map[string]struct {
		question string
		plan     []string
		pairs    []messages.Pair
		want     []string
	}{
		"what was not found is described": {seat, own, []messages.Pair{{Question: own[0], Part: 1}}, []string{seat}},
		"unless that was asked too":       {seat, own, []messages.Pair{{Question: seat}, {Question: own[0], Part: 1}}, nil},
		"the other side goes on": {film, films, []messages.Pair{{Question: films[0], Part: 1}, {Question: films[2], Part: 3, Answer: "Lance Comfort"}},
			[]string{"When did the director of The Goose Woman die?", "When did Lance Comfort die?"}},
		"someone else's words": {seat, []string{"Which county has Van Hook Township?", "Seat of $1?"}, []messages.Pair{{Question: "Which county has Van Hook Township?", Part: 1}},
			[]string{"Seat of the county that has Van Hook Township?"}},
		"the end is asked in fewer words": {"Where did the director of film The Conquering Horde (1931 film) die?",
			[]string{"Who made The Conquering Horde (1931 film)?"}, []messages.Pair{{Question: "Who made The Conquering Horde (1931 film)?", Part: 1}},
			[]string{"Who made The Conquering Horde?"}},
		"a part with words to spare": {"Where did the director of film Horde (1931 film) die?", []string{"Who is the director of film Horde (1931 film)?", "Where did $1 die?"},
			[]messages.Pair{{Question: "Who is the director of film Horde (1931 film)?", Part: 1}},
			[]string{"Who is the director of Horde?", "Where did $1 die?"}},
		"the end, asked in vain": {"When was the father of Ada Lovelace born?", []string{"Who is the father of Ada Lovelace?", "When was $1 born?"},
			[]messages.Pair{{Question: "Who is the father of Ada Lovelace?", Answer: "Byron", Part: 1}, {Question: "When was Byron born?", Part: 2}},
			[]string{"When was the father of Ada Lovelace born?"}},
		"a plan that names what is not there": {seat, []string{"What is the seat of $7?"}, nil, own},
		"no plan":                             {seat, nil, nil, own},
	} {
		got, err := New(Options{}).Revise(t.Context(), c.question, c.plan, c.pairs, "sub-question 1 found no answer")
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q %v, want %q", name, got, err, c.want)
		}
	}
}
