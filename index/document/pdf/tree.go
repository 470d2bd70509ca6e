package pdf

import "github.com/ledongthuc/pdf"

const (
	// maxTree is how deep the tree of pages is at most, and maxPages how many
	// pages there are.
	maxTree  = 60
	maxPages = 200_000
)

// pages calls fn with every page, until it returns false.
func pages(node pdf.Value, depth int, count *int, fn func(pdf.Page) bool) bool {
	if depth > maxTree {
		panic(errDeep)
	}
	kids := node.Key("Kids")
	for i := range kids.Len() {
		kid := kids.Index(i)
		if kid.Kind() != pdf.Dict {
			continue
		}
		if kid.Key("Kids").Kind() == pdf.Array {
			if !pages(kid, depth+1, count, fn) {
				return false
			}
			continue
		}
		if *count++; *count > maxPages {
			panic(errDeep)
		}
		if !fn(pdf.Page{V: kid}) {
			return false
		}
	}
	return true
}

// resources returns those of a page, which it may have from the nodes above it.
func resources(page pdf.Page) pdf.Value {
	v := page.V
	for range maxTree {
		if r := v.Key("Resources"); r.Kind() != pdf.Null {
			return r
		}
		if v = v.Key("Parent"); v.Kind() != pdf.Dict {
			break
		}
	}
	return pdf.Value{}
}
