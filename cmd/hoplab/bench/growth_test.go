package bench

import (
	"strings"
	"testing"
	"time"
)

// rows are levels of a process, a minute apart, whose memory begins at 500 MB and
// grows by so much in each.
func rows(perMinute, wobble float64) (all []Level) {
	for i := range 30 {
		l := Level{Seconds: float64(60 * i), RSS: 500 + perMinute*float64(i), Heap: 200, Disk: 300, Files: 40, Goroutines: 600}
		if i%2 == 0 {
			l.RSS += wobble
		}
		if i < 5 {
			l.RSS /= 2 // while it is warming up
		}
		all = append(all, l)
	}
	return append(all, Level{Seconds: 1900, RSS: 1, Idle: true})
}

func TestGrown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		perMinute, wobble float64
		want              string
	}{
		{0, 0, ""}, {0, 100, ""}, {-5, 0, ""}, {2, 0, ""},
		{5, 0, "resident memory (MB) grows by 120 from a level of 585"},
		{5, 100, "resident memory (MB) grows by"},
	} {
		err := grown(rows(c.perMinute, c.wobble), 5*time.Minute, 0.1)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v MB a minute, give or take %v: %v", c.perMinute, c.wobble, err)
		}
	}
	leak := rows(0, 0)
	for i := range leak {
		leak[i].Goroutines += 10 * i
	}
	if err := grown(leak, 5*time.Minute, 0.1); err == nil || !strings.Contains(err.Error(), "goroutines grows by 240") {
		t.Errorf("goroutines: %v", err)
	}
	if err := grown(leak[:6], 5*time.Minute, 0.1); err == nil || !strings.Contains(err.Error(), "too few") {
		t.Errorf("few rows: %v", err)
	}
}
