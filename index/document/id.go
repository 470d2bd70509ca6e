package document

import (
	"strconv"

	"hopstream/messages"
)

// PartID names a part of a document that is too long for one message: it has
// the passages from number first on, room at most. A part is stored, replaced
// and deleted by itself; its passages have IDs of the document.
func PartID(doc string, first, room int) string { return messages.PartID(doc, first, room) }

// Whole returns the ID of the document that id is, or names a part of.
func Whole(id string) string {
	doc, _, _ := Part(id)
	return doc
}

// Begins reports whether id is that of a whole document or of its first part: how
// many IDs of stored documents begin one is the number of documents.
func Begins(id string) bool {
	_, first, _ := Part(id)
	return first <= 0
}

// Part takes the ID of a part apart, see PartID; of any other ID, first is -1.
func Part(id string) (doc string, first, room int) { return messages.SplitPart(id) }

// PassageID names chunk i of the n chunks of a document. A document of one
// chunk keeps its own ID, unless that looks like the ID of a chunk: so no two
// documents share a passage ID, and DocID is exact.
func PassageID(doc string, i, n int) string {
	if whole, first, _ := Part(doc); first >= 0 {
		return PieceID(whole, first+i)
	}
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
