package builtin

// relevanceWeights value what relevant_feature.go measures.
var relevanceWeights = [relFeatures]float32{
	relAll:          -0.23,
	relBest:         0.46,
	relBestSquare:   1.11,
	relNames:        0.95,
	relTitleNames:   0.76,
	relNamed:        -0.39,
	relWhole:        0.95,
	relBare:         0.84,
	relTyped:        0.34,
	relListed:       3.68,
	relRank:         0.94,
	relScore:        2.36,
	relNew:          2.2,
	relLinked:       0.93,
	relLinkedPlace:  0.98,
	relLinkedPerson: -1.48,
}

// Confidences of answers that are not weighed but reasoned.
const (
	confidenceCompared  = 0.7  // both things' values were found and compared
	confidenceSupported = 0.5  // the text of one supports it clearly
	confidenceGuess     = 0.25 // something had to be said
)

// rarityFloor is the weight, beyond rarity, of a question's word that every
// sentence has.
const rarityFloor = 0.5

// fuseBelief is how much of its confidence an agreeing finding lends.
const fuseBelief = 0.5
