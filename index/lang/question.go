package lang

import "strings"

// AnswerType is the kind of answer a question asks for.
type AnswerType uint8

// The answer types.
const (
	Unknown AnswerType = iota
	PersonType
	PlaceType
	DateType
	YearType
	NumberType
	DurationType
	MoneyType
	PercentType
	YesNo
	Choice      // one of the question's own options
	WorkType    // a film, book, song
	OrgType     // an organisation, team, school
	Description // a clause: definitions, reasons, manners
	EntityType  // a thing of the kind the head noun names
)

var typeNames = [...]string{"unknown", "person", "place", "date", "year", "number", "duration", "money", "percent",
	"yes-no", "choice", "work", "organisation", "description", "entity"}

// String returns the type's name.
func (t AnswerType) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "unknown"
}

// Direction says which end a comparison asks for.
type Direction int8

// The directions. Older and earlier are Least of a date; longer and larger
// are Most of a quantity.
const (
	Least Direction = -1
	None  Direction = 0
	Most  Direction = 1
)

// Question is what a question asks for.
type Question struct {
	Text   string
	Tokens []Token
	Type   AnswerType
	// Wh is the question word ("who", "what", …), empty where there is none;
	// WhAt is its token, or -1.
	Wh   string
	WhAt int
	// Head is the normal form of the noun the question word belongs to
	// ("river" in "what river"), or "" ; its noun phrase is tokens HeadFrom to HeadTo.
	Head             string
	HeadFrom, HeadTo int
	// List is the closed class answers come from, where the head names one.
	List Class
	// Options are what an either-or question offers.
	Options []Span
	// Compare is the direction of a comparison, and ByDate whether it is one
	// of dates.
	Compare Direction
	ByDate  bool
}

// Focus analyses a question: complete ones, search-engine style without
// capitals, and those whose question word is not in front.
func Focus(question string) Question {
	q := Question{Text: question, Tokens: Tokens(question), WhAt: -1}
	if len(q.Tokens) == 0 {
		return q
	}
	q.findWh()
	q.findCompare()
	q.classify()
	if q.Options = options(&q); len(q.Options) >= 2 {
		q.Type = Choice
	}
	return q
}

func whWord(norm string) string {
	switch norm {
	case "who", "whom", "whose", "what", "which", "when", "where", "why", "how":
		return norm
	case "whats":
		return "what"
	case "whos":
		return "who"
	}
	return ""
}

// findWh finds the interrogative: in front, after an opening preposition, or
// the last one in place of a noun; relative pronouns follow a noun and do not
// count.
func (q *Question) findWh() {
	toks := q.Tokens
	best, score := -1, 0
	for i := range toks {
		w := whWord(toks[i].Norm)
		if w == "" {
			continue
		}
		s := 1
		switch {
		case i == 0:
			s = 6
		case toks[i].First:
			s = 5
		case q.asksAt(i):
			s = 4 // "…, but where did", "he died when?"
		case i == 1 && (IsPreposition(toks[0].Norm) || toks[0].Norm == "and" || toks[0].Norm == "so"):
			s = 6
		case toks[i].Sep.Any(Comma|Colon|Dash) && (i+1 < len(toks) && IsAuxiliary(toks[i+1].Norm) || w == "what" || w == "which"):
			s = 4 // "In 1990, who was …", "…, what city …"
		case IsBe(toks[i-1].Norm) && (w == "what" || w == "which" || w == "who" || w == "where" || w == "when"):
			s = 4 // "the seat is what city"
		case w == "what" || w == "how":
			s = 3
		case IsPreposition(toks[i-1].Norm) && w == "which" && i+1 < len(toks) && !toks[i+1].Stop:
			s = 3 // "born in which city", but not "a band of which the"
		case i == len(toks)-1:
			s = 3
		}
		if s > score {
			best, score = i, s
		}
	}
	if best >= 0 && (score > 1 || !q.auxFirst() && !toks[0].Stop) {
		q.WhAt, q.Wh = best, whWord(toks[best].Norm)
	}
	if q.WhAt > 0 && score < 6 && q.auxFirst() && !q.namedFirst() {
		q.WhAt, q.Wh = -1, ""
	}
}

// asksAt reports whether the question word at i asks, and does not refer to a noun
// before it: it opens a clause behind an "and", or is the last word that counts.
func (q *Question) asksAt(i int) bool {
	toks := q.Tokens
	switch toks[i-1].Norm {
	case "and", "but", "so", "or", "then":
		return i+1 < len(toks) && IsAuxiliary(toks[i+1].Norm)
	}
	if IsPreposition(toks[i-1].Norm) || i < len(toks)-3 {
		return false
	}
	for _, t := range toks[i+1:] {
		if _, verb := Verb(t.Norm); verb != 0 || t.Cap || !t.Stop && !strings.HasSuffix(t.Norm, "ly") {
			return false
		}
	}
	return true
}

// asksLater reports whether a clause behind the first asks yes or no: "…, are they
// of one age?".
func (q *Question) asksLater() bool {
	for i := 1; i+1 < len(q.Tokens); i++ {
		t := &q.Tokens[i]
		if !t.First && !t.Sep.Any(Comma|Colon|Dash) || !IsAuxiliary(t.Norm) {
			continue
		}
		switch q.Tokens[i+1].Norm {
		case "they", "both", "it", "he", "she", "the", "these", "those", "either", "this", "that", "there", "all":
			return true
		}
	}
	return false
}

// namedFirst reports whether the first word is an auxiliary that is also a name,
// before another name: May Morris, Will Smith.
func (q *Question) namedFirst() bool {
	return len(q.Tokens) > 1 && q.Tokens[1].Cap && (q.Tokens[0].Norm == "may" || q.Tokens[0].Norm == "will")
}

func (q *Question) auxFirst() bool { return IsAuxiliary(q.Tokens[0].Norm) }

func (q *Question) norm(i int) string {
	if i >= 0 && i < len(q.Tokens) {
		return q.Tokens[i].Norm
	}
	return ""
}

func (q *Question) classify() {
	i := q.WhAt
	if q.norm(i+1) == "'s" {
		i++
	}
	switch q.Wh {
	case "":
		if q.auxFirst() || q.asksLater() {
			q.Type = YesNo
			return
		}
		q.bare()
	case "who", "whom":
		q.Type = PersonType
		if q.plainSubject(i + 1) {
			q.Type = Description
		}
	case "whose":
		q.Type = PersonType
		q.head(i + 1)
	case "when":
		q.Type = DateType
	case "where":
		q.Type = PlaceType
	case "why":
		q.Type = Description
	case "how":
		q.how(i + 1)
	default:
		q.what(i + 1)
	}
	if q.Type != NumberType {
		q.List = listed(q.Head)
	}
}

func (q *Question) how(i int) {
	q.HeadFrom, q.HeadTo = i, i
	switch q.norm(i) {
	case "many":
		q.head(i + 1)
		q.Type = NumberType
		if q.Head == "years" || q.Head == "days" || q.Head == "months" || q.Head == "hours" || q.Head == "weeks" || q.Head == "minutes" {
			q.Type = DurationType
		}
		return
	case "much":
		q.Type = NumberType
		for _, t := range q.Tokens {
			switch t.Stem {
			case "cost", "pay", "price", "worth", "earn", "monei", "spend", "sell", "salari", "dollar", "charg", "rais", "gross", "win", "donat":
				q.Type = MoneyType
			}
		}
	case "long":
		q.Type = DurationType
		for _, t := range q.Tokens {
			switch t.Stem {
			case "river", "bridg", "road", "wall", "mile", "length", "wide", "tunnel", "coast", "film", "border", "trail":
				q.Type = NumberType
			}
		}
	case "old", "far", "tall", "high", "big", "large", "deep", "wide", "fast", "heavy", "hot", "cold", "often", "few", "thick", "close", "hard", "strong":
		q.Type = NumberType
	default:
		q.Type = Description
		q.HeadFrom, q.HeadTo = 0, 0
	}
}

// what classifies "what" and "which" questions; i follows the question word.
func (q *Question) what(i int) {
	n := q.norm(i)
	switch {
	case q.Tokens[min(i, len(q.Tokens)-1)].Num: // "which 1990 film"
		q.head(i)
	case IsBe(n) || n == "'s" || q.norm(i-1) == "'s":
		if IsBe(n) || n == "'s" {
			i++
		}
		if q.plainSubject(i) {
			q.Type = Description
			return
		}
		switch q.norm(i) {
		case "a", "an":
			q.headOf(i + 1)
			if q.Type == Unknown && q.HeadTo >= len(q.Tokens) {
				q.Type = Description // "what is a comet"
			}
			if q.Type == Unknown {
				q.Type = EntityType
			}
			return
		case "the", "his", "her", "its", "their", "this", "that", "one", "another", "some":
			i++
		}
		q.headOf(i)
	case IsAuxiliary(n):
		q.Type = EntityType
		last := q.Tokens[len(q.Tokens)-1].Stem
		if last == "mean" || last == "stand" || q.norm(len(q.Tokens)-1) == "do" || last == "for" {
			q.Type = Description
		}
	default:
		q.headOf(i)
	}
	if q.Type == Unknown {
		q.Type = EntityType
	}
}

// bare classifies a question without question word: "number of seats in …".
func (q *Question) bare() {
	i := q.request()
	switch q.norm(i) {
	case "name", "tell", "give", "identify", "find", "list":
		i++
	}
	for range 2 {
		switch q.norm(i) {
		case "the", "a", "an", "me", "his", "her", "its", "their":
			i++
		}
	}
	q.headOf(i)
	if q.Type == Unknown {
		q.Type = EntityType
	}
}

// wishes reports whether token i is the verb of "I'd like", "I want".
func (q *Question) wishes(i int) bool {
	switch q.norm(i) {
	case "like", "want", "need":
		switch q.norm(i - 1) {
		case "i", "i'd", "'d", "would", "we", "we'd":
			return true
		}
	}
	return false
}

// request returns where a question without a question word says what it wants:
// behind "I'd like", or where its last clause begins that is a phrase of its own,
// behind a colon or a full stop.
func (q *Question) request() int {
	at := 0
	for i := 1; i < len(q.Tokens); i++ {
		t := &q.Tokens[i]
		if t.First || t.Sep.Any(Colon) {
			at = i
		}
		if i > 1 && q.wishes(i-1) {
			at = i
			if t.Norm == "to" && q.norm(i+1) == "know" {
				at = i + 2
			}
		}
	}
	if at+1 >= len(q.Tokens) {
		return 0
	}
	return at
}
