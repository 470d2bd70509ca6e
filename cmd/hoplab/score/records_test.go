package score_test

import (
	"testing"

	"hopstream/cmd/hoplab/score"
)

// record is a record of fields and their values in turn.
func record(fieldsAndValues ...string) (out []score.Fact) {
	for i := 0; i < len(fieldsAndValues); i += 2 {
		out = append(out, score.FactsOf(fieldsAndValues[i], fieldsAndValues[i+1])...)
	}
	return out
}

// The shapes are those of MuISQA's published examples: a value that is unknown,
// several in one field, one that several records share.
func TestRecords(t *testing.T) {
	t.Parallel()
	drugs := [][]score.Fact{
		record("drug_name", "Lumenol", "active_molecule", "lumen citrate", "adverse_effects", "nausea; dizziness"),
		record("drug_name", "Tarnbex", "active_molecule", "lumen citrate", "adverse_effects", "headache"),
	}
	variants := [][]score.Fact{
		record("nucleotide_change", "c.34A>T", "protein_change", "", "disease", "Venn disease"),
		record("nucleotide_change", "", "protein_change", "Q5R", "disease", "Vik syndrome (VS)"),
	}
	lands := [][]score.Fact{record("country", "Harland", "continent", "Asia", "river_length_km", "2400"), record("country", "Velm", "continent", "Asia")}
	steps := [][]score.Fact{record("catalyst_name", "Factor X", "active_species", "Factor X")}
	for _, c := range []struct {
		what         string
		given, golds [][]score.Fact
		aa, ac       float64
	}{
		{"everything, in another order and spelling", [][]score.Fact{
			record("Drug name", "tarnbex", "Active molecule", "Lumen Citrate", "Adverse effects", "headache!"),
			record("Drug name", "the Lumenol", "Active molecule", "lumen citrate", "Adverse effects", "dizziness; nausea"),
		}, drugs, 1, 1},
		{"a value counts in its own record only", [][]score.Fact{record("drug_name", "Lumenol", "adverse_effects", "headache")}, drugs, 1. / 2, 1. / 7},
		{"swapped effects", [][]score.Fact{
			record("drug_name", "Lumenol", "active_molecule", "lumen citrate", "adverse_effects", "headache"),
			record("drug_name", "Tarnbex", "active_molecule", "lumen citrate", "adverse_effects", "nausea; dizziness"),
		}, drugs, 4. / 7, 4. / 7},
		{"one value holds two gold ones", [][]score.Fact{record("drug_name", "Lumenol", "adverse_effects", "nausea and dizziness")}, drugs, 1, 3. / 7},
		{"a record that is of no gold one", [][]score.Fact{record("drug_name", "Lumenol"), record("drug_name", "Placebex", "adverse_effects", "none")}, drugs, 1. / 3, 1. / 7},
		{"a record given twice counts once", [][]score.Fact{record("drug_name", "Lumenol"), record("Drug_Name", "lumenol.")}, drugs, 1, 1. / 7},
		{"a gold record is paired once", [][]score.Fact{record("drug_name", "Lumenol"), record("drug_name", "Lumenol", "adverse_effects", "nausea")}, drugs, 2. / 3, 2. / 7},
		{"unknown values are no facts", [][]score.Fact{
			record("nucleotide_change", "c.34A>T", "protein_change", "", "disease", "Venn disease"),
			record("nucleotide_change", "n", "protein_change", "Q5R", "disease", "Vik syndrome"),
		}, variants, 3. / 5, 3. / 4},
		{"a value that records share, and a number with its unit", [][]score.Fact{
			record("country", "Velm", "continent", "Asia"), record("country", "Harland", "continent", "Asia", "length", "2,400 km"),
		}, lands, 1, 1},
		{"a field of the same name is the one compared with", [][]score.Fact{record("catalyst_name", "Factor X")}, steps, 1, 1. / 2},
		{"a field of another name is compared with all", [][]score.Fact{record("name", "Factor X")}, steps, 1, 1},
		{"nothing given", nil, drugs, 0, 0},
		{"nothing wanted", [][]score.Fact{record("a", "b")}, nil, 0, 0},
	} {
		aa, ac := score.Records(c.given, c.golds)
		near(t, "AA: "+c.what, aa, c.aa)
		near(t, "AC: "+c.what, ac, c.ac)
	}
}

func TestFactsOf(t *testing.T) {
	t.Parallel()
	if got := score.FactsOf("side_products", " H2O; O2 ;; the ; OH radicals"); len(got) != 3 || got[2] != (score.Fact{"side_products", "OH radicals"}) {
		t.Errorf("%q", got)
	}
}
