package builtin

// relevanceWeights values what relevant.go measures.
var relevanceWeights = [relFeatures]float32{
	relAll:   1.5,
	relBest:  1.5,
	relTitle: 0.5,
	relNamed: 0.6,
	relRank:  1.0,
	relNew:   0.5,
}

// relevanceMargin is how far below the best a passage may be and still count.
const relevanceMargin = 2.0

// spanWeights values what feature.go measures, per group of answer types.
var spanWeights = [groups][features]float32{
	groupPerson: {
		fOwn: 0.62, fWide: 1.47, fTitle: 0.90, fScore: 2.32, fRank: -0.22, fLead: -0.02,
		fNear: 0.58, fMass: 1.40, fNearPred: 1.54, fNearHead: 0.99, fPredBefore: 0.26, fPredAfter: -0.29,
		fNameBefore: 0.73, fNameAfter: -0.63, fVerbOrder: 0.13, fAsked: -0.88, fSubject: 1.06, fAppos: -0.19,
		fBracket: -1.35, fCopula: -0.91, fCopulaNext: 0.29, fBy: 0.65, fIn: -0.42, fOn: -1.35,
		fTo: -0.76, fOf: -0.67, fThe: -0.21, fVerbBefore: -0.41, fWords: 0.43, fRedundant: 0.11,
		fName: 0.79, fQuoted: -2.96, fTitled: 0.05, fRun: -0.97, fFit: 0.52,
		fMisfit: 0.14, fPerson: 0.97, fPlace: -0.33, fOrg: 0.39, fDemonym: -0.76, fHeadIn: 0.64,
		fCommonW: -1.45, fBest: 0.49, fBestWide: 1.78,
		fSubjVerb: 0.29, fSubjPred: -0.43, fSubjName: 0.14, fObjVerb: 0.31, fObjPred: 0.21, fObjName: 0.57,
		fNamed: 0.47, fNames: -0.74, fAllNames: -0.73, fCoverNear: 1.04,
	},
	groupPlace: {
		fOwn: 0.31, fWide: 2.20, fTitle: 1.77, fScore: 0.55, fRank: -0.36, fLead: 0.82,
		fNear: 0.35, fMass: 1.31, fNearPred: 1.39, fNearHead: 0.15, fPredBefore: -0.13, fPredAfter: -1.00,
		fNameBefore: -0.43, fNameAfter: -1.89, fVerbOrder: 0.56, fAsked: -0.07, fSubject: 0.32, fAppos: -0.73,
		fBracket: -2.04, fCopula: 0.42, fCopulaNext: 0.19, fBy: -0.55, fIn: 1.40, fOn: 0.37,
		fTo: 0.52, fOf: 0.51, fThe: -0.18, fVerbBefore: 0.63, fWords: 0.29, fRedundant: -0.10,
		fQuoted: -1.90, fTitled: 0.26, fRun: -1.19, fPair: -0.03, fFit: 1.06,
		fMisfit: -2.18, fPerson: -0.30, fOrg: -0.69, fDemonym: -1.33, fHeadIn: 0.79,
		fCommonW: -2.34, fBest: 0.07, fBestWide: 2.32,
		fSubjVerb: 2.03, fSubjPred: -0.19, fSubjName: -0.02, fObjVerb: 0.15, fObjPred: -0.35, fObjName: 0.07,
		fNamed: 2.20, fNames: 1.33, fAllNames: 0.09, fCoverNear: 1.23,
	},
	groupDate: {
		fOwn: 0.73, fWide: 1.33, fTitle: -0.36, fScore: 1.90, fRank: 1.10, fLead: 0.43,
		fNear: 0.65, fMass: 1.91, fNearPred: 1.90, fNearHead: -2.69, fPredBefore: 0.02, fPredAfter: -1.15,
		fNameBefore: 1.07, fNameAfter: -1.03, fVerbOrder: -0.14, fAsked: 1.50, fSubject: -0.17, fAppos: 0.70,
		fBracket: -0.05, fCopula: 0.67, fCopulaNext: 0.51, fBy: 0.60, fIn: 0.35, fOn: 0.12,
		fTo: 1.97, fOf: -0.51, fThe: -0.10, fVerbBefore: -1.09, fWords: 0.53, fRedundant: -0.01,
		fDate: -0.31, fYear: 0.31,
		fFit:    0.35,
		fMisfit: -1.60, fHeadIn: 0.46,
		fSecond: 0.25, fDeathCue: 1.47, fBest: 0.76, fBestWide: 1.20,
		fSubjPred: 1.00, fSubjName: 1.23, fObjVerb: -0.05, fObjPred: 0.01, fObjName: -0.23,
		fNamed: 1.50, fNames: -0.85, fAllNames: -0.05, fCoverNear: 1.22,
	},
	groupNumber: {
		fOwn: 0.67, fWide: 1.43, fTitle: 1.58, fScore: 0.61, fRank: -0.02, fLead: -0.95,
		fNear: 1.71, fMass: 1.06, fNearPred: 0.70, fNearHead: 1.98, fPredBefore: -0.48, fPredAfter: 0.78,
		fNameBefore: -0.19, fNameAfter: 0.33, fVerbOrder: 0.29, fAsked: 1.01, fSubject: 0.39, fAppos: 0.49,
		fBracket: -1.32, fCopula: 0.10, fCopulaNext: -2.41, fBy: 1.28, fIn: 0.94, fOn: -0.23,
		fTo: 0.41, fOf: 1.00, fThe: -0.85, fVerbBefore: 1.18, fWords: 0.69, fRedundant: -0.31,
		fNumber: -0.38, fUnit: 1.19, fOrdinal: -2.43, fFit: 1.75,
		fMisfit: -0.38, fHeadIn: 0.72,
		fBest: 0.90, fBestWide: 1.60,
		fSubjVerb: -0.31, fSubjPred: 1.63, fSubjName: -0.64, fObjVerb: 0.65, fObjPred: 2.20, fObjName: 1.68,
		fNamed: 0.39, fNames: -0.83, fAllNames: 0.91, fCoverNear: 0.19,
	},
	groupThing: {
		fOwn: 0.31, fWide: 2.50, fTitle: 0.39, fScore: 1.55, fRank: 0.26, fLead: 1.00,
		fNear: 0.47, fMass: 3.25, fNearPred: 1.88, fNearHead: 1.21, fPredBefore: -0.39, fPredAfter: -0.76,
		fNameBefore: -0.25, fNameAfter: -0.70, fVerbOrder: 0.09, fAsked: -0.58, fSubject: 0.54, fAppos: -0.35,
		fBracket: -0.16, fCopula: 0.16, fCopulaNext: 0.47, fBy: 0.47, fIn: 0.25, fOn: 0.02,
		fTo: 0.36, fOf: -0.33, fThe: 0.30, fVerbBefore: 0.30, fWords: 0.58, fRedundant: 0.17,
		fName: 0.93, fQuoted: 1.83, fTitled: 0.16, fRun: -0.37, fDate: -3.02, fYear: -2.82,
		fNumber: -3.03, fUnit: -0.11, fOrdinal: -0.99, fPair: -0.24, fPhrase: -1.10, fFit: 1.75,
		fMisfit: -0.84, fPerson: -0.17, fPlace: -0.56, fOrg: -0.61, fDemonym: -1.98, fHeadIn: 1.78,
		fCommonW: -0.80, fBest: 0.34, fBestWide: 2.20,
		fSubjVerb: -0.02, fSubjPred: 1.12, fSubjName: 0.12, fObjVerb: 0.33, fObjPred: 1.14, fObjName: 0.42,
		fNamed: 0.60, fNames: 0.59, fAllNames: -0.72, fCoverNear: 0.55,
	},
	groupListed: {
		fOwn: 0.44, fWide: 1.11, fTitle: 1.89, fScore: -0.46, fRank: -0.51, fLead: 1.23,
		fNear: 0.41, fMass: 1.49, fNearPred: 1.53, fNearHead: -0.80, fPredBefore: 0.82, fPredAfter: -0.41,
		fNameBefore: 1.15, fNameAfter: 0.08, fVerbOrder: 0.86, fSubject: 0.30, fAppos: 0.95,
		fBracket: -1.48, fCopula: 0.22, fCopulaNext: -1.09, fBy: 0.12, fIn: -0.69, fOn: 0.81,
		fTo: -0.07, fOf: -1.05, fThe: 0.85, fVerbBefore: -1.25, fWords: -0.94, fRedundant: 0.77,
		fName: -1.20, fQuoted: -0.34, fFit: -0.05,
		fMisfit: 0.05, fPerson: -1.73, fPlace: -0.83, fDemonym: 0.39, fHeadIn: -0.87,
		fCommonW: 0.25, fBest: 0.46, fBestWide: 1.10,
		fObjVerb: 0.86, fObjPred: 0.82, fNamed: 1.41, fNames: 1.83, fAllNames: 1.13, fCoverNear: 0.73,
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
