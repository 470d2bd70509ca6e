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

// spanWeights values what feature.go measures, per group of answer types.
var spanWeights = [groups][features]float32{
	groupPerson: {
		fOwn: 0.47, fWide: 1.65, fTitle: 0.70, fScore: 0.78, fRank: 0.24, fLead: -0.25,
		fNear: 1.70, fMass: 0.66, fNearPred: 1.46, fNearHead: 2.25, fPredBefore: 0.55, fPredAfter: -0.43,
		fNameBefore: 0.19, fNameAfter: -0.62, fVerbOrder: 0.07, fAsked: -0.43, fSubject: 0.80, fAppos: 0.13,
		fBracket: -0.94, fCopula: -0.57, fCopulaNext: 0.06, fBy: 1.17, fIn: -0.44, fOn: -0.96,
		fTo: -0.41, fOf: -0.53, fThe: -0.20, fVerbBefore: -0.48, fWords: 0.42, fRedundant: 0.12,
		fName: 0.86, fQuoted: -0.91, fTitled: 0.53, fRun: -1.08, fList: -0.13,
		fPlural: 1.37, fFit: 0.55, fMisfit: -0.08, fPerson: 0.91, fPlace: -0.06, fOrg: 0.19,
		fDemonym: -0.60, fHeadIn: -0.15, fCommonW: -1.11,
		fBest: 0.57, fBestWide: 1.78, fSubjVerb: 0.16, fSubjPred: -0.20, fSubjName: 0.15, fObjVerb: 0.32,
		fObjPred: -0.15, fObjName: 0.32, fNamed: 0.58, fNames: 0.35, fAllNames: 0.07, fCoverNear: 0.13,
	},
	groupPlace: {
		fOwn: 0.34, fWide: 1.77, fTitle: 1.10, fScore: 0.10, fRank: 0.19, fLead: 0.43,
		fNear: 0.33, fMass: 0.75, fNearPred: 1.07, fNearHead: 0.18, fPredBefore: 0.46, fPredAfter: -0.56,
		fNameBefore: -0.51, fNameAfter: -0.62, fVerbOrder: 0.58, fAsked: -0.28, fSubject: -0.12, fAppos: -0.78,
		fBracket: -1.08, fCopula: 0.20, fCopulaNext: 0.11, fBy: -0.24, fIn: 1.41, fOn: 0.44,
		fTo: 0.59, fOf: 0.29, fThe: -0.22, fVerbBefore: -0.07, fWords: 0.29, fRedundant: -0.07,
		fName: 0.42, fQuoted: -0.87, fTitled: 0.27, fRun: -0.88, fPair: 0.10, fList: 0.47,
		fPlural: 0.09, fFit: 0.49, fMisfit: -1.29, fPerson: -0.50, fPlace: 0.34, fOrg: -0.87,
		fDemonym: -0.94, fHeadIn: 0.72, fCommonW: -1.67,
		fBest: 0.36, fBestWide: 1.68, fSubjVerb: 0.12, fSubjPred: -0.16, fSubjName: -0.16, fObjVerb: 0.15,
		fObjPred: 0.04, fObjName: -0.07, fNamed: 1.46, fNames: 1.07, fAllNames: 0.51, fCoverNear: 1.18,
	},
	groupDate: {
		fOwn: 0.96, fWide: 0.93, fTitle: 0.54, fScore: 0.56, fRank: 0.46, fLead: 0.29,
		fNear: 0.65, fMass: 1.13, fNearPred: 1.00, fNearHead: -0.56, fPredBefore: 0.20, fPredAfter: -0.17,
		fNameBefore: 0.75, fNameAfter: -0.63, fVerbOrder: -0.09, fAsked: 0.07, fSubject: 0.05, fAppos: 0.16,
		fBracket: 0.32, fCopula: 0.29, fCopulaNext: 0.30, fBy: 0.15, fIn: 0.25, fOn: 0.11,
		fTo: 0.75, fOf: -0.33, fThe: 0.26, fVerbBefore: -0.61, fWords: 0.65, fRedundant: -0.04,
		fDate: -0.07, fYear: 0.07,
		fFit: 0.32, fMisfit: -0.59, fHeadIn: 0.01, fSecond: 0.53, fBornCue: 1.75, fDeathCue: 1.81, fBest: 0.97, fBestWide: 1.02, fSubjPred: 0.14, fSubjName: 0.46, fObjVerb: 0.01,
		fObjPred: 0.07, fObjName: 0.01, fNamed: 0.92, fNames: 0.60, fAllNames: 0.50, fCoverNear: 1.16,
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
		fOwn: 0.57, fWide: 1.87, fTitle: 0.37, fScore: 0.77, fRank: 0.89, fLead: 0.74,
		fNear: 0.58, fMass: 1.61, fNearPred: 1.29, fNearHead: 1.29, fPredBefore: 0.02, fPredAfter: -0.42,
		fNameBefore: -0.11, fNameAfter: -0.56, fVerbOrder: 0.03, fAsked: -0.47, fSubject: 0.54, fAppos: -0.24,
		fBracket: -0.12, fCopula: 0.08, fCopulaNext: 0.29, fBy: 0.57, fIn: 0.16, fOn: 0.05,
		fTo: 0.31, fOf: -0.22, fThe: 0.33, fVerbBefore: 0.28, fWords: 0.56, fRedundant: 0.24,
		fName: 0.94, fQuoted: 1.36, fTitled: -0.32, fRun: -0.19, fDate: -0.78, fYear: -0.61,
		fNumber: -0.95, fUnit: -0.14, fOrdinal: -0.06, fPair: -0.27, fPhrase: -0.36, fList: 0.26,
		fPlural: 0.71, fFit: 1.10, fMisfit: -0.23, fPerson: -0.20, fPlace: -0.42, fOrg: -0.36,
		fDemonym: -0.71, fHeadIn: 1.60, fCommonW: -0.76,
		fBest: 0.48, fBestWide: 1.82, fSubjVerb: 0.11, fSubjPred: 0.73, fSubjName: 0.12, fObjVerb: 0.43,
		fObjPred: 0.79, fObjName: 0.33, fNamed: 0.35, fNames: 0.42, fAllNames: -0.20, fCoverNear: 0.85,
	},
	groupListed: {
		fOwn: 0.47, fWide: 0.71, fTitle: 1.26, fScore: -0.03, fRank: -0.29, fLead: 1.36,
		fNear: -0.36, fMass: 0.62, fNearPred: 0.36, fNearHead: -0.13, fPredAfter: -0.14,
		fNameBefore: 0.17, fNameAfter: -0.13, fVerbOrder: 0.41, fSubject: 0.21, fAppos: 0.78,
		fBracket: -0.03, fCopula: 0.15, fCopulaNext: -0.33, fBy: -0.10, fIn: -0.62, fOn: 0.58,
		fTo: 0.04, fOf: -0.49, fThe: 0.56, fVerbBefore: -1.03, fWords: -0.38, fRedundant: 0.61,
		fFit: -0.03, fMisfit: 0.03, fPerson: -0.65, fDemonym: -0.24, fHeadIn: -0.45, fCommonW: 0.29,
		fBest: 0.52, fBestWide: 0.74, fObjVerb: 0.47,
		fNamed: 1.00, fNames: 1.32, fAllNames: 0.63, fCoverNear: 0.19,
	},
	groupCountry: {
		fOwn: 0.72, fWide: 0.37, fTitle: 1.14, fScore: 0.82, fRank: 0.86, fLead: -0.02,
		fNear: 0.79, fMass: 0.76, fNearPred: 0.43, fNearHead: 0.64, fPredBefore: -0.72, fPredAfter: 0.26,
		fNameBefore: 0.08, fNameAfter: -0.49, fVerbOrder: -0.87, fSubject: 0.23, fAppos: 0.41,
		fBracket: -0.59, fCopula: 0.57, fCopulaNext: 0.35, fIn: -0.10, fOn: -0.03,
		fTo: -0.38, fOf: -0.46, fThe: 0.06, fVerbBefore: -0.06, fWords: 0.31, fRedundant: 0.43,
		fFit: 0.70, fMisfit: -0.70, fPerson: -0.23, fPlace: 0.32, fOrg: 0.18,
		fDemonym: -0.20, fHeadIn: 0.68, fCommonW: -0.28,
		fBest: 0.73, fBestWide: 0.47, fSubjVerb: 0.46, fSubjPred: 0.44, fSubjName: 0.26, fObjPred: 0.31, fObjName: 0.45, fNamed: 1.44, fNames: 1.22, fAllNames: 0.22, fCoverNear: 0.95,
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

// trustWeights turn the features of trust (answer.go) into the log odds that the
// best candidate is right.
var trustWeights = [trustFeatures]float32{
	trustBelief: 1.36,
	trustWide:   0.75,
}
