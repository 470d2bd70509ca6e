package read

import "testing"

// TestRespelled holds that a misspelt word becomes the texts' own, and that what the
// texts have, everyday words and numbers stay.
func TestRespelled(t *testing.T) {
	t.Parallel()
	texts := []Text{
		{Title: "Olwen Brogan", Text: "Olwen Brogan was an archaeologist. The directors of JetStream were there in 1985. A sattelite was lost."},
		{Text: "Another archaeologist, who had no title."},
	}
	for _, c := range []struct{ question, want string }{
		{"Who was Olwn Brogan?", "Who was Olwen Brogan?"},
		{"who was olwen brogn?", "who was olwen Brogan?"},
		{"Which archaologist dug there?", "Which archaeologist dug there?"},
		{"Who are the direcotrs of JetStraem?", "Who are the directors of JetStream?"},
		{"Who is the director?", "Who is the director?"},           // the same stem
		{"What was lost in 1984?", "What was lost in 1984?"},       // a number
		{"Which house was there?", "Which house was there?"},       // an everyday word
		{"Which sattelite was lost?", "Which sattelite was lost?"}, // as the text has it
		{"Where is Zorblax?", "Where is Zorblax?"},
		{"", ""},
	} {
		if got := Respelled(c.question, texts); got != c.want {
			t.Errorf("%q became %q, want %q", c.question, got, c.want)
		}
	}
	if got := Respelled("Who was Olwn?", nil); got != "Who was Olwn?" {
		t.Error(got)
	}
}
