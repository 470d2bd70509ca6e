package builtin

// relevanceWeights values what relevant.go measures.
var relevanceWeights = [relFeatures]float32{
	relAll:   1.8,
	relBest:  2.9,
	relTitle: -0.15,
	relNamed: 1.85,
	relWhole: 0.2,
	relRank:  1.45,
	relNew:   0.7,
}

// relevanceMargin is how far below the best a passage may be and still count.
const relevanceMargin = 3.6

// spanWeights values what feature.go measures, per group of answer types.
var spanWeights = [groups][features]float32{
	groupPerson: {
		fOwn: 0.77, fWide: 1.99, fTitle: 1.06, fScore: 2.83, fRank: -0.10, fLead: -0.12,
		fNear: 0.82, fMass: 1.16, fNearPred: 1.76, fNearHead: 0.89, fPredBefore: 0.16, fPredAfter: -0.56,
		fNameBefore: 0.79, fNameAfter: -0.78, fVerbOrder: 0.12, fAsked: -0.81, fSubject: 0.96, fAppos: 0.13,
		fBracket: -1.56, fCopula: -0.96, fCopulaNext: 0.16, fBy: 0.54, fIn: -0.37, fOn: -1.58,
		fTo: -0.48, fOf: -0.81, fThe: -0.09, fVerbBefore: -0.42, fWords: 0.37, fRedundant: 0.11,
		fName: 0.81, fQuoted: -3.07, fTitled: 0.32, fRun: -0.96, fFit: 0.59,
		fMisfit: 0.17, fPerson: 0.99, fPlace: -0.41, fOrg: 0.31, fDemonym: -0.35, fHeadIn: 0.77,
		fCommonW: -1.45, fBest: 0.47, fBestWide: 1.98,
		fSubjVerb: 0.29, fSubjPred: -0.15, fSubjName: 0.11, fObjVerb: 0.39, fObjPred: -0.15, fObjName: 0.38,
		fNamed: 0.06, fNames: -0.21, fAllNames: -0.40, fCoverNear: 0.85,
	},
	groupPlace: {
		fOwn: 0.36, fWide: 2.28, fTitle: 1.52, fRank: 0.21, fLead: 0.59,
		fNear: 0.27, fMass: 1.46, fNearPred: 1.29, fNearHead: 0.14, fPredBefore: 0.14, fPredAfter: -0.84,
		fNameBefore: -0.73, fNameAfter: -1.62, fVerbOrder: 0.51, fAsked: -0.37, fSubject: 0.07, fAppos: -0.72,
		fBracket: -2.19, fCopula: 0.45, fCopulaNext: 0.13, fBy: -0.30, fIn: 1.59, fOn: 0.24,
		fTo: 0.67, fOf: 0.45, fThe: -0.19, fVerbBefore: 0.14, fWords: 0.34, fRedundant: -0.08,
		fName: 0.02, fQuoted: -1.99, fTitled: 0.28, fRun: -1.10, fPair: -0.13, fFit: 0.80,
		fMisfit: -2.04, fPerson: -0.14, fPlace: 0.21, fOrg: -1.04, fDemonym: -0.78, fHeadIn: 0.85,
		fCommonW: -1.91, fBest: 0.27, fBestWide: 1.91,
		fSubjVerb: 1.45, fSubjPred: 0.39, fSubjName: -0.04, fObjVerb: 0.23, fObjPred: 0.03, fObjName: -0.04,
		fNamed: 2.04, fNames: 0.97, fAllNames: -0.02, fCoverNear: 1.20,
	},
	groupDate: {
		fOwn: 0.80, fWide: 1.33, fTitle: -0.51, fScore: 1.57, fRank: 0.32, fLead: 0.73,
		fNear: 0.48, fMass: 1.64, fNearPred: 1.84, fNearHead: -2.89, fPredBefore: -0.01, fPredAfter: -0.75,
		fNameBefore: 0.91, fNameAfter: -0.97, fVerbOrder: -0.20, fAsked: 1.36, fSubject: 0.06, fAppos: 1.09,
		fBracket: -0.27, fCopula: 0.73, fCopulaNext: 0.17, fBy: 0.40, fIn: 0.40, fOn: 0.20,
		fTo: 1.37, fOf: -0.39, fThe: 0.25, fVerbBefore: -1.50, fWords: 0.62, fRedundant: -0.07,
		fDate: -0.20, fYear: 0.20,
		fFit:    0.37,
		fMisfit: -1.63, fHeadIn: 0.16,
		fSecond: 0.20, fDeathCue: 1.41, fBest: 0.65, fBestWide: 1.37,
		fSubjPred: 1.28, fSubjName: 1.06, fObjVerb: 0.19, fObjPred: 0.11, fObjName: -0.19,
		fNamed: 1.20, fNames: -0.83, fAllNames: 0.32, fCoverNear: 1.01,
	},
	groupNumber: {
		fOwn: 0.81, fWide: 1.53, fTitle: 1.25, fScore: 1.09, fRank: 0.52, fLead: -1.70,
		fNear: 1.53, fMass: 1.39, fNearPred: 0.79, fNearHead: 2.12, fPredBefore: -0.33, fPredAfter: 0.49,
		fNameBefore: -0.01, fNameAfter: 0.19, fVerbOrder: 0.20, fAsked: 1.16, fSubject: 0.74, fAppos: 0.14,
		fBracket: -1.30, fCopula: 0.48, fCopulaNext: -2.39, fBy: 1.19, fIn: 0.64, fOn: -0.32,
		fTo: 0.62, fOf: 0.98, fThe: -0.96, fVerbBefore: 1.08, fWords: 0.82, fRedundant: -0.64,
		fNumber: -0.44, fUnit: 0.87, fOrdinal: -2.46, fFit: 1.75,
		fMisfit: -0.39, fHeadIn: 1.10,
		fBest: 0.85, fBestWide: 1.80,
		fSubjVerb: 0.13, fSubjPred: 1.72, fSubjName: -0.87, fObjVerb: 0.77, fObjPred: 2.26, fObjName: 1.72,
		fNamed: -0.03, fNames: -0.21, fAllNames: 0.80, fCoverNear: 0.20,
	},
	groupThing: {
		fOwn: 0.53, fWide: 2.75, fTitle: 0.55, fScore: 2.30, fRank: 0.68, fLead: 1.15,
		fNear: 0.27, fMass: 3.19, fNearPred: 1.61, fNearHead: 1.30, fPredBefore: -0.31, fPredAfter: -0.78,
		fNameBefore: -0.21, fNameAfter: -0.73, fVerbOrder: 0.03, fAsked: -0.59, fSubject: 0.55, fAppos: -0.19,
		fBracket: -0.11, fCopula: 0.13, fCopulaNext: 0.39, fBy: 0.57, fIn: 0.11, fOn: 0.13,
		fTo: 0.32, fOf: -0.25, fThe: 0.32, fVerbBefore: 0.27, fWords: 0.54, fRedundant: 0.25,
		fName: 0.78, fQuoted: 1.85, fTitled: -0.53, fRun: -0.40, fDate: -2.94, fYear: -2.79,
		fNumber: -3.14, fUnit: -0.46, fOrdinal: -0.84, fPair: -0.18, fPhrase: -0.87, fFit: 1.84,
		fMisfit: -0.63, fPerson: -0.17, fPlace: -0.45, fOrg: -0.60, fDemonym: -2.11, fHeadIn: 1.75,
		fCommonW: -0.79, fBest: 0.15, fBestWide: 2.12,
		fSubjVerb: 0.01, fSubjPred: 1.39, fSubjName: 0.15, fObjVerb: 0.42, fObjPred: 1.12, fObjName: 0.34,
		fNamed: 0.31, fNames: 0.65, fAllNames: -0.83, fCoverNear: 0.63,
	},
	groupListed: {
		fOwn: 0.48, fWide: 1.32, fTitle: 1.98, fScore: -0.33, fRank: -0.75, fLead: 1.63,
		fNear: -0.57, fMass: 1.16, fNearPred: 1.28, fNearHead: -0.93, fPredAfter: -0.23,
		fNameBefore: 0.44, fNameAfter: 0.21, fVerbOrder: 1.11, fSubject: 0.61, fAppos: 1.02,
		fBracket: -0.53, fCopula: 0.04, fCopulaNext: -0.28, fBy: 0.24, fIn: -1.84, fOn: 0.81,
		fTo: 0.21, fOf: -0.67, fThe: 0.90, fVerbBefore: -2.03, fWords: -0.67, fRedundant: 0.56,
		fName: -1.23, fQuoted: -0.41, fFit: -0.08,
		fMisfit: 0.08, fPerson: -1.61, fPlace: -0.76, fDemonym: 0.49, fHeadIn: -1.17,
		fCommonW: 0.38, fBest: 0.55, fBestWide: 1.34,
		fObjVerb: 1.11, fNamed: 1.97, fNames: 1.93, fAllNames: 1.32, fCoverNear: 0.34,
	},
}

// Confidences of answers that are not weighed but reasoned.
const (
	confidenceCompared  = 0.7  // both things' values were found and compared
	confidenceSupported = 0.5  // the text of one supports it clearly
	confidenceGuess     = 0.25 // something had to be said
)

// yesShare is how much of a question one sentence must hold to affirm it, and
// bothShare how much of the property the texts of both things must.
const (
	yesShare  = 0.7
	bothShare = 0.6
)

// rarityFloor is the weight, beyond rarity, of a question's word that every
// sentence has.
const rarityFloor = 0.5

// fuseBelief is how much of its confidence an agreeing finding lends.
const fuseBelief = 0.5

// spanConfidence turns a candidate's share of the belief, and the share of
// the question its sentence holds, into a probability that it is right.
func spanConfidence(belief, wide float64) float64 {
	return max(0.01, min(0.99, belief*(0.4+0.6*wide)))
}
