package document

import (
	"fmt"
	"slices"
	"strings"

	"hopstream/index/document/records"
)

// Fields says in which fields of a record what a document consists of is found.
type Fields = records.Fields

// fieldNames are the names that Fields may have.
var fieldNames = []string{"id", "title", "text", "date"}

// ParseFields reads NAME=PATH[,PATH…], once per name. It fails on another name,
// a name given twice and an empty path. Of nothing it returns nil.
func ParseFields(specs []string) (Fields, error) {
	if len(specs) == 0 {
		return nil, nil
	}
	fields := Fields{}
	for _, spec := range specs {
		name, list, ok := strings.Cut(spec, "=")
		switch {
		case !ok:
			return nil, fmt.Errorf("%q: want NAME=PATH[,PATH…], such as text=body", spec)
		case !slices.Contains(fieldNames, name):
			return nil, fmt.Errorf("%q: a document has no %q: choose from %s", spec, name, strings.Join(fieldNames, ", "))
		case fields[name] != nil:
			return nil, fmt.Errorf("%q: %s is given twice: name all its paths at once, as in %s=a,b", spec, name, name)
		}
		for path := range strings.SplitSeq(list, ",") {
			if path = strings.TrimSpace(path); path == "" {
				return nil, fmt.Errorf("%q: a path is empty: want NAME=PATH[,PATH…], such as text=body", spec)
			}
			fields[name] = append(fields[name], path)
		}
	}
	return fields, nil
}
