package document

import "strconv"

// PassageID names chunk i of the n chunks of a document. A document of one
// chunk keeps its own ID, unless that looks like the ID of a chunk: so no two
// documents share a passage ID, and DocID is exact.
func PassageID(doc string, i, n int) string {
	if n == 1 && chunkSuffix(doc) < 0 {
		return doc
	}
	return PieceID(doc, i)
}

// PieceID names chunk i of a document that is cut into several.
func PieceID(doc string, i int) string { return doc + "#" + strconv.Itoa(i) }

// DocID returns the ID of the document a passage belongs to.
func DocID(PassageID string) string {
	if i := chunkSuffix(PassageID); i >= 0 {
		return PassageID[:i]
	}
	return PassageID
}

// chunkSuffix returns where the #n at the end of id begins, or -1.
func chunkSuffix(id string) int {
	i := len(id)
	for i > 0 && id[i-1] >= '0' && id[i-1] <= '9' {
		i--
	}
	if i < 2 || i == len(id) || id[i-1] != '#' {
		return -1
	}
	return i - 1
}
