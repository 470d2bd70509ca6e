package equivalent

import (
	"context"
	"testing"
)

func TestEquivalent(t *testing.T) {
	t.Parallel()
	const (
		who, when, year, where = "Who wrote it?", "When was Ada Lovelace born?", "In what year was it founded?", "Where was Ada Lovelace born?"
		what, many, nation     = "What is it?", "How many rivers feed Lake Tana?", "What is the nationality of Ada Lovelace?"
		yes                    = "Are both from the same country?"
	)
	for _, c := range []struct {
		question, prediction, gold string
		want                       bool
	}{
		// writing
		{who, "Ada Lovelace", "ada lovelace", true},
		{what, "The Beatles", "Beatles", true},
		{what, "Gülnuş Sultan", "Gulnus Sultan", true},
		{what, "semi-automatic", "semiautomatic", true},
		{what, "rivers", "river", true},
		{what, "Jones", "Jone", false},
		{what, "", "Ada", false},
		{what, "Ada", "", false},
		// yes and no, negation
		{yes, "Yes, both are French", "yes", true},
		{yes, "No, they are not", "no", true},
		{yes, "no", "yes", false},
		{yes, "French", "yes", false},
		{yes, "yes", "no", false},
		{what, "not Warsaw", "Warsaw", false},
		{what, "It was never built", "It was built", false},
		{what, "No Country for Old Men", "No Country for Old Men", true},
		{what, "unknown", "Warsaw", false},
		// dates
		{when, "10 December 1815", "December 10, 1815", true},
		{when, "on 10th December 1815", "10 December 1815", true},
		{when, "10 December 1815", "11 December 1815", false},
		{when, "1815", "10 December 1815", false},
		{when, "1815", "1816", false},
		{year, "12 March 1815", "1815", true},
		{year, "1815", "12 March 1815", true},
		{year, "in 1815", "1815", true},
		{year, "1920s", "1920", false},
		{year, "between 1815 and 1820", "1815", false},
		{when, "Ada Lovelace was born on 10 December 1815.", "December 10, 1815", true},
		{when, "Ada Lovelace was born on 10 December 1815 and died in 1852.", "December 10, 1815", false},
		// numbers and units
		{many, "seven", "7", true},
		{many, "7 rivers", "seven", true},
		{many, "12,000", "12000", true},
		{many, "twelve", "20", false},
		{many, "3.5 million", "3,500,000", true},
		{many, "about 120", "120", true},
		{"How long is it?", "120 km", "120 kilometres", true},
		{"How long is it?", "120 km", "120 miles", false},
		{"How long is it?", "1.2 km", "1200 m", true},
		{"How long is it?", "120 km", "120", true},
		{"How much did it cost?", "$5 million", "5 million dollars", true},
		{"How much did it cost?", "£5 million", "$5 million", false},
		{"What share?", "5 percent", "5%", true},
		{"What share?", "5 percent", "7%", false},
		{what, "Boeing 747", "Boeing 737", false},
		{what, "Apollo 11", "Apollo 11 mission", false},
		// persons
		{who, "Lovelace", "Ada Lovelace", true},
		{who, "Ada Lovelace", "Lovelace", true},
		{who, "Ada", "Ada Lovelace", false},
		{who, "J. R. R. Tolkien", "John Ronald Reuel Tolkien", true},
		{who, "John F. Kennedy", "John Fitzgerald Kennedy", true},
		{who, "John Kennedy", "John Fitzgerald Kennedy", true},
		{who, "Jane Smith", "John Smith", false},
		{who, "Dr. Ada Lovelace", "Ada Lovelace", true},
		{who, "King Henry VIII", "Henry VIII", true},
		{who, "Henry VII", "Henry VIII", false},
		{who, "Elizabeth I", "Elizabeth II", false},
		{who, "George Bush", "George Bush Jr.", false},
		{who, "George Bush Junior", "George Bush, Jr.", true},
		{what, "Lovelace", "Ada Lovelace", false},
		{"Who won the race in 1984?", "Ada Lovelace won the race in 1984.", "Ada Lovelace", true},
		{who, "the author was Ada Lovelace", "Ada Lovelace", false},
		{"Who was the author?", "The author was Ada Lovelace.", "Ada Lovelace", true},
		// places and countries
		{where, "Warsaw, Poland", "Warsaw", true},
		{where, "Warsaw", "Warsaw, Poland", true},
		{where, "Paris, Texas", "Paris, France", false},
		{where, "London", "Warsaw", false},
		{where, "Ada Lovelace was born in London.", "London", true},
		{where, "London or Paris", "London", false},
		{where, "New York", "York", false},
		{"Which state, with its capital in Salisbury, was it?", "Salisbury, Rhodesia", "Rhodesia", false},
		{"Who sang with Michael Jackson?", "Michael and Jermaine Jackson", "Jermaine Jackson", false},
		{who, "Ada Turing and Alan Turing", "Ada Turing", false},
		{"What is the occupation of Ada?", "songwriter", "singer songwriter", false},
		{where, "Warsaw (Poland)", "Warsaw", true},
		{where, "the city of Warsaw", "Warsaw", true},
		{"Which country is it?", "USA", "United States of America", true},
		{"Which country is it?", "the UK", "United Kingdom", true},
		{"Which country is it?", "East Germany", "West Germany", false},
		{nation, "American", "United States", true},
		{what, "American", "United States", false},
		// acronyms, forms of names
		{what, "NATO", "North Atlantic Treaty Organization", true},
		{what, "Bank of England", "BOE", true},
		{what, "U.N.", "United Nations", true},
		{what, "NASA", "North Atlantic Treaty Organization", false},
		{what, "the film Dune", "Dune", true},
		{what, "Venn Corp.", "Venn", true},
		// options
		{"Who was born first, Ada Lovelace or Alan Turing?", "Ada Lovelace was born first", "Ada Lovelace", true},
		{"Who was born first, Ada Lovelace or Alan Turing?", "Ada Lovelace or Alan Turing", "Ada Lovelace", false},
		// lists
		{"Which countries signed it?", "France; Morocco", "Morocco and France", true},
		{"Which countries signed it?", "France, Morocco and Spain", "Spain; France; Morocco", true},
		{"Which countries signed it?", "France; Spain", "Morocco and France", false},
		{"Which countries signed it?", "France", "Morocco and France", false},
		{"Which years?", "1992; 1993", "1993 and 1992", true},
		{"Which years?", "1992; 1994", "1993 and 1992", false},
	} {
		got, err := Judge{}.Equivalent(t.Context(), c.question, c.prediction, []string{"", c.gold})
		if err != nil || got != c.want {
			t.Errorf("%s %q for %q: %v %v", c.question, c.prediction, c.gold, got, err)
		}
	}
}

func TestEquivalentToAny(t *testing.T) {
	t.Parallel()
	e := Judge{}
	for _, golds := range [][]string{nil, {}, {"Grace"}} {
		if ok, err := e.Equivalent(t.Context(), "Who?", "Ada", golds); ok || err != nil {
			t.Errorf("%q: %v %v", golds, ok, err)
		}
	}
	if ok, _ := e.Equivalent(t.Context(), "Who?", "Ada", []string{"Grace", "Ada"}); !ok {
		t.Error("the second of two")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Equivalent(ctx, "Who?", "Ada", []string{"Ada"}); err == nil {
		t.Error("cancelled context: no error")
	}
}

// Equivalence is symmetric but for what a question adds, and everything that
// says anything is the same as itself.
func FuzzEquivalent(f *testing.F) {
	for _, s := range []string{"12 March 1923", "$5 million", "No, not Ada", "A; B, and C", "U.S.A.", "Henry VIII (king)", "1990s", "120 km", "£"} {
		f.Add("Who was it, A or B?", s, "Ada Lovelace Jr., Paris")
	}
	e := Judge{}
	f.Fuzz(func(t *testing.T, question, a, b string) {
		x, err := e.Equivalent(t.Context(), question, a, []string{b})
		if y, _ := e.Equivalent(t.Context(), question, a, []string{b}); err != nil || x != y {
			t.Errorf("%v, then %v: %v", x, y, err)
		}
		if p := reply(a); len(p.toks) > 0 && written(p.toks, " ") != "" {
			if same, _ := e.Equivalent(t.Context(), question, a, []string{a}); !same {
				t.Errorf("%q is not itself", a)
			}
		}
	})
}
