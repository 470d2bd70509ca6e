package markup

import "golang.org/x/net/html/atom"

// role is what an element of HTML means for the text.
type role uint8

const (
	inlineText role = iota
	skipped         // with all that is in it
	paragraph       // a block of its own
	line            // a line of its own
	heading
	list
	item
	term // of a list of terms
	meaning
	preformatted
	table
	row
	cell
)

var roles = map[atom.Atom]role{
	atom.Script: skipped, atom.Style: skipped, atom.Noscript: skipped, atom.Template: skipped, atom.Nav: skipped,
	atom.Button: skipped, atom.Select: skipped, atom.Iframe: skipped, atom.Svg: skipped, atom.Math: skipped,
	atom.Object: skipped, atom.Canvas: skipped, atom.Audio: skipped, atom.Video: skipped, atom.Footer: skipped,
	atom.Aside: skipped, atom.Textarea: skipped, atom.Datalist: skipped, atom.Dialog: skipped,

	atom.P: paragraph, atom.Div: paragraph, atom.Section: paragraph, atom.Article: paragraph, atom.Main: paragraph,
	atom.Header: paragraph, atom.Blockquote: paragraph, atom.Figure: paragraph, atom.Hr: paragraph,
	atom.Address: paragraph, atom.Details: paragraph, atom.Form: paragraph, atom.Body: paragraph, atom.Center: paragraph,
	atom.Fieldset: paragraph, atom.Hgroup: paragraph,

	atom.Br: line, atom.Caption: line, atom.Figcaption: line, atom.Summary: line, atom.Legend: line, atom.Option: line,

	atom.H1: heading, atom.H2: heading, atom.H3: heading, atom.H4: heading, atom.H5: heading, atom.H6: heading,
	atom.Ul: list, atom.Ol: list, atom.Menu: list, atom.Dl: list, atom.Li: item, atom.Dt: term, atom.Dd: meaning,
	atom.Pre: preformatted, atom.Listing: preformatted, atom.Xmp: preformatted,
	atom.Table: table, atom.Tr: row, atom.Td: cell, atom.Th: cell,
}
