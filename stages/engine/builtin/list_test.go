package builtin

import (
	"slices"
	"testing"

	"hopstream/messages"
)

func texts(claims []messages.Claim) []string {
	var out []string
	for _, c := range claims {
		out = append(out, c.Text)
	}
	return out
}

var lists = []messages.Window{
	win("club", "Book Club (film)", "Book Club is a 2018 film by Bill Holderman. It stars Diane Keaton, Jane Fonda (as Vivian), Candice Bergen as Sharon, and the actress Mary Steenburgen as four friends."),
	win("lake", "Lake Tana", "Lake Tana lies in Ethiopia. The lake is fed by the Gilgel Abay, Reb and Gumara rivers. Its water is used for irrigation."),
	win("flag", "Flag of Elbonia", "The colours of the flag of Elbonia are red, white and green. It was adopted in 1950."),
	win("pact", "Elbonian Pact", "The countries that signed the Elbonian Pact in 1950 were France, the Netherlands and Morocco."),
	win("pact2", "Pact of 1950", "The Elbonian Pact was signed by France, Morocco and Portugal. France and Morocco are the countries that left it."),
	win("orders", "Orders", "The orders of Elbonian columns are these:\n- Doric: plain\n- Ionic (with scrolls)\n- Corinthian, ornate\nThey are old."),
}

func TestAnswerLists(t *testing.T) {
	t.Parallel()
	e := New(Options{})
	for _, c := range []struct {
		question string
		want     []string
	}{
		{"Who are the four actresses in the film Book Club?", []string{"Diane Keaton", "Jane Fonda", "Candice Bergen", "Mary Steenburgen"}},
		{"Which rivers feed Lake Tana?", []string{"Gilgel Abay", "Reb", "Gumara"}},
		{"What colours are on the flag of Elbonia?", []string{"red", "white", "green"}},
		{"Which countries signed the Elbonian Pact?", []string{"France", "Netherlands", "Morocco", "Portugal"}},
		{"What are the orders of Elbonian columns?", []string{"Doric", "Ionic", "Corinthian"}},
		// one thing is asked for
		{"Who directed the film Book Club?", nil},
		{"In which country is Lake Tana?", nil},
		{"When was the flag of Elbonia adopted?", nil},
	} {
		f, err := e.Answer(t.Context(), c.question, lists)
		if err != nil || !slices.Equal(texts(f.Claims), c.want) {
			t.Errorf("%s: %q, claims %q, %v; want %q", c.question, f.Text, texts(f.Claims), err, c.want)
		}
		if len(f.Claims) > 0 && f.Text != listText(f.Claims) {
			t.Errorf("%s: text %q beside claims %q", c.question, f.Text, texts(f.Claims))
		}
		for _, cl := range f.Claims {
			if len(cl.Citations) == 0 || cl.Citations[0].ID == "" {
				t.Errorf("%s: %q is not supported", c.question, cl.Text)
			}
		}
	}
	f, _ := e.Answer(t.Context(), "Which countries signed the Elbonian Pact?", lists)
	for _, c := range f.Claims {
		if n := len(c.Citations); (c.Text == "France") != (n == 2) && c.Text != "Morocco" {
			t.Errorf("%s stands in %v", c.Text, c.Citations)
		}
	}
	// a plural question with one thing found
	if f, err := e.Answer(t.Context(), "Who were the presidents of Elbonia?", []messages.Window{win("p", "Elbonia", "The president of Elbonia was Ada Lovelace.")}); err != nil || f.Text != "Ada Lovelace" || f.Claims != nil {
		t.Errorf("%+v %v", f, err)
	}
}

func TestSeveral(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]int{ // -1: no; 0: yes; else how many
		"which two chambers make up the parliament": 2, "what are the 5 languages of love": 5, "Which countries border Chad?": 0,
		"who were the first settlers": 0, "popular styles of music in 1400": 0, "Name the moons of Mars": 0,
		"What virus causes flu?": -1, "What is the analysis of Ada?": -1, "what type of rock dominates the earth": -1, "What is Opry Mills?": -1,
		"What dissolved privileges in Poland?": -1, "what serves as headquarters of it": -1, "When are planes used?": -1, "How many rivers feed it?": -1,
		"Where are Ada and Grace buried?": -1, "": -1,
	} {
		q := parseQuery(question)
		yes, n := several(&q)
		if got := map[bool]int{true: n, false: -1}[yes]; got != want {
			t.Errorf("%s: %d, want %d", question, got, want)
		}
	}
}

func TestFuseLists(t *testing.T) {
	t.Parallel()
	claim := func(names ...string) (out []messages.Claim) {
		for _, n := range names {
			out = append(out, messages.Claim{Text: n, Citations: []messages.Source{{ID: n + " page"}}})
		}
		return out
	}
	list := func(confidence float64, names ...string) messages.Finding {
		return messages.Finding{Text: listText(claim(names...)), Confidence: confidence, Claims: claim(names...)}
	}
	one := func(confidence float64, name string) messages.Finding {
		return messages.Finding{Text: name, Confidence: confidence}
	}
	for name, c := range map[string]struct {
		findings []messages.Finding
		text     string
		want     []string
	}{
		"the same things are united":     {[]messages.Finding{list(.5, "Ada", "Alan"), list(.4, "Alan", "Grace")}, "Ada; Alan; Grace", []string{"Ada", "Alan", "Grace"}},
		"others are not":                 {[]messages.Finding{list(.5, "Ada", "Alan"), list(.4, "Rex", "Bo", "Flo")}, "Ada; Alan", []string{"Ada", "Alan"}},
		"the longer name stays":          {[]messages.Finding{list(.5, "Ada", "Alan"), list(.4, "Ada Lovelace", "Alan")}, "Ada Lovelace; Alan", []string{"Ada Lovelace", "Alan"}},
		"most say one":                   {[]messages.Finding{one(.5, "Ada"), one(.5, "Ada"), list(.4, "Ada", "Alan")}, "Ada", nil},
		"most give a list with it":       {[]messages.Finding{one(.5, "Ada"), list(.4, "Ada", "Alan"), list(.3, "Ada", "Grace")}, "Ada; Alan; Grace", []string{"Ada", "Alan", "Grace"}},
		"a list without it says nothing": {[]messages.Finding{one(.9, "Ada"), list(.4, "Rex", "Bo")}, "Ada", nil},
	} {
		f, err := New(Options{}).Fuse(t.Context(), "Who were they?", c.findings, nil)
		if err != nil || f.Text != c.text || !slices.Equal(texts(f.Claims), c.want) {
			t.Errorf("%s: %q %q %v", name, f.Text, texts(f.Claims), err)
		}
	}
}

func FuzzAnswerLists(f *testing.F) {
	f.Add("Which rivers feed it?", "It is fed by the Reb, Gumara (a river) and the Tis.\n- A\n1. B")
	f.Add("what are the three sites", "and, or , (and) the A and or")
	f.Add("who are they", "- \n- a\n- ")
	e := New(Options{})
	f.Fuzz(func(t *testing.T, question, text string) {
		got, err := e.Answer(t.Context(), question, []messages.Window{win("p", "It", text), win("q", "They", text)})
		if err != nil || len(got.Claims) == 1 || len(got.Claims) > messages.MaxClaims || len(got.Claims) > 0 && got.Text != listText(got.Claims) {
			t.Errorf("%+v %v", got, err)
		}
	})
}
