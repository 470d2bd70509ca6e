// Package pdf reads the text of PDF files, page by page.
//
//	pdf.go     PDF: the pages in order, in bounds of time and memory
//	guard.go   what keeps a made-up file from holding the reader up
//	tree.go    the tree of pages
//	page.go    the operators of a page that show text
//	font.go    which characters the codes of a font are, and how wide
//	cmap.go    the table by which a font says that
//	lines.go   pieces of text as lines
//	layout.go  lines as headings, items and paragraphs
//
// The objects of a file are read by github.com/ledongthuc/pdf; its own way of
// taking text out resolves a font's widths anew for every character, which took
// 22 s for a manual of 36 pages, and knows no spaces that are only gaps. Text is
// in the order in which the file draws it, which is that of reading in files of
// LaTeX, Word and LibreOffice.
package pdf
