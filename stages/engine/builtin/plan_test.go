package builtin

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"hopstream/messages"
	"hopstream/messages/subquestion"
)

func TestPlan(t *testing.T) {
	t.Parallel()
	e := New(Options{})
	for _, c := range []struct {
		question string
		want     []string
	}{
		{"When was the father of Ada Lovelace born?", []string{"Who is the father of Ada Lovelace?", "When was $1 born?"}},
		{"When is Ada Lovelace's father's birthday?", []string{"Who is the father of Ada Lovelace?", "When is $1's birthday?"}},
		{"What is the seat of the county where Van Hook Township is located?",
			[]string{"In which county is Van Hook Township located?", "What is the seat of $1?"}},
		{"Where was the director of the film 2001: A Space Odyssey born?",
			[]string{"Who is the director of the film 2001: A Space Odyssey?", "Where was $1 born?"}},
		{"Who was born later, Gideon Pillow or Holm Jølsen?", []string{"When was Gideon Pillow born?", "When was Holm Jølsen born?"}},
		{"Which film has the director who died earlier, The Goose Woman or Silent Dust?",
			[]string{"Who is the director of The Goose Woman?", "When did $1 die?", "Who is the director of Silent Dust?", "When did $3 die?"}},
		{"Which film has the director who died later, Love, Honor And Oh-Baby! or Silent Dust?",
			[]string{"Who is the director of Love, Honor And Oh-Baby?", "When did $1 die?", "Who is the director of Silent Dust?", "When did $3 die?"}},
		{"Are the directors of films Still Life and Parlor both from the same country?",
			[]string{"Who is the director of Still Life?", "What is the nationality of $1?", "Who is the director of Parlor?", "What is the nationality of $3?"}},
		// two names side by side, whatever is around them
		{"Grey Harbour and The Long Mile (from 1945), whose director lived to a later date?",
			[]string{"Who is the director of Grey Harbour?", "When did $1 die?", "Who is the director of The Long Mile (from 1945)?", "When did $3 die?"}},
		{"If you compare Grey Harbour with The Long Mile, which movie's director was the elder?",
			[]string{"Who is the director of Grey Harbour?", "When was $1 born?", "Who is the director of The Long Mile?", "When was $3 born?"}},
		{"Ulla Brandt and the actor Jens Holm, are they of one nationality?",
			[]string{"What is the nationality of Ulla Brandt?", "What is the nationality of the actor Jens Holm?"}},
		{"Was Ulla Brandt of the same nationality as the criminal Jens Holm?",
			[]string{"What is the nationality of Ulla Brandt?", "What is the nationality of Jens Holm?"}},
		{"The people who directed Grey Harbour and The Long Mile: do they come from the same country?",
			[]string{"Who directed Grey Harbour?", "What is the nationality of $1?", "Who directed The Long Mile?", "What is the nationality of $3?"}},
		{"Was the man who directed Grey Harbour a countryman of the man who directed The Long Mile?",
			[]string{"Who directed Grey Harbour?", "What is the nationality of $1?", "Who directed The Long Mile?", "What is the nationality of $3?"}},
		{"brennholt vs kyrkjebo, whose director was born later?",
			[]string{"Who is the director of brennholt?", "When was $1 born?", "Who is the director of kyrkjebo?", "When was $3 born?"}},
		{"is brennholt in the same province as kyrkjebo",
			[]string{"In which province is brennholt located?", "In which province is kyrkjebo located?"}},
		{"Of Grey Harbour and The Long Mile, which was made by the younger director?",
			[]string{"Who is the director of Grey Harbour?", "When was $1 born?", "Who is the director of The Long Mile?", "When was $3 born?"}},
		{"Out of Ulla Brandt and Jens Holm, which one outlived the other?",
			[]string{"When did Ulla Brandt die?", "When did Jens Holm die?"}},
		{"Grey Harbour, The Long Mile: which of the two movies reached the public earlier?",
			[]string{"When was Grey Harbour released?", "When was The Long Mile released?"}},
		{"The Brennholts and Kyrkjebo are bands. Which one got together earlier?",
			[]string{"When was The Brennholts formed?", "When was Kyrkjebo formed?"}},
		{"Lower Brandt, North Holm and Kyrkjebo – same country?",
			[]string{"Which country is Lower Brandt, North Holm from?", "Which country is Kyrkjebo from?"}},
		{"Brandt va in kyrkjebo or Holm: which one reached the screen first?",
			[]string{"Brandt va in kyrkjebo or Holm: which one reached the screen first?"}},
		{"Holm and Kyrkjebo: is each of them a flowering plant?", []string{"Is Holm a flowering plant?", "Is Kyrkjebo a flowering plant?"}},
		{"Is Jens Holm older than Ulla Brandt?", []string{"When was Jens Holm born?", "When was Ulla Brandt born?"}},
		{"Whose director was born first: Grey Harbour's or Long Mile's?",
			[]string{"Who is the director of Grey Harbour?", "When was $1 born?", "Who is the director of Long Mile?", "When was $3 born?"}},
		{"Brattdal, Nordvik: are these two villages in one country?", []string{"In which country is Brattdal located?", "In which country is Nordvik located?"}},
		{"Were Grey Harbour's and Long Mile's directors both American?",
			[]string{"Who is the director of Grey Harbour?", "What is the nationality of $1?", "Who is the director of Long Mile?", "What is the nationality of $3?"}},
		{"Is Git faster than Mercurial?", []string{"Is Git faster than Mercurial?"}},
		// requests
		{"Tell me where Jens Holm's father was born.", []string{"Who is the father of Jens Holm?", "Where was $1 born?"}},
		{"I'd like to know if whoever directed Grey Harbour was a countryman of the director of The Long Mile.",
			[]string{"Who directed Grey Harbour?", "What is the nationality of $1?", "Who directed The Long Mile?", "What is the nationality of $3?"}},
		// two names that nothing is compared of
		{"What crew sent the first ever live images of the Earth and Moon?", []string{"What crew sent the first ever live images of the Earth and Moon?"}},
		{"Who was the V&A's first director?", []string{"Who was the V&A's first director?"}},
		{"Are Brandt and Holm both towns? What county is Holm in?", []string{"Are Brandt and Holm both towns? What county is Holm in?"}},
		{"Who wrote Hamlet?", []string{"Who wrote Hamlet?"}},
		{" \n", nil},
		{strings.Repeat("x", messages.MaxQuestion+1), nil},
		// money is no placeholder: a part that nobody needs takes its number
		{"Who is the father of the woman who won $1 million in Paris?", []string{"Who is the father of $2?", "Who won $1 million in Paris?"}},
		{"Who is the father of the woman who won $1 or $2 million in Paris?", []string{"Who is the father of the woman who won $1 or $2 million in Paris?"}},
	} {
		got, err := e.Plan(t.Context(), c.question)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%.60s\n got  %q %v\n want %q", c.question, got, err, c.want)
		}
	}
}

func TestSupplement(t *testing.T) {
	t.Parallel()
	e := New(Options{})
	const film = "Which film has the director who died earlier, The Goose Woman or Silent Dust?"
	p := func(q, a string) messages.Pair { return messages.Pair{Question: q, Answer: a} }
	for name, c := range map[string]struct {
		question string
		pairs    []messages.Pair
		want     []string
	}{
		"both sides at once": {film, nil, []string{"Who is the director of The Goose Woman?", "Who is the director of Silent Dust?"}},
		"what follows from both": {film, []messages.Pair{p("Who is the director of The Goose Woman?", "Clarence Brown"), p("Who is the director of Silent Dust?", "Lance Comfort")},
			[]string{"When did Clarence Brown die?", "When did Lance Comfort die?"}},
		"one in vain is described": {film, []messages.Pair{p("Who is the director of The Goose Woman?", ""), p("Who is the director of Silent Dust?", "Lance Comfort")},
			[]string{"When did the director of The Goose Woman die?", "When did Lance Comfort die?"}},
		"nothing is missing": {"Who was born later, Gideon Pillow or Holm Jølsen?",
			[]messages.Pair{p("When was Gideon Pillow born?", "1806"), p("When was Holm Jølsen born?", "1896")}, nil},
		"a side is missing for good": {"Who was born later, Gideon Pillow or Holm Jølsen?",
			[]messages.Pair{p("When was Gideon Pillow born?", "1806"), p("When was Holm Jølsen born?", "")}, []string{"Who was born later, Gideon Pillow or Holm Jølsen?"}},
		"a chain":      {"When was the father of Ada Lovelace born?", nil, []string{"Who is the father of Ada Lovelace?"}},
		"its next":     {"When was the father of Ada Lovelace born?", []messages.Pair{p("Who is the father of Ada Lovelace?", "Byron")}, []string{"When was Byron born?"}},
		"its end":      {"When was the father of Ada Lovelace born?", []messages.Pair{p("Who is the father of Ada Lovelace?", "Byron"), p("When was Byron born?", "1788")}, nil},
		"a single one": {"Who wrote Hamlet?", nil, []string{"Who wrote Hamlet?"}},
		"nothing":      {" ", nil, nil},
	} {
		got, err := e.Supplement(t.Context(), c.question, c.pairs)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q %v, want %q", name, got, err, c.want)
		}
	}
}

func TestPlanningEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := New(Options{})
	if _, err := e.Plan(ctx, "Who wrote Hamlet?"); err == nil {
		t.Error("Plan")
	}
	if _, err := e.Revise(ctx, "Who wrote Hamlet?", []string{"Who?"}, nil, ""); err == nil {
		t.Error("Revise")
	}
	if _, err := e.Supplement(ctx, "Who wrote Hamlet?", nil); err == nil {
		t.Error("Supplement")
	}
}

func FuzzPlan(f *testing.F) {
	for _, s := range []string{"What is the seat of the county where X is located?", "the that the which the who", "\"A\" or \"B\", (C", "Who's X's father's",
		"Is $1 the father of the man who won $2?", "Are both A and B the same", "No, No, A or B", "’s ' \" ( )", "Which film has the director who died first, A or B?"} {
		f.Add(s, "answer", "Who is $2?", "Who is the father of $1?")
	}
	e := New(Options{})
	f.Fuzz(func(t *testing.T, q, answer, one, two string) {
		if !utf8.ValidString(q) || len(q) > messages.MaxQuestion {
			return
		}
		ctx := t.Context()
		parts, err := e.Plan(ctx, q)
		if err != nil || len(parts) > messages.MaxParts || len(parts) == 0 != (strings.TrimSpace(q) == "") {
			t.Fatalf("%d parts of %q: %v", len(parts), q, err)
		}
		again, _ := e.Plan(ctx, q)
		if !slices.Equal(parts, again) {
			t.Errorf("%q, then %q", parts, again)
		}
		checkParts(t, q, parts)
		var pairs []messages.Pair
		for i, part := range parts {
			pairs = append(pairs, messages.Pair{Question: part, Answer: answer, Part: i + 1}, messages.Pair{Question: "x"})
		}
		for k, plan := range [][]string{parts, {one, two}, {one, one, two, q}, {}} {
			for _, problem := range []string{"", "sub-question 1 found no answer"} {
				for _, ps := range [][]messages.Pair{nil, pairs, {{Question: one, Part: 1}, {Question: two, Answer: answer, Part: 2}}} {
					got, err := e.Revise(ctx, q, plan, ps, problem)
					if err != nil {
						t.Fatal(err)
					}
					if again, _ := e.Revise(ctx, q, plan, ps, problem); !slices.Equal(got, again) {
						t.Errorf("%q, then %q", got, again)
					}
					if k == 0 { // of a plan that cannot be followed, parts may be kept
						checkParts(t, q, got)
					}
				}
			}
		}
		for round := 0; ; round++ {
			next, err := e.Supplement(ctx, q, nil)
			if round > 0 {
				next, err = e.Supplement(ctx, q, pairs)
			}
			if err != nil || len(next) > messages.MaxParts || round > 20 {
				t.Fatalf("round %d: %q %v", round, next, err)
			}
			if round == 0 {
				pairs = nil
			}
			if len(next) == 0 {
				break
			}
			for _, n := range next {
				if n == "" || len(n) > messages.MaxQuestion {
					t.Fatalf("asks %.80q", n)
				}
				if slices.ContainsFunc(pairs, func(p messages.Pair) bool { return subquestion.Same(p.Question, n) }) {
					t.Fatalf("asks %q again", n)
				}
				pairs = append(pairs, messages.Pair{Question: n, Answer: answer})
			}
		}
	})
}

// checkParts fails unless the placeholders of parts name parts that can be
// answered before.
func checkParts(t *testing.T, question string, parts []string) {
	t.Helper()
	done := make([]bool, len(parts))
	for range parts {
		for i, part := range parts {
			ready := true
			for _, n := range subquestion.References(part, question) {
				if n < 1 || n > len(parts) {
					t.Fatalf("%q names $%d", parts, n)
				}
				ready = ready && done[n-1]
			}
			done[i] = done[i] || ready
		}
	}
	if slices.Contains(done, false) || slices.Contains(parts, "") {
		t.Fatalf("cannot be followed: %q", parts)
	}
}

func ExampleNew() {
	parts, _ := New(Options{}).Plan(context.Background(), "Which film has the director who died earlier, The Goose Woman or Silent Dust?")
	for i, part := range parts {
		fmt.Printf("$%d %s\n", i+1, part)
	}
	// Output:
	// $1 Who is the director of The Goose Woman?
	// $2 When did $1 die?
	// $3 Who is the director of Silent Dust?
	// $4 When did $3 die?
}
