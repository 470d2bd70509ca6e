package golden_test

// set is a public question set.
type set struct {
	name   string
	always bool // asked by every run, not only by those that ask all
}

// Of the two that are always asked, one needs several passages per question,
// the other passages that are not about what the question names.
var sets = []set{
	{"hotpotqa", false}, {"2wikimultihopqa", false}, {"musique", true},
	{"nq", false}, {"popqa", true}, {"squad", false},
}
