package model

// Objects returns the objects of a list, count at most, those that the reply
// ended in the middle of included: what they lack is missing. What is no
// object is left out, and one alone is a list of one. A key that is not there,
// or holds no list, has none.
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
