// Package office reads what word processors and presentation programs write:
// DOCX, ODT and PPTX, which are zip files of XML.
//
//	archive.go  the zip file, in bounds that no real document reaches
//	tokens.go   its XML, token by token
//	meta.go     title and date of its properties
//	flow.go     flow: paragraphs, items, rows and code as they come
//	docx.go     DOCX: the body of a document
//	styles.go   its styles and the kinds of its lists
//	odt.go      ODT
//	pptx.go     PPTX: a page per slide, with the notes
//	slide.go    one slide
package office
