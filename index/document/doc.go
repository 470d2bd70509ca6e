// Package document reads what people have into documents, and cuts documents
// into passages.
//
//	walk.go      Walker: files, folders and stdin, one after the other
//	find.go      Found: the files under some paths, by name, before they are read
//	folder.go    folders and links, and what in them is read
//	roots.go     Root: the folder that a document is named in, and prefixes
//	places.go    where each document came from, so that none is taken for another
//	passed.go    why a file is not read
//	fields.go    Fields: where records have what a document consists of
//	format.go    the kinds of files, and how each is read
//	jsonl.go     JSON lines: a document per line
//	file.go      a file as one document, in parts if it is long
//	input.go     a file that is read several times, or at any place
//	chunk.go     Chunk: a document as passages of bounded length
//	placer.go    where each of them stands
//	id.go        the IDs of passages and of parts of documents, and back
//
// The formats stand in packages of their own, and write what they find with
// package draft: markup (Markdown, HTML, text and others with marks in lines),
// records (CSV and JSON), office and pdf. What the text consists of, headings,
// paragraphs, lists, code and tables, is told by package blocks.
//
// What is wrong with a file or a line is told with its place and what to do,
// and the next one is read.
package document
