package model

import (
	"maps"
	"slices"
)

// Keys returns the names of the fields, sorted: a reply's order says nothing.
func (o Object) Keys() []string { return slices.Sorted(maps.Keys(o.fields)) }

// Objects returns the objects of a list, at most count. An object that the reply
// broke off in is included with the fields that it has. Other values are left
// out. A single object counts as a list of one; a missing key, or another value,
// as an empty list.
func (o Object) Objects(key string, count int) []Object {
	var items []any
	switch v := o.fields[key].(type) {
	case list:
		items = v.items
	case object:
		items = []any{v}
	}
	var out []Object
	for _, item := range items {
		if inner, ok := item.(object); ok && len(out) < count {
			out = append(out, Object(inner))
		}
	}
	return out
}
