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
		fOwn: 1.29, fWide: 2.89, fTitle: 0.61, fScore: 2.23, fRank: -0.16, fLead: -0.10,
		fNear: 0.79, fMass: 2.38, fNearPred: 2.08, fNearHead: 1.14, fPredBefore: 0.08, fPredAfter: -0.71,
		fNameBefore: 0.75, fNameAfter: -0.59, fVerbOrder: -0.01, fAsked: -1.02, fSubject: 1.00, fAppos: -0.15,
		fBracket: -1.37, fCopula: -0.96, fCopulaNext: 0.22, fBy: 0.71, fIn: -0.48, fOn: -1.35,
		fTo: -0.76, fOf: -0.69, fThe: -0.18, fVerbBefore: -0.39, fWords: 0.44, fRedundant: 0.08,
		fName: 0.84, fQuoted: -2.92, fTitled: 0.12, fRun: -0.96, fFit: 0.43, fMisfit: 0.15,
		fPerson: 1.00, fPlace: -0.35, fOrg: 0.34, fDemonym: -0.79, fHeadIn: 0.67, fCommonW: -1.36,
	},
	groupPlace: {
		fOwn: 0.54, fWide: 4.79, fTitle: 3.62, fScore: 1.10, fRank: -0.25, fLead: 0.83,
		fNear: 0.76, fMass: 2.53, fNearPred: 1.68, fNearHead: 0.39, fPredBefore: -0.28, fPredAfter: -0.82,
		fNameBefore: -0.67, fNameAfter: -2.10, fVerbOrder: 0.46, fAsked: -0.30, fSubject: 0.21, fAppos: -0.91,
		fBracket: -2.08, fCopula: 0.50, fCopulaNext: 0.36, fBy: -0.57, fIn: 1.41, fOn: 0.42,
		fTo: 0.61, fOf: 0.50, fThe: -0.17, fVerbBefore: 0.55, fWords: 0.31, fRedundant: -0.11,
		fName: -0.17, fQuoted: -1.95, fTitled: 0.11, fRun: -1.32, fPair: -0.05, fFit: 1.02, fMisfit: -2.16,
		fPerson: -0.12, fPlace: -0.01, fOrg: -0.63, fDemonym: -1.02, fHeadIn: 0.77, fCommonW: -2.32,
	},
	groupDate: {
		fOwn: 1.84, fWide: 2.67, fTitle: 0.04, fScore: 2.16, fRank: 1.21, fLead: 0.51,
		fNear: 1.12, fMass: 2.69, fNearPred: 2.22, fNearHead: -2.83, fPredBefore: 0.12, fPredAfter: -1.18,
		fNameBefore: 1.09, fNameAfter: -1.03, fVerbOrder: -0.24, fAsked: 1.42, fSubject: -0.12, fAppos: 0.63,
		fBracket: -0.28, fCopula: 0.78, fCopulaNext: 0.71, fBy: 0.63, fIn: 0.28, fOn: 0.12,
		fTo: 1.86, fOf: -0.57, fThe: 0.04, fVerbBefore: -1.02, fWords: 0.49, fRedundant: 0.01,
		fDate: -0.28, fYear: 0.28,
		fFit: 0.44, fMisfit: -1.52,
		fHeadIn: 0.47, fSecond: 0.11,
		fDeathCue: 1.48,
	},
	groupNumber: {
		fOwn: 1.69, fWide: 3.93, fTitle: 1.23, fScore: 0.87, fRank: 0.17, fLead: -1.18,
		fNear: 1.62, fMass: 1.67, fNearPred: 0.60, fNearHead: 2.01, fPredBefore: -0.44, fPredAfter: 0.75,
		fNameBefore: 0.03, fNameAfter: 0.24, fVerbOrder: 0.47, fAsked: 1.11, fSubject: 0.29, fAppos: 0.33,
		fBracket: -1.33, fCopula: 0.23, fCopulaNext: -2.42, fBy: 1.10, fIn: 0.79, fOn: -0.38,
		fTo: 0.24, fOf: 0.85, fThe: -0.81, fVerbBefore: 1.07, fWords: 0.73, fRedundant: -0.31,
		fNumber: -0.37, fUnit: 1.12, fOrdinal: -2.73, fFit: 1.71, fMisfit: -0.30,
		fHeadIn: 0.75,
	},
	groupThing: {
		fOwn: 1.28, fWide: 4.94, fTitle: 2.89, fScore: 1.57, fRank: 0.17, fLead: 1.58,
		fNear: 0.24, fMass: 2.76, fNearPred: 2.20, fNearHead: 0.93, fPredBefore: 0.35, fPredAfter: -0.44,
		fNameBefore: -0.71, fNameAfter: -0.50, fVerbOrder: 0.23, fAsked: -0.56, fSubject: 0.47, fAppos: 0.03,
		fBracket: -2.16, fCopula: 0.86, fCopulaNext: 0.21, fBy: 0.57, fIn: 0.18, fOn: -0.24,
		fTo: 0.26, fOf: -0.45, fThe: 0.56, fVerbBefore: 0.27, fWords: 0.54, fRedundant: 0.22,
		fName: 0.66, fQuoted: 1.56, fTitled: 0.03, fRun: -0.31, fDate: -3.91, fYear: -3.33,
		fNumber: -3.15, fUnit: -0.27, fOrdinal: -1.35, fPair: -0.32, fFit: 1.61, fMisfit: -0.91,
		fPerson: -1.03, fPlace: -0.46, fOrg: -0.76, fDemonym: -4.11, fHeadIn: 1.63, fCommonW: -0.73,
	},
	groupListed: {
		fOwn: 0.91, fWide: 0.58, fScore: 0.49, fRank: 0.64, fNear: 0.85, fMass: 1.35, fNearPred: 1.33, fNearHead: -0.71, fPredBefore: 0.85, fPredAfter: -0.35,
		fNameAfter: 1.40, fVerbOrder: 0.96, fSubject: 1.08, fAppos: -1.28,
		fBracket: -0.68, fCopula: 0.85, fBy: 0.32, fIn: -0.50, fOn: 0.64,
		fTo: -0.91, fOf: -0.31, fThe: 0.91, fVerbBefore: 0.27, fWords: -0.32, fRedundant: 0.54,
		fName: -0.70, fQuoted: -0.31, fFit: 0.51, fMisfit: -0.51,
		fPlace: -0.78, fDemonym: 0.06, fHeadIn: -0.86, fCommonW: -0.53,
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

// fuseBelief is how much of its confidence an agreeing finding lends.
const fuseBelief = 0.5

// spanConfidence turns a candidate's share of the belief, and the share of
// the question its sentence holds, into a probability that it is right.
func spanConfidence(belief, wide float64) float64 {
	return max(0.01, min(0.99, belief*(0.4+0.6*wide)))
}
