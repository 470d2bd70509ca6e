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
		fOwn: 0.77, fWide: 1.92, fTitle: 1.04, fScore: 2.56, fRank: -0.09, fLead: -0.13,
		fNear: 0.88, fMass: 1.04, fNearPred: 1.70, fNearHead: 1.42, fPredBefore: 0.16, fPredAfter: -0.48,
		fNameBefore: 0.64, fNameAfter: -0.79, fVerbOrder: 0.12, fAsked: -0.90, fSubject: 0.95, fAppos: 0.20,
		fBracket: -1.51, fCopula: -0.92, fCopulaNext: 0.20, fBy: 0.55, fIn: -0.33, fOn: -1.54,
		fTo: -0.54, fOf: -0.77, fThe: -0.07, fVerbBefore: -0.30, fWords: 0.35, fRedundant: 0.12,
		fName: 0.84, fQuoted: -3.02, fTitled: 0.31, fRun: -1.02, fList: -0.28,
		fPlural: 3.12, fFit: 0.52, fMisfit: 0.21, fPerson: 1.02, fPlace: -0.49, fOrg: 0.28,
		fDemonym: -0.42, fHeadIn: 0.40, fCommonW: -1.38,
		fBest: 0.48, fBestWide: 1.98, fSubjVerb: 0.33, fSubjPred: -0.22, fSubjName: 0.09, fObjVerb: 0.52,
		fObjPred: -0.27, fObjName: 0.39, fNamed: 0.08, fNames: -0.20, fAllNames: -0.43, fCoverNear: 0.87,
	},
	groupPlace: {
		fOwn: 0.33, fWide: 2.63, fTitle: 1.52, fScore: -0.13, fRank: 0.29, fLead: 0.60,
		fNear: 0.23, fMass: 1.37, fNearPred: 1.37, fNearHead: 0.18, fPredBefore: 0.20, fPredAfter: -0.86,
		fNameBefore: -0.53, fNameAfter: -1.31, fVerbOrder: 0.55, fAsked: -0.37, fSubject: 0.03, fAppos: -0.87,
		fBracket: -2.25, fCopula: 0.48, fCopulaNext: -0.03, fBy: -0.25, fIn: 1.63, fOn: 0.28,
		fTo: 0.67, fOf: 0.36, fThe: -0.18, fVerbBefore: 0.01, fWords: 0.29, fRedundant: -0.02,
		fName: -0.10, fQuoted: -2.02, fTitled: 0.29, fRun: -1.21, fPair: -0.14, fList: 0.51,
		fPlural: 0.68, fFit: 0.64, fMisfit: -2.13, fPerson: -0.27, fPlace: 0.19, fOrg: -1.11,
		fDemonym: -0.99, fHeadIn: 0.98, fCommonW: -1.95,
		fBest: 0.21, fBestWide: 2.05, fSubjVerb: 1.11, fSubjPred: 0.59, fSubjName: -0.01, fObjVerb: 0.16,
		fObjPred: 0.09, fObjName: -0.14, fNamed: 2.10, fNames: 1.05, fAllNames: -0.06, fCoverNear: 1.29,
	},
	groupDate: {
		fOwn: 0.78, fWide: 1.25, fTitle: -0.54, fScore: 1.58, fRank: 0.34, fLead: 0.70,
		fNear: 0.53, fMass: 1.68, fNearPred: 1.93, fNearHead: -2.73, fPredBefore: -0.04, fPredAfter: -0.81,
		fNameBefore: 0.91, fNameAfter: -0.99, fVerbOrder: -0.19, fAsked: 1.28, fSubject: 0.06, fAppos: 1.11,
		fBracket: -0.32, fCopula: 0.72, fCopulaNext: 0.19, fBy: 0.43, fIn: 0.36, fOn: 0.24,
		fTo: 1.36, fOf: -0.40, fThe: 0.26, fVerbBefore: -1.57, fWords: 0.58, fRedundant: -0.10,
		fDate: -0.25, fYear: 0.25,
		fFit: 0.46, fMisfit: -1.42, fHeadIn: 0.17, fSecond: 0.19, fDeathCue: 1.42, fBest: 0.67, fBestWide: 1.37, fSubjPred: 1.28, fSubjName: 1.07, fObjVerb: 0.17,
		fObjPred: 0.07, fObjName: -0.19, fNamed: 1.27, fNames: -0.88, fAllNames: 0.38, fCoverNear: 0.95,
	},
	groupNumber: {
		fOwn: 0.85, fWide: 1.53, fTitle: 1.70, fScore: 1.32, fRank: 0.49, fLead: -1.50,
		fNear: 1.48, fMass: 1.48, fNearPred: 0.71, fNearHead: 1.95, fPredBefore: -0.32, fPredAfter: 0.64,
		fNameBefore: 0.11, fNameAfter: 0.23, fVerbOrder: 0.27, fAsked: 1.50, fSubject: 0.62, fAppos: 0.40,
		fBracket: -1.44, fCopula: 0.39, fCopulaNext: -2.41, fBy: 1.26, fIn: 0.59, fOn: -0.39,
		fTo: 0.69, fOf: 0.84, fThe: -0.89, fVerbBefore: 1.03, fWords: 0.89, fRedundant: -0.65,
		fNumber: -0.44, fUnit: 0.80, fOrdinal: -2.71, fFit: 1.84, fMisfit: -0.39, fHeadIn: 1.18, fBest: 0.98, fBestWide: 1.70, fSubjVerb: 0.30, fSubjPred: 1.70, fSubjName: -1.01, fObjVerb: 0.84,
		fObjPred: 2.39, fObjName: 0.94, fNamed: 0.47, fNames: 0.89, fAllNames: 0.19, fCoverNear: 0.24,
	},
	groupThing: {
		fOwn: 0.49, fWide: 2.85, fTitle: 0.46, fScore: 2.31, fRank: 0.71, fLead: 1.30,
		fNear: 0.31, fMass: 3.22, fNearPred: 1.63, fNearHead: 1.34, fPredBefore: -0.33, fPredAfter: -0.79,
		fNameBefore: -0.16, fNameAfter: -0.71, fVerbOrder: 0.03, fAsked: -0.56, fSubject: 0.58, fAppos: -0.31,
		fBracket: -0.04, fCopula: 0.14, fCopulaNext: 0.32, fBy: 0.60, fIn: 0.10, fOn: 0.18,
		fTo: 0.35, fOf: -0.27, fThe: 0.34, fVerbBefore: 0.31, fWords: 0.55, fRedundant: 0.27,
		fName: 0.89, fQuoted: 1.91, fTitled: -0.55, fRun: -0.31, fDate: -2.94, fYear: -2.79,
		fNumber: -3.17, fUnit: -0.49, fOrdinal: -0.85, fPair: -0.39, fPhrase: -0.80, fList: 0.27,
		fPlural: 0.86, fFit: 1.77, fMisfit: -0.58, fPerson: -0.29, fPlace: -0.48, fOrg: -0.59,
		fDemonym: -2.03, fHeadIn: 1.70, fCommonW: -0.80,
		fBest: 0.10, fBestWide: 2.13, fSubjVerb: 0.02, fSubjPred: 1.31, fSubjName: 0.12, fObjVerb: 0.43,
		fObjPred: 1.05, fObjName: 0.35, fNamed: 0.29, fNames: 0.57, fAllNames: -0.81, fCoverNear: 0.67,
	},
	groupListed: {
		fOwn: 0.45, fWide: 1.74, fTitle: 1.88, fScore: -0.19, fRank: -0.75, fLead: 1.66,
		fNear: -0.62, fMass: 1.23, fNearPred: 1.29, fNearHead: -0.50, fPredAfter: -0.31,
		fNameBefore: 0.15, fNameAfter: 0.13, fVerbOrder: 0.65, fSubject: 0.73, fAppos: 1.01,
		fBracket: -0.70, fCopula: 0.03, fCopulaNext: -0.84, fBy: 0.19, fIn: -1.95, fOn: 0.90,
		fTo: 0.23, fOf: -1.25, fThe: 0.90, fVerbBefore: -2.00, fWords: -0.60, fRedundant: 0.55,
		fName: -1.44, fQuoted: -0.39, fFit: -0.11, fMisfit: 0.11, fPerson: -1.67, fPlace: -0.80, fDemonym: 0.39, fHeadIn: -1.24, fCommonW: 0.39,
		fBest: 0.54, fBestWide: 1.76, fObjVerb: 1.18,
		fNamed: 1.84, fNames: 1.86, fAllNames: 1.42, fCoverNear: 0.36,
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
