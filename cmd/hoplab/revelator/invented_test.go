package revelator

import (
	"context"
	"fmt"
	"testing"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/messages"
)

// invented are n people, towns and lands as four data sets, one per class.
// Towns are shared by two people each and lands by six towns, so that complex
// questions are connected.
func invented(n int) []Set {
	var single, complexes, straight Set
	single.Name, single.Class = "single", messages.Single
	complexes.Name, complexes.Class = "complex", messages.Complex
	straight.Name, straight.Class = "straightforward", messages.Straightforward
	for i := range n {
		person, town, land := fmt.Sprintf("Orla Venn%c%d", 'a'+i%26, i), fmt.Sprintf("Tarnby%d", i/2), fmt.Sprintf("Harland%d", i/12)
		trade := []string{"engineer", "baker", "painter", "surveyor", "glazier"}[i%5]
		born := fmt.Sprint(1700 + i)
		p := dataset.Document{ID: fmt.Sprintf("p%d", i), Title: person,
			Text: fmt.Sprintf("%s was born in %s in %s. She worked as %s. Venn%c%d left her house.", person, town, born, trade, 'a'+i%26, i)}
		single.Documents = append(single.Documents, p)
		complexes.Documents = append(complexes.Documents, p)
		if i%2 == 0 {
			complexes.Documents = append(complexes.Documents, dataset.Document{ID: fmt.Sprintf("t%d", i/2), Title: town,
				Text: fmt.Sprintf("%s is a town in %s, known for its market.", town, land)})
		}
		ask := func(kind, question, answer string) {
			single.Questions = append(single.Questions, dataset.Question{ID: fmt.Sprintf("s%d%s", i, kind), Question: question,
				Answers: []string{answer}, Supporting: []string{p.ID}})
		}
		ask("year", "When was "+person+" born?", born)
		ask("trade", "What did "+person+" work as?", trade)
		ask("town", "In which town was "+person+" born?", town)
		complexes.Questions = append(complexes.Questions, dataset.Question{ID: fmt.Sprintf("c%d", i),
			Question: "In which land is the birthplace of " + person + "?", Answers: []string{land},
			Supporting: []string{p.ID, fmt.Sprintf("t%d", i/2)},
			Decomposition: []dataset.Step{
				{Question: person + " >> place of birth", Answer: town, Support: p.ID},
				{Question: "In which land is #1?", Answer: land, Support: fmt.Sprintf("t%d", i/2)},
			}})
		straight.Questions = append(straight.Questions, dataset.Question{ID: fmt.Sprintf("x%d", i),
			Question: fmt.Sprintf("What is %d times %d?", i, i+1), Answers: []string{fmt.Sprint(i * (i + 1))}})
	}
	made := Compounds([]Set{single}, CompoundOptions{Seed: 1})
	return []Set{straight, single, {Name: "compound", Questions: made.Questions, Documents: made.Documents}, complexes}
}

func build(t *testing.T, sets []Set, o Options) *Made {
	t.Helper()
	made, err := Build(context.Background(), sets, o)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

var usual = Options{Seed: 7, Shares: Shares{Dev: 0.2, Test: 0.2}, Negatives: 2}
