// Package document reads what people have into documents, and cuts documents
// into passages.
//
//	walk.go      Walker: files, folders and stdin, one after the other
//	format.go    the kinds of files, and how each is read
//	jsonl.go     a document per line
//	text.go      plain text: a file is one document
//	html.go      the title and the main text of a page
//	blocks.go    text in blocks, without white space that says nothing
//	markdown.go  likewise, without markup
//	chunk.go     Chunk: a document as passages of bounded length
//	id.go        the IDs of passages and of parts of documents, and back
//
// What a text consists of, headings, paragraphs, lists, code and tables, is
// told by package blocks.
//
// What is wrong with a file or a line is told with its place and what to do,
// and the next one is read.
package document
