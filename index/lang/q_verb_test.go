package lang

import "testing"

func TestVerb(t *testing.T) {
	for _, c := range []struct {
		in, base string
		form     VerbForm
	}{
		{"played", "play", VerbPast | VerbParticiple},
		{"wrote", "write", VerbPast},
		{"written", "write", VerbParticiple},
		{"plays", "play", VerbThird},
		{"studied", "study", VerbPast | VerbParticiple},
		{"dying", "die", VerbIng},
		{"starring", "star", VerbIng},
		{"cut", "cut", VerbBase | VerbPast | VerbParticiple},
		{"become", "become", VerbBase | VerbParticiple},
		{"zoned", "", VerbPast | VerbParticiple},
		{"hundred", "", 0},
		{"table", "", 0},
		{"", "", 0},
	} {
		if base, form := Verb(c.in); base != c.base || form != c.form {
			t.Errorf("Verb(%q) = %q, %b; want %q, %b", c.in, base, form, c.base, c.form)
		}
	}
	if b, f := Verb("founded"); b != "found" || f&VerbParticiple == 0 {
		t.Errorf("Verb(founded) = %q, %b", b, f)
	}
	if b, f := Verb("found"); b != "find" || f&VerbParticiple == 0 {
		t.Errorf("Verb(found) = %q, %b", b, f)
	}
}

func TestKin(t *testing.T) {
	if k := Kin("grandmother", "maternal"); len(k) != 2 || k[0] != "mother" || k[1] != "mother" {
		t.Errorf("maternal grandmother: %v", k)
	}
	if k := Kin("father-in-law", ""); len(k) != 2 || k[0] != "spouse" {
		t.Errorf("father-in-law: %v", k)
	}
	if !IsRole("director") || !IsRelation("capital") || IsRole("capital") || IsRelation("table") || !IsPlace("city") {
		t.Error("nouns")
	}
}
