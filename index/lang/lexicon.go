package lang

import "strings"

// Class is a set of small closed classes a word may belong to.
type Class uint32

// The classes.
const (
	Country Class = 1 << iota
	Demonym
	State // a first-level division or a well-known region
	City  // a well-known one
	Occupation
	Genre
	Sport
	Religion
	Language
	Colour
	GivenName
	PlaceSuffix // River, County
	OrgSuffix   // University, Band
	PersonTitle // President, Sir
	Instrument  // guitar
	Weekday     // Monday
	WorkNoun    // film, novel
	Continent   // Europe
)

// ClassOf returns the classes of a normal form; several words are joined by
// single spaces.
func ClassOf(norm string) Class { return lexicon[norm] }

// CountryOf returns the country a country name or demonym stands for, in its
// normal form, or "".
func CountryOf(norm string) string { return countries[norm] }

var lexicon, countries = func() (map[string]Class, map[string]string) {
	m := make(map[string]Class, 2048)
	c := make(map[string]string, 512)
	for _, l := range lists {
		for _, w := range strings.Split(l.words, ",") {
			m[strings.TrimSpace(w)] |= l.class
		}
	}
	for _, row := range strings.Split(nations, ";") {
		name, demonyms, _ := strings.Cut(strings.TrimSpace(row), ":")
		m[name] |= Country
		c[name] = name
		for _, d := range strings.Split(demonyms, ",") {
			if d = strings.TrimSpace(d); d == "" {
				continue
			}
			if d[0] == '=' { // another name of the country
				m[d[1:]] |= Country
				c[d[1:]] = name
				continue
			}
			m[d] |= Demonym
			if _, taken := c[d]; !taken {
				c[d] = name
			}
		}
	}
	return m, c
}()
