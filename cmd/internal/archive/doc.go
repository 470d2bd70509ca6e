// Package archive writes answers, and the traces of their questions, to files.
//
//	archive.go   Export: what was stored since the last time, to a folder
//	folder.go    Folder: its files, and how far they go
//	file.go      a file that is being written
//	schedule.go  Schedule: an export now and then, by one process of several
//	holder.go    which process that is, and how far it came
//
// A folder holds each answer once, as one line, as it stands in the log. A file is
// named after the time of its first answer and the sequences of its first and last,
// and is there as a whole or not at all: it is written under another name, brought
// to the disk, and renamed. So the names are the record of what was archived, and a
// process that is killed leaves nothing that its successor could take for more or
// less than it is. A file that is there does not change any more: it can be copied
// to an object store by whatever does that.
package archive
