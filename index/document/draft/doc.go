// Package draft writes documents: the one way in which the readers of formats
// hand on what they find, whatever they read it from.
//
//	writer.go   Writer: title, headings, lines, items, rows, code, pages
//	split.go    parts: a text that is too long for one message, cut where a section begins
//	escape.go   lines that must not look like a mark, and characters that are none
//	scanner.go  Scanner: the lines of a text of any length, numbered
//	valid.go    what of files is text, told before anything of them is handed on
//	date.go     Date: a date as documents say it, as year, month and day
//	over.go     PassedOver: files that are passed over without a fault
//
// What comes out is text as messages.Document describes it, and where each of
// its lines stands in the source. A Writer holds one part, never the whole
// document.
package draft
