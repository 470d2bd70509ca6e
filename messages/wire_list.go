package messages

import "strings"

// list appends an array, one element at a time.
func list[T any](w *writer, name string, vs []T, one func(*writer, *T)) {
	w.key(name)
	if vs == nil {
		w.b = append(w.b, "null"...)
		return
	}
	w.b = append(w.b, '[')
	for i := range vs {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		one(w, &vs[i])
	}
	w.b = append(w.b, ']')
}

// listOpt is list, left out if empty.
func listOpt[T any](w *writer, name string, vs []T, one func(*writer, *T)) {
	if len(vs) > 0 {
		list(w, name, vs, one)
	}
}

// namesOpt writes a list of names, left out if empty.
func (w *writer) namesOpt(name string, vs []string) {
	listOpt(w, name, vs, func(w *writer, v *string) { w.text(*v) })
}

// items reads an array field, one element at a time.
func items[T any](r *reader, name string, vs *[]T, one func(*reader, *T)) {
	if r.field(name) {
		array(r, vs, one)
	}
}

// array reads an array; null leaves vs as it is.
func array[T any](r *reader, vs *[]T, one func(*reader, *T)) {
	if strings.HasPrefix(r.s[r.i:], "null") {
		r.i += len("null")
		return
	}
	r.expect('[')
	out := make([]T, 0, 4)
	if !r.try(']') {
		for !r.bad {
			out = append(out, *new(T))
			one(r, &out[len(out)-1])
			if !r.try(',') {
				r.expect(']')
				break
			}
		}
	}
	*vs = out
}

// namesOf reads a list of names. One that is written as the one before it
// shares its memory; nobody writes to the slices of a message.
func (r *reader) namesOf(name string, v *[]string) {
	if !r.field(name) {
		return
	}
	if r.namesRaw != "" && strings.HasPrefix(r.s[r.i:], r.namesRaw) {
		r.i += len(r.namesRaw)
		*v = r.names
		return
	}
	start := r.i
	array(r, v, func(r *reader, s *string) { *s = r.text() })
	if !r.bad && *v != nil {
		*v = (*v)[:len(*v):len(*v)]
		r.names, r.namesRaw = *v, r.s[start:r.i]
	}
}
