package messages

import (
	"strconv"
	"strings"
)

// maxPassage is the highest number of a passage that the ID of a part may name.
const maxPassage = 1 << 30

// PartID names a part of a document that is too long for one message: it has
// the passages from number first on, room at most.
func PartID(doc string, first, room int) string {
	return doc + "#" + strconv.Itoa(first) + "+" + strconv.Itoa(room)
}

// SplitPart takes the ID of a part apart. Of any other ID, doc is the ID itself,
// first is -1 and room 0.
func SplitPart(id string) (doc string, first, room int) {
	at := strings.LastIndexByte(id, '#')
	plus := strings.LastIndexByte(id, '+')
	if at < 1 || plus < at {
		return id, -1, 0
	}
	first, err := strconv.Atoi(id[at+1 : plus])
	room, rerr := strconv.Atoi(id[plus+1:])
	if err != nil || rerr != nil || first < 0 || first >= maxPassage || room < 1 || PartID(id[:at], first, room) != id {
		return id, -1, 0
	}
	return id[:at], first, room
}
