package config

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
)

// durations reads spans of time, which have a unit. A bare number would be read
// as nanoseconds, which nobody means; only 0 is one with any unit.
func durations() mapstructure.DecodeHookFuncType {
	parse := mapstructure.StringToTimeDurationHookFunc().(func(reflect.Type, reflect.Type, any) (any, error))
	return func(from, to reflect.Type, v any) (any, error) {
		span := reflect.TypeFor[time.Duration]()
		if to != span || from == span {
			return v, nil
		}
		text := fmt.Sprint(v)
		n, err := strconv.ParseFloat(text, 64)
		switch {
		case err == nil && n == 0:
			return time.Duration(0), nil
		case err == nil:
			return nil, fmt.Errorf("%s has no unit: write %[1]ss for seconds, or another unit (ms, m, h)", text)
		}
		return parse(from, to, v)
	}
}

// unsigned refuses negative numbers where there cannot be any. They would be
// read as huge ones.
func unsigned(_, to reflect.Type, v any) (any, error) {
	if text := fmt.Sprint(v); to.Kind() == reflect.Uint64 && strings.HasPrefix(text, "-") {
		return nil, fmt.Errorf("%s is negative: write 0 or more", text)
	}
	return v, nil
}
