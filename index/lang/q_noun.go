package lang

import "strings"

// IsRelation reports whether a noun names someone or something by its
// relation to another: the father of X, X's capital.
func IsRelation(norm string) bool { return relations[norm] || IsRole(norm) || kin[norm] != nil }

// IsRole reports whether a relation noun stands for a person or a group, so
// that it is asked for with "who".
func IsRole(norm string) bool { return roles[norm] || kin[norm] != nil }

// Kin returns the steps a relative by two steps consists of: a grandfather is
// the father of the father. Side is "paternal", "maternal" or "".
func Kin(norm, side string) []string {
	steps := kin[norm]
	if len(steps) == 2 && side == "maternal" && steps[0] == "father" {
		return []string{"mother", steps[1]}
	}
	return steps
}

var kin = map[string][]string{
	"grandfather": {"father", "father"}, "grandmother": {"father", "mother"},
	"father-in-law": {"spouse", "father"}, "mother-in-law": {"spouse", "mother"},
	"stepmother": {"father", "wife"}, "stepfather": {"mother", "husband"},
	"uncle": {"father", "brother"}, "aunt": {"father", "sister"},
	"brother-in-law": {"spouse", "brother"}, "sister-in-law": {"spouse", "sister"},
	"child-in-law": {"child", "spouse"}, "stepchild": {"spouse", "child"},
	"son-in-law": {"daughter", "husband"}, "daughter-in-law": {"son", "wife"},
}

var roles = qWords(`father mother son daughter brother sister spouse husband wife parent child sibling partner cousin nephew niece widow
	fiance fiancee lover heir ancestor grandson granddaughter
	director author writer composer performer singer producer screenwriter creator founder co-founder cofounder owner publisher
	developer designer architect artist painter sculptor editor narrator presenter host star drummer guitarist vocalist frontman
	bassist lyricist songwriter inventor discoverer builder manufacturer distributor sponsor operator winner champion
	president chairman chairperson ceo leader ruler king queen emperor monarch governor mayor minister premier chancellor captain
	coach manager commander successor predecessor teacher mentor student employer protagonist killer assassin
	discoverer maker illustrator translator conductor choreographer cinematographer head`)

var relations = qWords(`birthplace hometown capital headquarters headquarter seat alma-mater birth-city residence deathplace
	capitol label studio publisher team club league conference network affiliation namesake successor predecessor
	sequel prequel continent workplace subsidiary parent-company currency
	residence employer`)

// IsPlace reports whether a noun stands for a kind of place.
func IsPlace(norm string) bool { return places[norm] || places[strings.TrimSuffix(norm, "s")] }

var places = qWords(`place location birthplace hometown capital city town village county state province region country continent
	district island municipality area site venue stadium headquarter seat neighborhood borough parish territory nation kingdom
	suburb peninsula residence deathplace`)
