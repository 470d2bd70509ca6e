// Package markup reads text with marks: Markdown, HTML, reStructuredText,
// AsciiDoc, manual pages, and plain text, whose marks are its layout.
//
//	markdown.go     Markdown, piece by piece through goldmark
//	blocks.go       what its blocks become
//	frontmatter.go  title and date before the text
//	html.go         HTML: its tokens, one after the other, and what their elements become
//	elements.go     which elements those are
//	lists.go        HTML's lists
//	tables.go       HTML's tables
//	main.go         where in a page the main text is, and how it is encoded
//	text.go         plain text
//	manual.go       manual pages as printed
//	rst.go          reStructuredText
//	directive.go    its directives
//	asciidoc.go     AsciiDoc
//	roff.go         sources of manual pages
//	macros.go       the macros of man
//	mdoc.go         those of mdoc
//	escapes.go      the escapes of roff
//	inline.go       marks within lines
//
// Each function reads a file of any length line by line, or token by token, into
// a draft.Writer. Deeper nesting than any writer means is read as if it were
// flat.
package markup
