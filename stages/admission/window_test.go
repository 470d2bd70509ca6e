package admission_test

import (
	"fmt"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages/admission"
)

// TestWindow holds that the window grows while that gains throughput, up to its
// bound, and otherwise stays small; and that routers divide it.
func TestWindow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ slots, least, most int }{{400, 400 / 3, 1500}, {40, 64, 100}, {100_000, 1024, 1024}} {
		clock := &clock{time.Unix(1000, 0)}
		q := admission.New[int](admission.Options{Window: admission.WindowOptions{Least: 64, Most: 1024}, Now: clock.now})
		var open []string
		for n := 0; n < 80_000; n++ { // each slot answers ten questions a second
			id := fmt.Sprint(n)
			q.Offer(admission.Waiting[int]{ID: id, Lane: messages.NewLane("a", "")})
			if n < 1100 { // so that more wait than are admitted
				q.Offer(admission.Waiting[int]{ID: id + "+", Lane: messages.NewLane("a", "")})
			}
			for w, ok := q.Try(); ok; w, ok = q.Try() {
				open = append(open, w.ID)
			}
			clock.at = clock.at.Add(100 * time.Millisecond / time.Duration(min(c.slots, len(open))))
			q.End(open[0])
			open = open[1:]
		}
		if size, _ := q.Size(); size < c.least || size > c.most {
			t.Errorf("%d slots: the window is %d", c.slots, size)
		}
		whole, _ := q.Size()
		q.Share(4)
		if part, _ := q.Size(); part != (whole+3)/4 {
			t.Errorf("a fourth of %d is %d", whole, part)
		}
	}
}
