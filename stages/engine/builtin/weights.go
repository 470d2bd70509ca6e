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
		fOwn: 0.75, fWide: 1.99, fTitle: 1.00, fScore: 2.74, fRank: -0.11, fLead: -0.11,
		fNear: 0.87, fMass: 1.09, fNearPred: 1.69, fNearHead: 0.89, fPredBefore: 0.18, fPredAfter: -0.53,
		fNameBefore: 0.78, fNameAfter: -0.78, fVerbOrder: 0.10, fAsked: -0.80, fSubject: 0.97, fAppos: 0.13,
		fBracket: -1.56, fCopula: -0.94, fCopulaNext: 0.16, fBy: 0.54, fIn: -0.27, fOn: -1.65,
		fTo: -0.48, fOf: -0.81, fThe: -0.10, fVerbBefore: -0.39, fWords: 0.38, fRedundant: 0.11,
		fName: 0.84, fQuoted: -2.93, fTitled: 0.31, fRun: -0.95, fFit: 0.56,
		fMisfit: 0.19, fPerson: 0.99, fPlace: -0.43, fOrg: 0.27, fDemonym: -0.38, fHeadIn: 0.76,
		fCommonW: -1.45, fBest: 0.51, fBestWide: 1.98,
		fSubjVerb: 0.30, fSubjPred: -0.13, fSubjName: 0.10, fObjVerb: 0.44, fObjPred: -0.15, fObjName: 0.38,
		fNamed: 0.09, fNames: -0.19, fAllNames: -0.43, fCoverNear: 0.87,
	},
	groupPlace: {
		fOwn: 0.34, fWide: 2.32, fTitle: 1.49, fScore: -0.08, fRank: 0.25, fLead: 0.61,
		fNear: 0.21, fMass: 1.43, fNearPred: 1.34, fNearHead: 0.14, fPredBefore: 0.14, fPredAfter: -0.83,
		fNameBefore: -0.70, fNameAfter: -1.56, fVerbOrder: 0.50, fAsked: -0.36, fSubject: 0.06, fAppos: -0.73,
		fBracket: -2.29, fCopula: 0.45, fCopulaNext: 0.13, fBy: -0.29, fIn: 1.58, fOn: 0.24,
		fTo: 0.67, fOf: 0.45, fThe: -0.19, fVerbBefore: 0.15, fWords: 0.33, fRedundant: -0.08,
		fName: -0.02, fQuoted: -2.03, fTitled: 0.25, fRun: -1.14, fPair: -0.17, fFit: 0.79,
		fMisfit: -2.06, fPerson: -0.14, fPlace: 0.21, fOrg: -1.02, fDemonym: -0.76, fHeadIn: 0.87,
		fCommonW: -1.90, fBest: 0.27, fBestWide: 1.97,
		fSubjVerb: 1.28, fSubjPred: 0.45, fSubjName: -0.02, fObjVerb: 0.22, fObjPred: -0.05, fObjName: -0.04,
		fNamed: 2.04, fNames: 1.00, fAllNames: -0.07, fCoverNear: 1.23,
	},
	groupDate: {
		fOwn: 0.80, fWide: 1.33, fTitle: -0.49, fScore: 1.52, fRank: 0.35, fLead: 0.72,
		fNear: 0.52, fMass: 1.64, fNearPred: 1.83, fNearHead: -2.75, fPredBefore: -0.03, fPredAfter: -0.77,
		fNameBefore: 0.90, fNameAfter: -0.97, fVerbOrder: -0.20, fAsked: 1.37, fSubject: 0.05, fAppos: 1.08,
		fBracket: -0.28, fCopula: 0.70, fCopulaNext: 0.19, fBy: 0.41, fIn: 0.37, fOn: 0.22,
		fTo: 1.34, fOf: -0.44, fThe: 0.26, fVerbBefore: -1.50, fWords: 0.59, fRedundant: -0.10,
		fDate: -0.20, fYear: 0.20,
		fFit:    0.35,
		fMisfit: -1.65, fHeadIn: 0.17,
		fSecond: 0.19, fDeathCue: 1.41, fBest: 0.66, fBestWide: 1.41,
		fSubjPred: 1.29, fSubjName: 1.08, fObjVerb: 0.19, fObjPred: 0.13, fObjName: -0.19,
		fNamed: 1.16, fNames: -0.78, fAllNames: 0.28, fCoverNear: 0.98,
	},
	groupNumber: {
		fOwn: 0.91, fWide: 1.58, fTitle: 1.33, fScore: 0.78, fRank: 0.42, fLead: -1.89,
		fNear: 1.45, fMass: 1.28, fNearPred: 0.94, fNearHead: 2.18, fPredBefore: -0.33, fPredAfter: 0.46,
		fNameBefore: 0.07, fNameAfter: 0.24, fVerbOrder: 0.19, fAsked: 1.13, fSubject: 0.71, fAppos: 0.14,
		fBracket: -1.34, fCopula: 0.59, fCopulaNext: -2.48, fBy: 1.20, fIn: 0.58, fOn: -0.34,
		fTo: 0.60, fOf: 0.98, fThe: -0.90, fVerbBefore: 1.06, fWords: 0.83, fRedundant: -0.72,
		fNumber: -0.43, fUnit: 0.85, fOrdinal: -2.71, fFit: 1.77,
		fMisfit: -0.38, fHeadIn: 1.09,
		fBest: 0.83, fBestWide: 1.57,
		fSubjVerb: 0.23, fSubjPred: 1.83, fSubjName: -1.02, fObjVerb: 0.78, fObjPred: 2.42, fObjName: 0.88,
		fNamed: -0.02, fNames: -0.20, fAllNames: 0.68, fCoverNear: 0.19,
	},
	groupThing: {
		fOwn: 0.55, fWide: 2.77, fTitle: 0.52, fScore: 2.35, fRank: 0.69, fLead: 1.15,
		fNear: 0.29, fMass: 3.20, fNearPred: 1.56, fNearHead: 1.28, fPredBefore: -0.29, fPredAfter: -0.77,
		fNameBefore: -0.21, fNameAfter: -0.73, fVerbOrder: 0.04, fAsked: -0.60, fSubject: 0.55, fAppos: -0.18,
		fBracket: -0.12, fCopula: 0.13, fCopulaNext: 0.38, fBy: 0.57, fIn: 0.10, fOn: 0.14,
		fTo: 0.31, fOf: -0.26, fThe: 0.32, fVerbBefore: 0.28, fWords: 0.54, fRedundant: 0.27,
		fName: 0.81, fQuoted: 1.89, fTitled: -0.65, fRun: -0.36, fDate: -2.92, fYear: -2.75,
		fNumber: -3.08, fUnit: -0.42, fOrdinal: -0.83, fPair: -0.16, fPhrase: -0.82, fFit: 1.83,
		fMisfit: -0.61, fPerson: -0.17, fPlace: -0.47, fOrg: -0.60, fDemonym: -2.10, fHeadIn: 1.75,
		fCommonW: -0.79, fBest: 0.15, fBestWide: 2.17,
		fSubjPred: 1.40, fSubjName: 0.14, fObjVerb: 0.43, fObjPred: 1.11, fObjName: 0.34,
		fNamed: 0.29, fNames: 0.67, fAllNames: -0.87, fCoverNear: 0.63,
	},
	groupListed: {
		fOwn: 0.48, fWide: 1.32, fTitle: 1.98, fScore: -0.33, fRank: -0.75, fLead: 1.63,
		fNear: -0.57, fMass: 1.16, fNearPred: 1.28, fNearHead: -0.93, fPredAfter: -0.23,
		fNameBefore: 0.44, fNameAfter: 0.21, fVerbOrder: 1.11, fSubject: 0.61, fAppos: 1.02,
		fBracket: -0.53, fCopula: 0.04, fCopulaNext: -0.28, fBy: 0.24, fIn: -1.84, fOn: 0.81,
		fTo: 0.21, fOf: -0.67, fThe: 0.90, fVerbBefore: -2.03, fWords: -0.67, fRedundant: 0.56,
		fName: -1.23, fQuoted: -0.41, fFit: -0.08,
		fMisfit: 0.08, fPerson: -1.61, fPlace: -0.76, fDemonym: 0.49, fHeadIn: -1.17,
		fCommonW: 0.38, fBest: 0.54, fBestWide: 1.34,
		fObjVerb: 1.11, fNamed: 1.97, fNames: 1.93, fAllNames: 1.31, fCoverNear: 0.34,
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

// trustWeights turn what answer.go knows of the best candidate into the log
// odds that it is right.
var trustWeights = [trustFeatures]float32{
	trustBelief: 1,
	trustWide:   1,
}
