package bench

import (
	"errors"
	"fmt"
	"time"
)

// floor is how much a figure may grow whatever its level: a block of the server's
// file store is 8 MB, and every stream has one.
var floor = map[string]float64{"resident memory (MB)": 64, "heap (MB)": 64, "disk (MB)": 64, "open files": 16, "goroutines": 32}

// grown fails with every figure that goes on growing after warm: whose line
// through the rows rises by more than a share of its level, from the first row to
// the last. The last row, of an idle process, does not count.
func grown(levels []Level, warm time.Duration, share float64) error {
	var after []Level
	for _, l := range levels {
		if l.Seconds >= warm.Seconds() && !l.Idle {
			after = append(after, l)
		}
	}
	if len(after) < 3 {
		return fmt.Errorf("%d rows after %v: too few to see what grows", len(after), warm)
	}
	var errs []error
	for _, f := range []struct {
		name string
		of   func(Level) float64
	}{
		{"resident memory (MB)", func(l Level) float64 { return l.RSS }},
		{"heap (MB)", func(l Level) float64 { return l.Heap }},
		{"disk (MB)", func(l Level) float64 { return l.Disk }},
		{"open files", func(l Level) float64 { return float64(l.Files) }},
		{"goroutines", func(l Level) float64 { return float64(l.Goroutines) }},
	} {
		rise, level := trend(after, f.of)
		if rise > max(floor[f.name], share*level) {
			errs = append(errs, fmt.Errorf("%s grows by %.0f from a level of %.0f in the %.0f s after %v", f.name, rise, level, after[len(after)-1].Seconds-after[0].Seconds, warm))
		}
	}
	return errors.Join(errs...)
}

// trend returns by how much the line of least squares through a figure rises from
// the first row to the last, and the figure's mean.
func trend(rows []Level, of func(Level) float64) (rise, mean float64) {
	n := float64(len(rows))
	var t, v float64
	for _, l := range rows {
		t += l.Seconds / n
		v += of(l) / n
	}
	var tv, tt float64
	for _, l := range rows {
		tv += (l.Seconds - t) * (of(l) - v)
		tt += (l.Seconds - t) * (l.Seconds - t)
	}
	if tt == 0 {
		return 0, v
	}
	return tv / tt * (rows[len(rows)-1].Seconds - rows[0].Seconds), v
}
