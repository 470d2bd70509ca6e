// Package document reads what people have into documents, and cuts documents
// into passages.
//
//	walk.go      Walker: files, folders and stdin, one after the other
//	format.go    the kinds of files, and how each is read
//	jsonl.go     JSON lines: a document per line
//	file.go      a file as one document, in parts if it is long
//	input.go     a file that is read several times, or at any place
//	chunk.go     Chunk: a document as passages of bounded length
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
