package config

import (
	"reflect"
	"strings"
)

// A setting's key and what it means stand at its field, in the tags koanf and
// about; its default is in Default. The names of roles and stages, which are
// keys too, are * here.

// setting is a key of the configuration, and what it means.
type setting struct{ key, about string }

// settings returns every key with what it means, sections before what is in
// them.
func settings() []setting { return appendSettings(nil, reflect.TypeFor[Config](), "") }

func appendSettings(all []setting, t reflect.Type, prefix string) []setting {
	for i := range t.NumField() {
		f := t.Field(i)
		key := prefix + f.Tag.Get("koanf")
		all = append(all, setting{key, f.Tag.Get("about")})
		switch in := f.Type; {
		case in.Kind() == reflect.Struct:
			all = appendSettings(all, in, key+".")
		case in.Kind() == reflect.Map && in.Elem().Kind() == reflect.Struct:
			all = appendSettings(all, in.Elem(), key+".*.")
		}
	}
	return all
}

// general returns a key with * for the name of a role or a stage.
func general(key string) string {
	parts := strings.SplitN(key, ".", 3)
	if len(parts) == 3 && (parts[0] == "models" || parts[0] == "stages") {
		parts[1] = "*"
	}
	return strings.Join(parts, ".")
}
