package builtin

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
