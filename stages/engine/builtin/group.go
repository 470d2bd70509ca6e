package builtin

import "hopstream/index/lang"

// group is a set of answer types that share their weights.
type group uint8

const (
	groupPerson group = iota
	groupPlace
	groupDate
	groupNumber
	groupThing   // works, organisations, things named by a head noun, anything
	groupListed  // words of a closed class: occupations, genres, …
	groupCountry // countries and nationalities
	groups
)

// groupOf returns the group of a question's answer type.
func groupOf(q *lang.Question) group {
	switch {
	case q.List&lang.Country != 0:
		return groupCountry
	case q.List&^(lang.Country|lang.State) != 0:
		return groupListed
	case q.Type == lang.PersonType:
		return groupPerson
	case q.Type == lang.PlaceType:
		return groupPlace
	case q.Type == lang.DateType || q.Type == lang.YearType:
		return groupDate
	case q.Type == lang.NumberType || q.Type == lang.DurationType || q.Type == lang.MoneyType || q.Type == lang.PercentType:
		return groupNumber
	}
	return groupThing
}
