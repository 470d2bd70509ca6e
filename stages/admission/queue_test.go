package admission_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages/admission"
)

// clock is virtual time.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// desk is a queue with questions numbered by tenant.
type desk struct {
	*admission.Queue[string]
	clock *clock
	asked map[string]int
}

func newDesk(window int) *desk {
	c := &clock{time.Unix(1000, 0)}
	return &desk{admission.New[string](admission.Options{Window: admission.WindowOptions{Least: window, Most: window}, Now: c.now}), c, map[string]int{}}
}

func (d *desk) offer(tenant string, p messages.Priority, n int) {
	for range n {
		d.asked[tenant]++
		id := fmt.Sprintf("%s-%d", tenant, d.asked[tenant])
		d.Offer(admission.Waiting[string]{ID: id, Lane: messages.NewLane(tenant, p), Item: tenant})
	}
}

// take admits all that may be, in order.
func (d *desk) take() (ids []string) {
	for {
		w, ok := d.Try()
		if !ok {
			return ids
		}
		ids = append(ids, w.ID)
	}
}

// TestShares holds that tenants get shares by weight, whatever the window's size,
// to a hundredth.
func TestShares(t *testing.T) {
	t.Parallel()
	for _, window := range []int{1, 7, 64} {
		d := newDesk(window)
		d.Set(map[string]admission.Tenant{"b": {Weight: 2}, "c": {Weight: 4}})
		for _, tenant := range []string{"a", "b", "c"} {
			d.offer(tenant, messages.Normal, 7000)
		}
		got, open := map[string]int{}, []string{}
		for sum := 0; sum < 7000; {
			for _, id := range d.take() {
				open, sum = append(open, id), sum+1
				got[id[:1]]++
			}
			d.End(open[0]) // first in, first out
			open = open[1:]
		}
		for tenant, want := range map[string]float64{"a": 1000, "b": 2000, "c": 4000} {
			if math.Abs(float64(got[tenant])/want-1) > .01 {
				t.Errorf("window %d: tenant %s got %d of 7000, want %v", window, tenant, got[tenant], want)
			}
		}
	}
}

// TestOrder holds that a tenant's questions keep their order within a priority, and
// that interactive ones go first.
func TestOrder(t *testing.T) {
	t.Parallel()
	d := newDesk(2)
	d.offer("a", messages.Bulk, 2)
	d.offer("a", messages.Normal, 1)
	d.offer("a", messages.Interactive, 2)
	var got []string
	for len(got) < 5 {
		now := d.take()
		got = append(got, now...)
		for _, id := range now {
			d.End(id)
		}
	}
	if want := "[a-4 a-5 a-3 a-1 a-2]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// TestReserve holds that a full window keeps neither an interactive question
// waiting, nor a tenant that has nothing open; and that the reserve is bounded.
func TestReserve(t *testing.T) {
	t.Parallel()
	d := newDesk(8) // and 2 in reserve
	d.offer("a", messages.Bulk, 100)
	if got := d.take(); len(got) != 8 {
		t.Fatalf("%d admitted: %v", len(got), got)
	}
	d.offer("b", messages.Bulk, 3)
	if got := fmt.Sprint(d.take()); got != "[b-1]" {
		t.Errorf("a newcomer: %s", got)
	}
	d.offer("a", messages.Interactive, 3)
	if got := fmt.Sprint(d.take()); got != "[a-101]" {
		t.Errorf("an interactive one: %s", got)
	}
	if w, open := d.Size(); w != 8 || open != 10 {
		t.Errorf("window %d, open %d", w, open)
	}
}

// TestSlowTenant holds that a tenant whose questions do not end cannot fill the
// window while another asks, though both have the same number admitted.
func TestSlowTenant(t *testing.T) {
	t.Parallel()
	d := newDesk(16)
	d.offer("slow", messages.Normal, 100)
	d.offer("quick", messages.Normal, 3000)
	quick := 0
	for range 200 {
		for _, id := range d.take() {
			if id[0] == 'q' {
				quick++
				defer d.End(id)
			}
		}
		_, f := d.State()
		if f["slow"].Open > 10 {
			t.Fatalf("the slow tenant has %d of 16 places", f["slow"].Open)
		}
		for i := range quick {
			d.End(fmt.Sprintf("quick-%d", i+1))
		}
	}
	if quick < 600 {
		t.Errorf("the quick tenant got %d", quick)
	}
}

// TestWorkConserving holds that one tenant alone gets every place, and that one that
// comes back earns nothing by its absence.
func TestWorkConserving(t *testing.T) {
	t.Parallel()
	d := newDesk(4)
	d.offer("a", messages.Normal, 100)
	n := 0
	for range 10 {
		for _, id := range d.take() {
			n++
			d.End(id)
		}
	}
	if n < 40 {
		t.Errorf("one tenant alone got %d", n)
	}
	for _, id := range d.take() {
		d.End(id)
	}
	d.offer("a", messages.Normal, 100)
	d.offer("late", messages.Normal, 100)
	got := map[byte]int{}
	for range 5 {
		for _, id := range d.take() {
			got[id[0]]++
			d.End(id)
		}
	}
	if got['a'] < 8 || got['l'] > 12 {
		t.Errorf("after its absence: %v", got)
	}
}

// TestLimits holds that a pause, a bound and a weight hold at once, and that what
// waited goes on after.
func TestLimits(t *testing.T) {
	t.Parallel()
	d := newDesk(10)
	d.Set(map[string]admission.Tenant{"a": {Paused: true}, "b": {MaxOpen: 3}})
	d.offer("a", messages.Interactive, 2)
	d.offer("b", messages.Interactive, 5)
	if got := fmt.Sprint(d.take()); got != "[b-1 b-2 b-3]" {
		t.Errorf("%s", got)
	}
	d.End("b-2")
	if got := fmt.Sprint(d.take()); got != "[b-4]" {
		t.Errorf("after one ended: %s", got)
	}
	d.Set(nil)
	if got := d.take(); len(got) != 3 {
		t.Errorf("without settings: %v", got)
	}
}

// TestAgain holds that a question which was admitted and comes again does not wait,
// nor count twice.
func TestAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(1)
	w := admission.Waiting[string]{ID: "x"}
	if !d.Offer(w) || len(d.take()) != 1 || d.Offer(w) {
		t.Error("offered again")
	}
	d.End("x")
	d.End("x")
	d.End("never")
	if _, open := d.Size(); open != 0 {
		t.Errorf("%d open", open)
	}
}

// TestOld holds that admitted questions are looked up once old, and then seldomer.
func TestOld(t *testing.T) {
	t.Parallel()
	d := newDesk(3)
	d.offer("a", messages.Normal, 3)
	d.take()
	count := func(n int) int { return len(d.Old(5*time.Second, n)) }
	if count(9) != 0 {
		t.Error("young ones")
	}
	d.clock.at = d.clock.at.Add(5 * time.Second)
	if count(2) != 2 || count(9) != 1 || count(9) != 0 {
		t.Error("each once")
	}
	d.clock.at = d.clock.at.Add(4 * time.Second)
	if count(9) != 0 {
		t.Error("too early")
	}
	d.clock.at = d.clock.at.Add(time.Second)
	if count(9) != 3 {
		t.Error("again after twice the age")
	}
}

// TestNext holds that Next waits for a place, and ends with its context; and that
// what waits can be taken out.
func TestNext(t *testing.T) {
	t.Parallel()
	d := newDesk(1)
	d.offer("a", messages.Normal, 2)
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan error, 3)
	go func() {
		for {
			_, err := d.Next(ctx)
			got <- err
			if err != nil {
				return
			}
		}
	}()
	if err := <-got; err != nil {
		t.Fatal(err)
	}
	d.End("a-1")
	if err := <-got; err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	d.offer("b", messages.Bulk, 2)
	if all := d.Drain(); len(all) != 2 || len(d.take()) != 0 {
		t.Errorf("drained %v", all)
	}
}

func TestTenantSettings(t *testing.T) {
	t.Parallel()
	want := admission.Tenant{Weight: 2.5, MaxOpen: 7, Paused: true}
	data, err := want.Encode()
	got, derr := admission.Decode(append(data[:len(data)-1], []byte(`,"newer":1}`)...))
	if err != nil || derr != nil || got != want {
		t.Errorf("%+v, %v, %v", got, err, derr)
	}
	for _, bad := range []admission.Tenant{{Weight: -1}, {Weight: 1e9}, {Weight: math.NaN()}, {MaxOpen: -1}} {
		if _, err := bad.Encode(); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
	if _, err := admission.Decode([]byte("x")); err == nil {
		t.Error("garbage was taken")
	}
}
