package lang

// nounType returns what a question's head noun asks for: Unknown when the
// noun says nothing.
func nounType(norm string) AnswerType {
	switch norm {
	case "year", "years", "season":
		return YearType
	case "date", "day", "month", "time", "century", "decade", "birthday", "birthdate", "era", "period":
		return DateType
	case "number", "population", "amount", "total", "quantity", "rank", "score", "enrollment", "attendance", "elevation",
		"height", "area", "distance", "speed", "weight", "size", "depth", "temperature", "count", "capacity", "density", "width", "age":
		return NumberType
	case "percentage", "percent", "proportion", "share", "rate":
		return PercentType
	case "cost", "price", "salary", "revenue", "budget", "wage", "income", "fee", "gdp":
		return MoneyType
	case "duration", "lifespan":
		return DurationType
	case "city", "cities", "town", "village", "country", "countries", "state", "states", "county", "counties", "continent", "place", "places", "location", "region",
		"province", "district", "capital", "river", "rivers", "lake", "ocean", "sea", "mountain", "mountains", "island", "islands", "street", "neighborhood", "neighbourhood",
		"birthplace", "hometown", "area's", "territory", "nation", "nations", "municipality", "borough", "planet", "park", "venue", "stadium",
		"arena", "airport", "building", "headquarters", "seat", "suburb", "locality", "residence", "valley", "desert", "peninsula":
		return PlaceType
	case "person", "people", "man", "woman", "actor", "actress", "actors", "author", "writer", "director", "singer", "president", "king", "queen", "player",
		"mother", "father", "wife", "husband", "son", "daughter", "brother", "sister", "child", "children", "spouse", "grandfather",
		"grandmother", "parent", "parents", "uncle", "aunt", "scientist", "inventor", "founder", "composer", "producer", "artist", "leader", "governor", "mayor",
		"emperor", "general", "poet", "philosopher", "musician", "painter", "character", "winner", "coach", "captain", "senator",
		"architect", "designer", "owner", "ceo", "minister", "chairman", "quarterback", "performer", "screenwriter", "cinematographer", "narrator", "host",
		"explorer", "chancellor", "monarch", "ruler", "pope", "saint", "guitarist", "drummer", "pianist", "rapper", "comedian", "journalist",
		"economist", "physicist", "mathematician", "chemist", "historian", "lawyer", "judge", "politician", "architects", "editor", "creator",
		"candidate", "nominee", "successor", "predecessor", "father-in-law", "mother-in-law", "sibling", "secretary", "commander", "astronaut", "star", "driver", "vocalist", "engineer",
		"god", "goddess", "murderer", "assassin", "prince", "princess", "bishop", "individual", "scholar", "researcher", "theologian", "footballer", "boxer", "wrestler", "stepmother", "stepfather", "manager":
		return PersonType
	case "company", "organization", "organisation", "band", "group", "team", "teams", "university", "college", "school", "institution", "party", "league",
		"club", "agency", "label", "publisher", "network", "studio", "employer", "corporation", "manufacturer", "developer", "franchise", "airline",
		"bank", "conference", "department", "association", "church", "society", "brand", "newspaper", "channel", "station", "museum", "hospital", "orchestra", "regiment", "tribe", "distributor", "mater", "maker":
		return OrgType
	case "film", "movie", "book", "novel", "song", "album", "show", "series", "play", "game", "poem", "painting", "magazine", "opera",
		"single", "sitcom", "musical", "documentary", "comic", "episode", "title", "track", "sculpture":
		return WorkType
	case "meaning", "purpose", "definition", "reason", "difference", "significance":
		return Description
	}
	return Unknown
}

// listed returns the closed class a head noun's answers come from, or 0.
func listed(norm string) Class {
	switch norm {
	case "occupation", "profession", "job", "career":
		return Occupation
	case "genre", "genres":
		return Genre
	case "sport", "sports":
		return Sport
	case "religion", "faith", "denomination":
		return Religion
	case "language", "languages":
		return Language
	case "color", "colour", "colors", "colours":
		return Colour
	case "nationality", "ethnicity", "citizenship":
		return Demonym | Country
	case "country", "countries", "nation", "nations":
		return Country | Demonym
	case "state":
		return State
	case "continent":
		return Continent
	case "instrument", "instruments":
		return Instrument
	}
	return 0
}
