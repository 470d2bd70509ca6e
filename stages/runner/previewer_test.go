package runner

import (
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hopstream/messages"
)

// previewed returns a previewer in virtual time, and what it has published.
func previewed() (*previewer, *[]messages.Preview) {
	var all []messages.Preview
	return &previewer{pause: previewPause, now: time.Now, publish: func(v messages.Preview) { all = append(all, v) }}, &all
}

func textsOf(all []messages.Preview) (out []string) {
	for _, v := range all {
		out = append(out, v.Text)
	}
	return out
}

func TestPreviewsAreGathered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p, all := previewed()
		p.Restart() // of nothing
		for _, s := range []string{"a", "b", "c", "d", "e", "f"} {
			p.Write(s)
			time.Sleep(19 * time.Millisecond) // in virtual time
		}
		p.close()
		synctest.Wait()
		if got := textsOf(*all); !reflect.DeepEqual(got, []string{"a", "bc", "def"}) {
			t.Errorf("published %q", got)
		}
		for i, v := range *all {
			if v.N != i+1 || v.Attempt != (*all)[0].Attempt || v.Attempt < 1 {
				t.Errorf("%+v", v)
			}
		}
		p.Write("late")
		p.Restart()
		time.Sleep(time.Second)
		if len(*all) != 3 {
			t.Errorf("published after its delivery: %+v", *all)
		}
	})
}

func TestPreviewBeginsAnew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p, all := previewed()
		p.Write("never seen")
		p.Restart()
		p.Write("a")
		time.Sleep(time.Second)
		p.Restart()
		p.Restart() // of nothing
		time.Sleep(time.Second)
		p.Write("b")
		p.close()
		got := *all
		if !reflect.DeepEqual(textsOf(got), []string{"a", "", "b"}) {
			t.Fatalf("published %+v", got)
		}
		if got[1].Attempt <= got[0].Attempt || got[1].N != 1 || got[2].Attempt != got[1].Attempt || got[2].N != 2 {
			t.Errorf("%+v", got)
		}
	})
}

func TestPreviewsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p, all := previewed()
		part := strings.Repeat("x", messages.MaxPreview/4)
		for range 6 {
			p.Write(part)
			p.Restart()
			p.Write("y")
			time.Sleep(time.Second)
		}
		p.close()
		if n := len(strings.Join(textsOf(*all), "")); n > messages.MaxPreview {
			t.Errorf("%d bytes were published", n)
		}
	})
}

// TestPreviewWaitsForNoNetwork holds a publication up: whoever writes goes on.
func TestPreviewWaitsForNoNetwork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		held := make(chan struct{})
		var got []messages.Preview
		p := &previewer{pause: previewPause, now: time.Now, publish: func(v messages.Preview) {
			<-held
			got = append(got, v)
		}}
		start := time.Now()
		for range 100 {
			p.Write("x")
			time.Sleep(time.Millisecond)
		}
		if took := time.Since(start); took != 100*time.Millisecond {
			t.Errorf("writing took %v", took)
		}
		close(held)
		p.close()
		synctest.Wait()
		if s := strings.Join(textsOf(got), ""); len(s) != 100 {
			t.Errorf("%d of 100 bytes were published", len(s))
		}
	})
}

// BenchmarkPreview is what a token of an answer costs.
func BenchmarkPreview(b *testing.B) {
	p := &previewer{pause: previewPause, now: time.Now, publish: func(messages.Preview) {}}
	b.ReportAllocs()
	for b.Loop() {
		p.Write("word ")
		p.room = messages.MaxPreview
	}
	p.close()
}
