package builtin

import (
	"context"
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/stages/engine/builtin/weights"
)

var classified = []struct {
	question string
	class    messages.Class
}{
	{"What is 17 times 23?", messages.Straightforward},
	{"How many feet are in a mile?", messages.Straightforward},
	{"What do people usually do when they feel tired?", messages.Straightforward},
	{"Where would you put a plate after washing it?", messages.Straightforward},
	{"What might a person do if they want to buy a house?", messages.Straightforward},
	{"Where would someone likely keep a spare key?", messages.Straightforward},
	{"Who wrote Hamlet?", messages.Single},
	{"When did the Titanic sink?", messages.Single},
	{"How many moons does Jupiter have?", messages.Single},
	{"In what city was Alan Turing born?", messages.Single},
	{"Which river flows through Vienna?", messages.Single},
	{"Who invented the telephone in 1876?", messages.Single},
	{"How do I reset my password?", messages.Single},
	{"What port does the metrics server use?", messages.Single},
	{"Where was Marie Curie born and when did she die?", messages.Compound},
	{"Who wrote the safety chapter and when was it approved?", messages.Compound},
	{"Who founded Microsoft, and when was it founded?", messages.Compound},
	{"What is the capital of Peru? What is its population? Which language is spoken there?", messages.Compound},
	{"When did the bridge open, how long is it, and who designed it?", messages.Compound},
	{"Who is the father of the director of the film Jaws?", messages.Complex},
	{"Which film has the director who died earlier, The Goose Woman or Silent Dust?", messages.Complex},
	{"Where was the composer of the song Imagine born?", messages.Complex},
	{"What is the seat of the county where Van Hook Township is located?", messages.Complex},
	{"Is Oslo larger than Bergen?", messages.Complex},
	{"Would a pear sink in water?", messages.Complex},
	{"Are Oslo and Bergen both located in the same country?", messages.Complex},
	{"Who was born later, Gideon Pillow or Holm Jølsen?", messages.Complex},
	{"What is the capital of the state where the band that wrote Creep was formed?", messages.Complex},
}

func shippedClass(question string) messages.Class { return ClassOf(weights.Shipped(), question) }

func TestClassify(t *testing.T) {
	for _, c := range classified {
		for _, q := range []string{c.question, strings.ToLower(c.question), strings.TrimRight(c.question, "?")} {
			got, err := newEngine(Options{}).Classify(context.Background(), q)
			if err != nil || got != c.class {
				t.Errorf("%s: %s, %v; want %s", q, got, err, c.class)
			}
		}
	}
}

// TestListsAreNotCompound: who asks for many things asks one question.
func TestListsAreNotCompound(t *testing.T) {
	t.Parallel()
	for _, q := range []string{
		"Name all countries that border Austria.",
		"List the planets of the solar system.",
		"Which countries border both France and Spain?",
		"Which countries won the World Cup?",
		"Name all the films directed by Sofia Coppola.",
		"Which rivers and lakes lie in Bavaria?",
		"What are the ingredients of pesto?",
		"List all cities in Norway with more than 100,000 inhabitants.",
		"Name the members of Queen and their instruments.",
		"Who were the presidents of the United States during the Cold War?",
		"What are the names of all players who won Wimbledon twice?",
		"Give me all books and essays by George Orwell.",
	} {
		if got := shippedClass(q); got != messages.Single && got != messages.Complex {
			t.Errorf("%s: %s", q, got)
		}
	}
}

func TestClassifyEdges(t *testing.T) {
	for _, q := range []string{"", " ", "?", "\xff\xfe", strings.Repeat("the of ", 2000), "who", "🙂"} {
		if got := shippedClass(q); !got.Valid() {
			t.Errorf("%.20q: %q", q, got)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := newEngine(Options{}).Classify(ctx, "Who?"); err == nil {
		t.Error("cancelled context: no error")
	}
}

func FuzzClassify(f *testing.F) {
	for _, c := range classified {
		f.Add(c.question)
	}
	f.Fuzz(func(t *testing.T, q string) {
		if !shippedClass(q).Valid() {
			t.Error("no class")
		}
	})
}

func BenchmarkClassify(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		shippedClass("What is the seat of the county where Van Hook Township is located?")
	}
}

func TestDirect(t *testing.T) {
	f, err := New(Options{}).Direct(t.Context(), "What is 6 times 7?")
	if err != nil || f.Text != "42" || f.Confidence != 1 {
		t.Errorf("%+v, %v", f, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(Options{}).Direct(ctx, "What is 6 times 7?"); err == nil {
		t.Error("cancelled context: no error")
	}
}
