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
		fOwn: 0.78, fWide: 1.44, fTitle: 0.49, fScore: 0.95, fRank: 0.23, fLead: -0.09,
		fNear: 0.85, fMass: 0.76, fNearPred: 1.28, fNearHead: 0.90, fPredBefore: 0.38, fPredAfter: -0.24,
		fNameBefore: 0.51, fNameAfter: -0.61, fVerbOrder: 0.07, fAsked: -0.76, fSubject: 0.86, fAppos: 0.09,
		fBracket: -0.89, fCopula: -0.61, fCopulaNext: 0.15, fBy: 0.58, fIn: -0.41, fOn: -1.12,
		fTo: -0.49, fOf: -0.66, fThe: -0.14, fVerbBefore: -0.23, fWords: 0.36, fRedundant: 0.12,
		fName: 0.91, fQuoted: -0.92, fTitled: 0.08, fRun: -0.93, fList: 0.11,
		fPlural: 1.51, fFit: 0.64, fMisfit: 0.12, fPerson: 0.90, fPlace: -0.29, fOrg: 0.30,
		fDemonym: -0.22, fHeadIn: 0.45, fCommonW: -1.20,
		fBest: 0.66, fBestWide: 1.56, fSubjVerb: 0.28, fSubjPred: -0.14, fSubjName: 0.08, fObjVerb: 0.45,
		fObjName: 0.34, fNamed: 0.16, fNames: 0.04, fAllNames: 0.09, fCoverNear: 0.85,
	},
	groupPlace: {
		fOwn: 0.43, fWide: 1.67, fTitle: 1.08, fScore: 0.08, fRank: 0.28, fLead: 0.47,
		fNear: 0.32, fMass: 0.86, fNearPred: 1.05, fNearHead: 0.16, fPredBefore: 0.37, fPredAfter: -0.43,
		fNameBefore: -0.40, fNameAfter: -0.85, fVerbOrder: 0.56, fAsked: -0.32, fSubject: -0.05, fAppos: -0.86,
		fBracket: -0.99, fCopula: 0.22, fCopulaNext: 0.06, fBy: -0.21, fIn: 1.38, fOn: 0.42,
		fTo: 0.51, fOf: 0.26, fThe: -0.15, fVerbBefore: -0.11, fWords: 0.27, fRedundant: -0.01,
		fName: 0.08, fQuoted: -0.77, fTitled: 0.06, fRun: -0.90, fPair: -0.03, fList: 0.52,
		fPlural: 0.41, fFit: 0.63, fMisfit: -1.63, fPerson: -0.28, fPlace: 0.29, fOrg: -0.80,
		fDemonym: -0.65, fHeadIn: 0.66, fCommonW: -1.67,
		fBest: 0.41, fBestWide: 1.60, fSubjVerb: 0.65, fSubjPred: 0.41, fSubjName: -0.07, fObjVerb: 0.20,
		fObjPred: 0.06, fObjName: -0.11, fNamed: 1.30, fNames: 1.01, fAllNames: 0.45, fCoverNear: 1.12,
	},
	groupDate: {
		fOwn: 0.86, fWide: 1.00, fTitle: -0.18, fScore: 0.68, fRank: 0.44, fLead: 0.39,
		fNear: 0.51, fMass: 1.03, fNearPred: 1.27, fNearHead: -0.77, fPredBefore: 0.20, fPredAfter: -0.24,
		fNameBefore: 0.59, fNameAfter: -0.68, fVerbOrder: -0.11, fAsked: 0.13, fSubject: 0.04, fAppos: 0.55,
		fBracket: -0.18, fCopula: 0.43, fCopulaNext: 0.04, fBy: 0.23, fIn: 0.18, fOn: 0.25,
		fTo: 0.85, fOf: -0.35, fThe: 0.19, fVerbBefore: -0.55, fWords: 0.41, fRedundant: -0.06,
		fDate: -0.15, fYear: 0.15,
		fFit: 0.35, fMisfit: -0.67, fHeadIn: 0.02, fSecond: 0.15, fDeathCue: 0.54, fBest: 0.84, fBestWide: 1.09, fSubjPred: 0.21, fSubjName: 0.45, fObjVerb: 0.13,
		fObjPred: 0.20, fObjName: -0.09, fNamed: 0.37, fNames: -0.31, fAllNames: 0.45, fCoverNear: 0.95,
	},
	groupNumber: {
		fOwn: 0.84, fWide: 1.14, fTitle: 0.48, fScore: 0.57, fRank: 0.56, fLead: -0.71,
		fNear: 1.20, fMass: 0.93, fNearPred: 0.64, fNearHead: 1.46, fPredBefore: -0.10, fPredAfter: 0.61,
		fNameBefore: 0.13, fNameAfter: 0.14, fVerbOrder: 0.24, fAsked: 0.69, fSubject: 0.36, fAppos: 0.04,
		fBracket: -1.11, fCopula: 0.30, fCopulaNext: -1.08, fBy: 0.49, fIn: 0.30, fOn: -0.24,
		fTo: 0.43, fOf: 0.63, fThe: -0.70, fVerbBefore: 0.72, fWords: 0.71, fRedundant: -0.50,
		fNumber: -0.27, fUnit: 0.66, fOrdinal: -1.16, fFit: 1.33, fMisfit: -0.34, fHeadIn: 1.16, fBest: 0.99, fBestWide: 1.33, fSubjVerb: -0.02, fSubjPred: 0.62, fSubjName: -0.61, fObjVerb: 0.42,
		fObjPred: 0.87, fObjName: 0.59, fNamed: 0.23, fNames: 0.36, fAllNames: 0.39, fCoverNear: 0.40,
	},
	groupThing: {
		fOwn: 0.64, fWide: 1.83, fTitle: 0.30, fScore: 0.78, fRank: 0.90, fLead: 0.80,
		fNear: 0.51, fMass: 1.63, fNearPred: 1.24, fNearHead: 1.21, fPredBefore: 0.03, fPredAfter: -0.41,
		fNameBefore: -0.10, fNameAfter: -0.56, fVerbOrder: 0.03, fAsked: -0.50, fSubject: 0.54, fAppos: -0.23,
		fBracket: -0.10, fCopula: 0.12, fCopulaNext: 0.33, fBy: 0.51, fIn: 0.13, fOn: 0.08,
		fTo: 0.31, fOf: -0.27, fThe: 0.34, fVerbBefore: 0.27, fWords: 0.57, fRedundant: 0.25,
		fName: 0.94, fQuoted: 1.43, fTitled: -0.33, fRun: -0.18, fDate: -0.75, fYear: -0.70,
		fNumber: -0.94, fUnit: -0.13, fOrdinal: -0.06, fPair: -0.26, fPhrase: -0.35, fList: 0.27,
		fPlural: 0.71, fFit: 1.11, fMisfit: -0.24, fPerson: -0.20, fPlace: -0.39, fOrg: -0.36,
		fDemonym: -0.68, fHeadIn: 1.63, fCommonW: -0.75,
		fBest: 0.48, fBestWide: 1.77, fSubjVerb: 0.10, fSubjPred: 0.74, fSubjName: 0.12, fObjVerb: 0.44,
		fObjPred: 0.79, fObjName: 0.33, fNamed: 0.32, fNames: 0.39, fAllNames: -0.21, fCoverNear: 0.94,
	},
	groupListed: {
		fOwn: 0.51, fWide: 0.80, fTitle: 1.21, fScore: 0.02, fRank: -0.26, fLead: 1.34,
		fNear: -0.31, fMass: 0.70, fNearPred: 0.62, fNearHead: -0.13, fPredAfter: 0.07,
		fNameBefore: 0.07, fNameAfter: -0.18, fVerbOrder: 0.33, fSubject: 0.37, fAppos: 0.72,
		fBracket: -0.19, fCopula: 0.22, fCopulaNext: -0.20, fBy: 0.08, fIn: -0.73, fOn: 0.35,
		fTo: 0.07, fOf: -0.54, fThe: 0.50, fVerbBefore: -1.01, fWords: -0.40, fRedundant: 0.59,
		fName: -0.27, fQuoted: -0.07, fFit: 0.08, fMisfit: -0.08, fPerson: -0.70, fPlace: -0.37, fDemonym: 0.35, fHeadIn: -0.45, fCommonW: 0.25,
		fBest: 0.55, fBestWide: 0.85, fObjVerb: 0.49,
		fNamed: 0.99, fNames: 1.27, fAllNames: 0.71, fCoverNear: 0.26,
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
