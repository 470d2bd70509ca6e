package classify

// classFeature is one observation about a question. Each is about what the
// question says; none looks at capitals, at a mark at the end, or at length.
type classFeature int

// The features.
const (
	qBias          classFeature = iota
	qTwoAsks                    // asks twice: two clauses that open like questions
	qThreeAsks                  // three times or more
	qAndAsk                     // "and when …", "and who …"
	qTwoSentences               // has more than one sentence
	qBackReference              // a later clause says he, she, it, they, his …
	qThirdPerson                // he, she, it, they, his … anywhere
	qEveryone                   // you, someone, people, a person: nobody in particular
	qModal                      // would, could, might, should, can
	qHabit                      // likely, often, usually, typically, sometimes
	qIndefinite                 // one "a" or "an"
	qIndefinites                // several
	qNoRare                     // nothing but everyday words
	qOneRare                    // one word that is not everyday
	qThreeRare                  // three or more
	qNumber                     // a number or year
	qAsksWho                    // by its first question word
	qAsksWhen                   //
	qAsksWhere                  //
	qAsksWhat                   //
	qAsksWhich                  //
	qAsksCount                  // how many, how much
	qAsksHow                    //
	qAsksWhy                    //
	qAsksNothing                // no question word
	qYesNo                      // opens with an auxiliary
	qEndsWhat                   // the question word comes last
	qWhInside                   // the question word stands within, no clause of its own
	qRelation                   // father, capital, director …
	qRelationOf                 // … of
	qRelations2                 // two of them
	qPossessive1                // one 's
	qPossessive2                // two or more
	qPossessiveKin              // 's followed by a relation
	qTwoOf                      // of … of
	qThreeOf                    //
	qRelWhere                   // a noun, then where
	qRelWho                     // a noun, then who, whom or whose
	qRelThat                    // a noun, then that or which
	qPrepWhich                  // in which, of which, inside the sentence
	qReduced1                   // a noun, then a participle and its preposition: "directed by"
	qBoth                       // both, same, common, share
	qOrChoice                   // or
	qCommaOr                    // ", A or B"
	qOrWeighed                  // or, with a comparative, superlative or order
	qWeighed                    // a comparative, without or
	qMost                       // a superlative
	qWorkOf                     // film, song … behind a relation
	qTheThrice                  // three definite phrases
	qPlaceWhere                 // city, state, country …, then where, in which, that
	qTwoVerbs                   // two verbs
	qThreeVerbs                 // three or more
	qEveryday                   // find, feel, keep, need, happen, cause …
	qPastAsk                    // did, was, were
	qPresentAsk                 // do, does, is, are
	qNamed                      // called, named, known as
	qSharedEvent                // born, died: what two things are compared by
	qCoordinated                // "the A and B of", two nouns of one thing
	classFeatures               // how many there are
)
