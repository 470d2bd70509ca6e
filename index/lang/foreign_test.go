package lang

import "testing"

func TestForeign(t *testing.T) {
	t.Parallel()
	for _, q := range []string{"Wie viele Urlaubstage hat jeder Mitarbeiter?", "¿Quién escribió la novela?", "Où se trouve le siège de la société ?",
		"Wie is de directeur van de school?", "明长城有多长？"} {
		if !Foreign(q) {
			t.Errorf("%q is English", q)
		}
	}
	for _, q := range []string{"Who wrote Dune?", "What is the Zorblax of Kraków?", "when did olwen brogan die", "How do I run journalctl --vacuum-size?", "2 + 2?", ""} {
		if Foreign(q) {
			t.Errorf("%q is not English", q)
		}
	}
}
