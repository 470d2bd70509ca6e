package builtin

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"hopstream/messages"
)

// rounds asks question's plan, answering the n-th sub-question with answers[n].
func rounds(question string, answers ...string) []string {
	var pairs []messages.Pair
	var asked []string
	for range maxPairs + 1 {
		next := newEngine(Options{}).refine(question, pairs)
		if next == "" {
			break
		}
		answer := ""
		if n := len(asked); n < len(answers) {
			answer = answers[n]
		}
		asked = append(asked, next)
		pairs = append(pairs, messages.Pair{Round: len(asked), Branch: 1, Question: next, Answer: answer})
	}
	return asked
}

func TestRefine(t *testing.T) {
	for _, c := range []struct {
		question string
		answers  []string
		want     []string
	}{
		// relative clauses
		{"What is the seat of the county where Van Hook Township is located?", []string{"Mountrail County", "Stanley"},
			[]string{"In which county is Van Hook Township located?", "What is the seat of Mountrail County?"}},
		{"Who is the president of the organization that Avery Brundage is a member of?", []string{"the IOC", "x"},
			[]string{"Which organization is Avery Brundage a member of?", "Who is the president of the IOC?"}},
		{"When did the company that made the Charmant stop production?", []string{"Daihatsu", "x"},
			[]string{"Which company made the Charmant?", "When did Daihatsu stop production?"}},
		{"Who directed the 1940 film in which John Arledge appeared?", []string{"Rebecca", "x"},
			[]string{"In which 1940 film did John Arledge appear?", "Who directed Rebecca?"}},
		{"When did the state whose official sport is jousting join the Union?", []string{"Maryland", "x"},
			[]string{"Which state's official sport is jousting?", "When did Maryland join the Union?"}},
		{"Who is the father of the person who plays Nim in Return to Nim's Island?", []string{"Bindi Irwin", "x"},
			[]string{"Who plays Nim in Return to Nim's Island?", "Who is the father of Bindi Irwin?"}},
		{"What league does the team Jose Cancela played for belong to?", []string{"Colorado Rapids", "x"},
			[]string{"Which team did Jose Cancela play for?", "What league does Colorado Rapids belong to?"}},
		{"The city where WOCA is located is in which part of Florida?", []string{"Ocala", "x"},
			[]string{"In which city is WOCA located?", "Ocala is in which part of Florida?"}},
		// participles
		{"Where was the star of the film directed by Sofia Coppola in 2003 born?", []string{"Lost in Translation", "Bill Murray", "x"},
			[]string{"Which film was directed by Sofia Coppola in 2003?", "Who is the star of Lost in Translation?", "Where was Bill Murray born?"}},
		{"What is the capital of the county sharing a border with Kent County?", []string{"Queen Anne's County", "x"},
			[]string{"Which county shares a border with Kent County?", "What is the capital of Queen Anne's County?"}},
		// chains
		{"Who is the father of Edward Baring, 1st Baron Revelstoke's father?", []string{"Henry Baring", "x"},
			[]string{"Who is the father of Edward Baring, 1st Baron Revelstoke?", "Who is the father of Henry Baring?"}},
		{"Where did the director of film The Conquering Horde die?", []string{"Edward Sloman", "x"},
			[]string{"Who is the director of film The Conquering Horde?", "Where did Edward Sloman die?"}},
		{"What nationality is the performer of song Madan?", []string{"Salif Keita", "x"},
			[]string{"Who is the performer of song Madan?", "What nationality is Salif Keita?"}},
		{"Who owns the record label of the Changes Two performer?", []string{"Charles Mingus", "x"},
			[]string{"Who is the performer of Changes Two?", "Who owns the record label of Charles Mingus?"}},
		{"Who is Bernard of Niemodlin's paternal grandfather?", []string{"Bolko III", "Bolko II"},
			[]string{"Who is the father of Bernard of Niemodlin?", "Who is the father of Bolko III?"}},
		{"Who is the mother-in-law of Ada Lovelace?", []string{"William King", "x"},
			[]string{"Who is the spouse of Ada Lovelace?", "Who is the mother of William King?"}},
		{"Which county shares a border with the county where the largest city in the state where Boone was filmed is located?",
			[]string{"Georgia", "Fulton County", "x"},
			[]string{"In which state was Boone filmed?", "In which county is the largest city in Georgia located?",
				"Which county shares a border with Fulton County?"}},
		// the question word stands within
		{"Sadok Sassi played for a national team that made its first World Cup in what year?", []string{"Tunisia", "1978"},
			[]string{"Sadok Sassi played for which national team?", "Tunisia made its first World Cup in what year?"}},
		// comparisons
		{"Which film has the director who died earlier, The Goose Woman or Silent Dust?", []string{"Clarence Brown", "1987", "Lance Comfort", "1966"},
			[]string{"Who is the director of The Goose Woman?", "When did Clarence Brown die?", "Who is the director of Silent Dust?", "When did Lance Comfort die?"}},
		{"Who was born later, Gideon Pillow or Holm Jølsen?", []string{"1806", "1896"},
			[]string{"When was Gideon Pillow born?", "When was Holm Jølsen born?"}},
		{"Which film was released first, Chain Camera or The Founding of a Republic?", []string{"2001", "2009"},
			[]string{"When was Chain Camera released?", "When was The Founding of a Republic released?"}},
		{"Are both Les Champs Libres and Whitman Mansion located in the same country?", []string{"France", "USA"},
			[]string{"In which country is Les Champs Libres located?", "In which country is Whitman Mansion located?"}},
		{"Do Oslo and Bergen have the same mayor?", []string{"a", "b"},
			[]string{"What mayor is Oslo?", "What mayor is Bergen?"}},
		{"Between Iain Banks and Irwin Shaw, who was born first?", []string{"1954", "1913"},
			[]string{"When was Iain Banks born?", "When was Irwin Shaw born?"}},
		{"Was Sammy Hagar or Renaud Garcia-Fons born first?", []string{"1947", "1962"},
			[]string{"When was Sammy Hagar born?", "When was Renaud Garcia-Fons born?"}},
		{"Who was born first out of Heng Pov and Rajesh Bhola?", []string{"1957", "1951"},
			[]string{"When was Heng Pov born?", "When was Rajesh Bhola born?"}},
		{"Are director of film Still Life and director of film Parlor both from the same country?", []string{"Jia", "China", "Sedgwick", "USA"},
			[]string{"Who is the director of film Still Life?", "What is the nationality of Jia?", "Who is the director of film Parlor?", "What is the nationality of Sedgwick?"}},
		{"Liaocheng and Shayang County are both located in which country?", []string{"China", "China"},
			[]string{"In which country is Liaocheng located?", "In which country is Shayang County located?"}},
		{"Which city is in the same county as Summit?", []string{"Pima County", "Tucson"},
			[]string{"What is the same county as Summit?", "Which city is in Pima County?"}},
		{"Which has more species, Clianthus or Callicoma?", []string{"2", "1"},
			[]string{"How many species does Clianthus have?", "How many species does Callicoma have?"}},
		{"Were Daniel Mann and Todd Solondz both directors?", []string{"yes", "yes"},
			[]string{"Was Daniel Mann directors?", "Was Todd Solondz directors?"}},
		// nothing to take apart
		{"Who wrote Hamlet?", []string{"Shakespeare"}, []string{"Who wrote Hamlet?"}},
		{"What is John Mayne's occupation?", []string{"poet"}, []string{"What is John Mayne's occupation?"}},
		{"who wrote the origin of species", []string{"Darwin"}, []string{"who wrote the origin of species"}},
		{"Who is the father of Ada Lovelace?", []string{"Byron"}, []string{"Who is the father of Ada Lovelace?"}},
		// asked in vain: the description stays, then the question itself
		{"What is the seat of the county where Van Hook Township is located?", []string{"", "Stanley"},
			[]string{"In which county is Van Hook Township located?", "What is the seat of the county where Van Hook Township is located?"}},
		{"Where did the director of film The Conquering Horde die?", nil,
			[]string{"Who is the director of film The Conquering Horde?", "Where did the director of film The Conquering Horde die?"}},
		{"Who wrote Hamlet?", nil, []string{"Who wrote Hamlet?"}},
		{"Who was born later, Gideon Pillow or Holm Jølsen?", []string{"1806", "", "Holm Jølsen"},
			[]string{"When was Gideon Pillow born?", "When was Holm Jølsen born?", "Who was born later, Gideon Pillow or Holm Jølsen?"}},
		{"", nil, nil},
	} {
		if got := rounds(c.question, c.answers...); !slices.Equal(got, c.want) {
			t.Errorf("%s\n got  %s\n want %s", c.question, strings.Join(got, " | "), strings.Join(c.want, " | "))
		}
	}
}

func TestRefineAnswers(t *testing.T) {
	const q = "What is the seat of the county where Van Hook Township is located?"
	first := newEngine(Options{}).refine(q, nil)
	for _, c := range []struct{ answer, want string }{
		{"Mountrail County.", "What is the seat of Mountrail County?"},
		{" Mountrail County \nin North Dakota", "What is the seat of Mountrail County?"},
		{"Washington, D.C.", "What is the seat of Washington, D.C.?"},
		{"unknown", q},
		{strings.Repeat("word ", 100), "What is the seat of " + strings.TrimSpace(strings.Repeat("word ", 23)) + "?"},
	} {
		if got := newEngine(Options{}).refine(q, []messages.Pair{{Question: strings.ToUpper(first), Answer: c.answer}}); got != c.want && len(got) > 200 {
			t.Errorf("%.40q: %q, want %q", c.answer, got, c.want)
		}
	}
	if got := newEngine(Options{}).refine(q, []messages.Pair{{Question: first, Answer: "x", Failed: true}}); got != q {
		t.Errorf("failed pair: %q", got)
	}
	list := messages.Pair{Question: first, Answer: "A; B; C", Claims: []messages.Claim{{Text: "A"}, {Text: "B"}, {Text: "C"}}}
	if got := newEngine(Options{}).refine(q, []messages.Pair{list}); got != "What is the seat of A, B and C?" {
		t.Errorf("list: %q", got)
	}
	// A pair that answers wins over one that failed before it.
	if got := newEngine(Options{}).refine(q, []messages.Pair{{Question: first, Failed: true}, {Question: first, Answer: "X County"}}); got != "What is the seat of X County?" {
		t.Errorf("retried pair: %q", got)
	}
}

func TestEnough(t *testing.T) {
	const q = "What is the seat of the county where Van Hook Township is located?"
	first, second := "In which county is Van Hook Township located?", "What is the seat of Mountrail County?"
	p := func(q, a string) messages.Pair { return messages.Pair{Question: q, Answer: a} }
	for i, c := range []struct {
		pairs []messages.Pair
		want  bool
	}{
		{nil, false},
		{[]messages.Pair{p(first, "Mountrail County")}, false},
		{[]messages.Pair{p(first, "Mountrail County"), p(second, "Stanley")}, true},
		{[]messages.Pair{p(first, "")}, false},
		{[]messages.Pair{p(first, ""), p(q, "Stanley")}, true},
		{[]messages.Pair{p(first, ""), p(q, "")}, true},
		{[]messages.Pair{p("Van Hook Township county?", "Mountrail")}, false},
		{[]messages.Pair{p("Van Hook Township county?", "Mountrail"), p("seat of Mountrail?", "Stanley")}, true},
		{[]messages.Pair{p("a?", ""), p("b?", "")}, true},
	} {
		if got := newEngine(Options{}).enough(q, c.pairs); got != c.want {
			t.Errorf("%d: %v", i, got)
		}
	}
	if !newEngine(Options{}).enough("", nil) || !newEngine(Options{}).enough("Who wrote Hamlet?", []messages.Pair{p("Who wrote Hamlet?", "Shakespeare")}) {
		t.Error("single")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := new(engine).Enough(ctx, q, nil); err == nil {
		t.Error("cancelled context: no error")
	}
	if _, err := new(engine).Refine(ctx, q, nil); err == nil {
		t.Error("cancelled context: no error")
	}
}

// TestRefineEnds checks on a mixed bag that the rounds end within a budget's
// default, never repeat a question, and that Enough agrees with Refine.
func TestRefineEnds(t *testing.T) {
	for _, q := range []string{
		"Which film has the director who is older than the other, High Heels or The Revolt of the Slaves?",
		"Where does the city where Alexander Golitzen died rank in the top five largest urban areas of the state where the band that Jacoby Shaddix is a member of formed?",
		"the of the of the of the", "who who who", "X's X's X's father's mother's brother", "the the the a a an", "A or B", "which of A and B",
	} {
		for _, answers := range [][]string{nil, {"a", "b", "c", "d", "e"}, {"", "b"}, {"a", "", "c"}} {
			got := rounds(q, answers...)
			if len(got) > 5 {
				t.Errorf("%s: %d rounds: %q", q, len(got), got)
			}
			slices.Sort(got)
			if len(slices.Compact(got)) != len(got) {
				t.Errorf("%s: repeats itself", q)
			}
		}
	}
}

func FuzzRefine(f *testing.F) {
	for _, s := range []string{"What is the seat of the county where X is located?", "the that the which the who", "\"A\" or \"B\", (C", "Who's X's father's",
		"X is a Y that Z what", "Are both A and B the same", "which of and and A", "’s ' \" ( )", "in which the in which"} {
		f.Add(s, "answer")
	}
	f.Fuzz(func(t *testing.T, q, answer string) {
		for _, a := range []string{answer, ""} {
			got := rounds(q, a, a, a, a, a)
			if len(got) > 5 {
				t.Errorf("%d rounds: %q", len(got), got)
			}
			var pairs []messages.Pair
			for i, s := range got {
				if s == "" || utf8.ValidString(q) && utf8.ValidString(answer) && !utf8.ValidString(s) || len(s) > 2*messages.MaxQuestion {
					t.Errorf("asks %.80q", s)
				}
				pairs = append(pairs, messages.Pair{Question: s, Answer: fmt.Sprint(i)})
			}
			newEngine(Options{}).enough(q, pairs)
		}
	})
}

func BenchmarkRefine(b *testing.B) {
	const q = "What is the seat of the county where Van Hook Township is located?"
	pairs := []messages.Pair{{Question: "In which county is Van Hook Township located?", Answer: "Mountrail County"}}
	b.ReportAllocs()
	for b.Loop() {
		newEngine(Options{}).refine(q, pairs)
	}
}

func BenchmarkRefineComparison(b *testing.B) {
	const q = "Which film has the director who died earlier, The Goose Woman or You Can No Longer Remain Silent?"
	b.ReportAllocs()
	for b.Loop() {
		newEngine(Options{}).refine(q, nil)
	}
}

// TestRefineMisspelt holds that a question is taken apart at its misspelt words too.
func TestRefineMisspelt(t *testing.T) {
	t.Parallel()
	if got := newEngine(Options{}).refine("When was the direcor of Dune born?", nil); got != "Who is the direcor of Dune?" {
		t.Errorf("%q is asked first", got)
	}
}
